package dev.tacit.accounting.exact.contour;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where the contour integral is taken, how finely and how far. Nothing certified rests on the choice: whatever it is, its errors are bounded.
 *
 * @param law number of the law that all of this describes; see {@link MomentCurve#lawUpTo}
 * @param theta the line Re z = θ
 * @param logMoment log M(θ)
 * @param momentError bound on the error of log M(θ)
 * @param period of the trapezoid rule, 2π/step
 * @param nodes number of frequencies
 * @param work number of complex terms
 * @param cancellation the integral over the integral of the modulus, about
 */
record ContourPlan(
        int law,
        double theta,
        double logMoment,
        double momentError,
        AliasBound aliases,
        List<MomentCurve.DecayBound> decays,
        double period,
        double nodes,
        double work,
        double cancellation) {
    /** Orders up to this multiple of θ bound the aliases of a line. */
    static final double HIGHEST_ORDER_FACTOR = 2;

    private static final double TARGET = 1e-13;
    /** With many curves the rounding errors are larger than this anyway. */
    private static final double TARGET_OF_MANY = 1e-12;

    private static final int FEW_NODES = 400;
    private static final double[] ORDER_FACTORS = {0.4, 0.75, 1.3, HIGHEST_ORDER_FACTOR};
    private static final double[] MORE_ORDER_FACTORS = {
        0.4, 0.6, 0.75, 0.9, 1.02, 1.05, 1.1, 1.2, 1.3, 1.6, HIGHEST_ORDER_FACTOR
    };
    private static final double HIGHEST_SWEPT_FACTOR = 1.7;
    private static final double[] FIRST_SWEPT_FACTORS = {0.8, 1.25, HIGHEST_SWEPT_FACTOR};
    private static final double[] NEXT_SWEPT_FACTORS = {0.65, 0.55, 0.4, 0.3};

    /** Orders up to this multiple of the saddle point are asked for. */
    static double highestFactor(ContourEngine engine) {
        return engine.manyCurves() ? HIGHEST_SWEPT_FACTOR : HIGHEST_ORDER_FACTOR;
    }

    /**
     * The best line: at the saddle point, or left of it where rare large losses make that one slow; null if there is none. It describes the
     * present law: if a later plan has changed that, it is made anew.
     */
    static ContourPlan best(ContourEngine engine, SaddlePoint saddle) {
        ContourPlan best = engine.manyCurves() ? swept(engine, saddle) : of(engine, saddle, ORDER_FACTORS);
        if (best == null || best.nodes() > FEW_NODES) {
            for (double factor : engine.lineFactors()) {
                SaddlePoint moved = new SaddlePoint(factor * saddle.theta(), saddle.epsilon(), saddle.logDelta());
                ContourPlan plan = of(engine, moved, MORE_ORDER_FACTORS);
                if (plan != null && (best == null || plan.score() < best.score())) {
                    best = plan;
                }
            }
        }
        if (best != null && best.law() != engine.law()) {
            SaddlePoint same = new SaddlePoint(best.theta(), saddle.epsilon(), saddle.logDelta());
            best = of(engine, same, MORE_ORDER_FACTORS);
        }
        return best != null && best.law() == engine.law() ? best : null;
    }

    /** Work, with a penalty where the integral is so much smaller than its integrand that digits are lost. */
    private double score() {
        return work * penalty(cancellation);
    }

    private static double penalty(double cancellation) {
        return Math.max(1, 1e-2 / cancellation);
    }

    /**
     * The best of a few lines, all judged by the same few orders of one law: every order at which its cumulants were ever computed bounds the aliases
     * of every line, and the last frequency is guessed from the normal approximation. Only the line chosen is worked out.
     */
    private static ContourPlan swept(ContourEngine engine, SaddlePoint saddle) {
        engine.lawUpTo(HIGHEST_SWEPT_FACTOR * saddle.theta());
        for (double factor : FIRST_SWEPT_FACTORS) {
            engine.cumulants(factor * saddle.theta());
        }
        SaddlePoint best = bestKnown(engine, saddle);
        for (double factor : NEXT_SWEPT_FACTORS) {
            if (best != null && best.theta() > 1.3 * factor * saddle.theta()) {
                break;
            }
            engine.cumulants(factor * saddle.theta());
            best = bestKnown(engine, saddle);
        }
        return best == null
                ? null
                : of(engine, best, aliases(engine, best.theta(), engine.knownOrders()), TARGET_OF_MANY);
    }

    private static SaddlePoint bestKnown(ContourEngine engine, SaddlePoint saddle) {
        double[] orders = engine.knownOrders();
        double bestScore = Double.POSITIVE_INFINITY;
        double variance = Double.POSITIVE_INFINITY;
        SaddlePoint best = null;
        for (double theta : orders) {
            if (theta < 0.2 * saddle.theta() || theta > 1.35 * saddle.theta()) {
                continue;
            }
            double[] sums = engine.cumulants(theta);
            variance = Math.min(variance, sums[2] + 1e-300);
            SaddlePoint moved = new SaddlePoint(theta, saddle.epsilon(), saddle.logDelta());
            double period = period(aliases(engine, theta, orders), moved, TARGET_OF_MANY);
            double value = value(moved, sums);
            double last = Math.sqrt(-2 * Math.log(TARGET_OF_MANY * value) / variance);
            double score = period * last * penalty(cancellation(theta, sums, value));
            if (score < bestScore) {
                bestScore = score;
                best = moved;
            }
        }
        return best;
    }

    private static AliasBound aliases(ContourEngine engine, double theta, double[] orders) {
        return new AliasBound(
                order -> engine.cumulants(order)[0] + engine.cumulants(order)[3],
                theta,
                engine.cumulants(theta)[0],
                Arrays.stream(orders).filter(order -> order != theta).toArray());
    }

    private static double period(AliasBound aliases, SaddlePoint saddle, double target) {
        return aliases.period(saddle.epsilon(), saddle.logDelta() + Math.log(0.2 * target));
    }

    /** Delta without the factor M(θ)e^{−θε}. */
    private static double value(SaddlePoint saddle, double[] sums) {
        return Math.exp(Math.min(0, saddle.logDelta() - sums[0] + saddle.theta() * saddle.epsilon()));
    }

    private static double cancellation(double theta, double[] sums, double value) {
        double size = Math.min(theta, 1.24 / Math.sqrt(sums[2] + 1e-300)) / (theta * (1 + theta));
        return Math.min(1, value / size);
    }

    private static ContourPlan of(ContourEngine engine, SaddlePoint saddle, double[] orderFactors) {
        double theta = saddle.theta();
        engine.lawUpTo(HIGHEST_ORDER_FACTOR * theta);
        double[] sums = engine.cumulants(theta);
        if (!Double.isFinite(sums[0]) || !(theta > 0)) {
            return null;
        }
        double[] orders =
                Arrays.stream(orderFactors).map(factor -> factor * theta).toArray();
        return of(engine, saddle, aliases(engine, theta, orders), TARGET);
    }

    /** @param aliases bounds from moments of the present law, which also serves θ */
    private static ContourPlan of(ContourEngine engine, SaddlePoint saddle, AliasBound aliases, double target) {
        double theta = saddle.theta();
        int law = engine.law();
        double[] sums = engine.cumulants(theta);
        double period = period(aliases, saddle, target);
        if (!(period > 0 && period < 1e300)) {
            return null;
        }
        double step = 2 * Math.PI / period;
        List<MomentCurve> curves = engine.curves();
        MomentCurve.DecayBound[] bounds = new MomentCurve.DecayBound[curves.size()];
        engine.forEachCurve(i -> bounds[i] = curves.get(i).decay(theta));
        List<MomentCurve.DecayBound> decays = engine.manyCurves() ? merged(bounds) : new ArrayList<>(List.of(bounds));
        double value = value(saddle, sums);
        double start = Math.max(step, 4 / Math.sqrt(sums[2] + 1e-300));
        double t = lastFrequency(decays, start, FEW_NODES * step, target * value);
        if (t > FEW_NODES * step) {
            for (int i = 0; i < decays.size() && !engine.manyCurves(); i++) {
                decays.set(i, curves.get(i).sharperDecay(theta, decays.get(i)));
            }
            t = lastFrequency(decays, start, engine.mostNodes() * step, target * value);
        }
        double nodes = Math.max(1, Math.ceil(t / step));
        double work = nodes < engine.mostNodes() ? 0 : 1e300;
        if (nodes < engine.mostNodes()) {
            int count = (int) nodes;
            double[] works = new double[curves.size()];
            engine.forEachCurve(i -> works[i] = curves.get(i).work(theta, step, count));
            work = Arrays.stream(works).sum();
        }
        return new ContourPlan(
                law, theta, sums[0], sums[3], aliases, decays, period, nodes, work, cancellation(theta, sums, value));
    }

    private static List<MomentCurve.DecayBound> merged(MomentCurve.DecayBound[] bounds) {
        List<LevelSetDecay> levelSets = new ArrayList<>();
        List<MomentCurve.DecayBound> decays = new ArrayList<>();
        for (MomentCurve.DecayBound bound : bounds) {
            if (bound instanceof LevelSetDecay levelSet) {
                levelSets.add(levelSet);
            } else {
                decays.add(bound);
            }
        }
        decays.add(LevelSetDecay.merged(levelSets));
        return decays;
    }

    /** The first frequency, within 5%, beyond which the integrand is negligible, or more than the most allowed if there is none below that. */
    private static double lastFrequency(List<MomentCurve.DecayBound> decays, double start, double most, double limit) {
        if (!(start < most) || ContourEngine.Line.truncation(decays, most) > limit) {
            return 2 * Math.max(start, most);
        }
        double low = start;
        double high = most;
        while (high > 1.05 * low) {
            double middle = Math.sqrt(low * high);
            if (ContourEngine.Line.truncation(decays, middle) > limit) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }
}
