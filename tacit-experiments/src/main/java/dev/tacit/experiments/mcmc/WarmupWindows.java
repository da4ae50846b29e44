package dev.tacit.experiments.mcmc;

/**
 * The three phases of Stan's warm-up: a first phase for the step size alone, windows that double in length and end with
 * a new mass matrix, a last phase for the step size alone.
 *
 * <pre>
 *   first 75, windows 25, 50, 100, …, the last one lengthened to the end, last 50
 *   below 150 transitions 15 %, 75 %, 10 %
 * </pre>
 *
 * Stan Development Team, Reference Manual, section "HMC algorithm parameters". Below 20 transitions there is no window.
 */
final class WarmupWindows {
    private static final int FIRST = 75;
    private static final int LAST = 50;
    private static final int BASE = 25;

    private final int start;
    private final int end;
    private int size;
    private int windowEnd;

    WarmupWindows(int warmup) {
        if (warmup < 20) {
            start = warmup;
            end = warmup;
            size = 0;
        } else if (warmup < FIRST + BASE + LAST) {
            start = (int) (0.15 * warmup);
            end = warmup - (int) (0.1 * warmup);
            size = end - start;
        } else {
            start = FIRST;
            end = warmup - LAST;
            size = BASE;
        }
        windowEnd = lengthened(start + size);
    }

    /** Whether the draw of this transition belongs to a window. */
    boolean inWindow(int transition) {
        return transition >= start && transition < end;
    }

    /** Whether a window ends after this transition; moves on to the next window if so. */
    boolean endsWindow(int transition) {
        if (!inWindow(transition) || transition + 1 != windowEnd) {
            return false;
        }
        size *= 2;
        windowEnd = lengthened(windowEnd + size);
        return true;
    }

    /** A window after which the next one, twice as long, would not fit takes all that is left. */
    private int lengthened(int proposed) {
        return proposed + 2 * size > end ? end : proposed;
    }
}
