package dev.tacit.ledger.filter;

/**
 * What a filter adds up: a loss, and for filters that allow one, a failure probability.
 *
 * @param loss 0 or more, +∞ if the filter cannot bound the event
 * @param delta 0 or more; always 0 in a filter whose costs hold without exception
 */
public record FilterCost(double loss, double delta) {
    /** What nothing costs. */
    public static final FilterCost NONE = new FilterCost(0, 0);

    /** More than any limit. */
    public static final FilterCost UNBOUNDED = new FilterCost(Double.POSITIVE_INFINITY, 0);

    public FilterCost {
        if (!(loss >= 0) || !(delta >= 0)) {
            throw new IllegalArgumentException("a cost is 0 or more");
        }
    }

    /** Both costs together, rounded up. */
    public FilterCost plus(FilterCost other) {
        return new FilterCost(sumRoundedUp(loss, other.loss), sumRoundedUp(delta, other.delta));
    }

    /** Whether a limit covers this cost. */
    public boolean within(FilterCost limit) {
        return loss <= limit.loss && delta <= limit.delta;
    }

    /** Which share of a limit this is: 1 uses it up, +∞ if nothing was allowed. */
    public double shareOf(FilterCost limit) {
        return Math.max(share(loss, limit.loss), share(delta, limit.delta));
    }

    private static double share(double cost, double limit) {
        return cost == 0 ? 0 : cost / limit;
    }

    /** The sum, rounded up. */
    public static double sumRoundedUp(double a, double b) {
        return a == 0 || b == 0 ? a + b : Math.nextUp(a + b);
    }
}
