package dev.tacit.accounting.renyi;

import dev.tacit.accounting.DeltaBound;
import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.accounting.compose.Composition;
import dev.tacit.accounting.compose.Phase;
import dev.tacit.accounting.compose.Sampling;
import dev.tacit.accounting.compose.UnsupportedEventException;
import dev.tacit.accounting.curve.CurveCatalogue;
import dev.tacit.accounting.curve.MechanismCurves;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntToDoubleFunction;

/**
 * Adds Rényi divergences over releases and converts the sum at the best real order.
 *
 * <pre>
 *   R(a) = Σ_j times_j·R_j(a),   then {@link RenyiConversion}
 *   Poisson, q = rate:          the mechanism's own curve, else at integer orders
 *       e^{(a−1)R'} = 1 + Σ_{l≥2} C(a,l)(1−q)^{a−l}q^l (c_l·e^{(l−1)R(l)} − 1),   c_2 = 1, c_l = 3
 *   fixed size, replace-one, at integer orders
 *       e^{(a−1)R'} = 1 + q²C(a,2)·min{4(e^{R(2)}−1), e^{R(2)}·m_2} + Σ_{l≥3} q^l C(a,l)e^{(l−1)R(l)}·m_l,
 *       m_l = min{2, (e^{R(∞)}−1)^l},  q = batch/population
 * </pre>
 *
 * Mironov 2017 (composition); Zhu, Wang 2019, Theorem 5 (Poisson, add/remove); Wang, Balle, Kasiviswanathan 2019,
 * Theorem 9 (fixed size, replace-one; R is that of the release without sampling under replace-one). Between integer
 * orders (a−1)R(a) is interpolated linearly, which is an upper bound because it is convex in a and 0 at a = 1. Differs
 * from the papers: orders are real and unbounded, the sums have no cancellation, and every sampled curve is capped by
 * that of the release without sampling, which dominates it by quasi-convexity.
 */
public final class RenyiAccountant implements PrivacyAccountant {
    private static final int LARGEST_INTEGER_ORDER = 4096;

    /**
     * Divergences do not decrease with the order; below this one, sampled curves lose digits to the division by order −
     * 1.
     */
    private static final double LOWEST_SAMPLED_ORDER = 1.001;

    private static final String SOURCE =
            "Rényi divergences at the best order; conversion of Canonne, Kamath, Steinke 2020";

    private final CurveCatalogue catalogue;

    public RenyiAccountant() {
        this(CurveCatalogue.standard());
    }

    /** With the curves of these mechanisms. */
    public RenyiAccountant(CurveCatalogue catalogue) {
        this.catalogue = catalogue;
    }

    @Override
    public String name() {
        return "renyi";
    }

    @Override
    public EpsilonBound epsilon(PrivacyEvent event, double delta, Neighbours neighbours) {
        PrivacyBudget.requireDelta(delta);
        try {
            double epsilon = 0;
            for (DoubleUnaryOperator curve : curves(event, neighbours)) {
                epsilon = Math.max(epsilon, RenyiConversion.epsilon(curve, delta));
            }
            return Double.isInfinite(epsilon)
                    ? new EpsilonBound.Unbounded("the Rényi divergence is infinite at every order")
                    : new EpsilonBound.AtMost(epsilon, SOURCE);
        } catch (UnsupportedEventException refusal) {
            return refusal.asEpsilonBound();
        }
    }

    @Override
    public DeltaBound delta(PrivacyEvent event, double epsilon, Neighbours neighbours) {
        Composition.requireEpsilon(epsilon);
        try {
            double delta = 0;
            for (DoubleUnaryOperator curve : curves(event, neighbours)) {
                delta = Math.max(delta, RenyiConversion.delta(curve, epsilon));
            }
            return new DeltaBound.AtMost(delta, SOURCE);
        } catch (UnsupportedEventException refusal) {
            return refusal.asDeltaBound();
        }
    }

    /**
     * An upper bound on the Rényi divergence of this order, above 1, between neighbouring outputs of the event; +∞ if
     * none is known.
     */
    public double divergence(PrivacyEvent event, double order, Neighbours neighbours) {
        if (!(order > 1) || Double.isInfinite(order)) {
            throw new IllegalArgumentException("an order is a number above 1");
        }
        try {
            double divergence = 0;
            for (DoubleUnaryOperator curve : curves(event, neighbours)) {
                divergence = Math.max(divergence, curve.applyAsDouble(order));
            }
            return divergence;
        } catch (UnsupportedEventException refusal) {
            return Double.POSITIVE_INFINITY;
        }
    }

    /** One curve per alternative of the event; an event that reveals nothing has the curve 0. */
    private List<DoubleUnaryOperator> curves(PrivacyEvent event, Neighbours neighbours)
            throws UnsupportedEventException {
        List<DoubleUnaryOperator> curves = new ArrayList<>();
        for (List<Phase> phases : Composition.of(event, neighbours, catalogue).alternatives()) {
            List<DoubleUnaryOperator> parts = new ArrayList<>();
            for (Phase phase : phases) {
                parts.add(curve(phase, neighbours));
            }
            curves.add(order -> {
                double sum = 0;
                for (int i = 0; i < parts.size(); i++) {
                    sum += phases.get(i).times() * parts.get(i).applyAsDouble(order);
                }
                return sum * (1 + Math.ulp(1.0) * (2 + parts.size()));
            });
        }
        return curves;
    }

    /** The divergence of one release of a phase as a function of the order. */
    public static DoubleUnaryOperator curve(Phase phase, Neighbours neighbours) throws UnsupportedEventException {
        MechanismCurves curves = phase.curves();
        if (curves.renyiDivergence(2, neighbours).isEmpty()) {
            throw new UnsupportedEventException(
                    phase.event(),
                    "no Rényi divergence is known for a release of type "
                            + curves.profile().mechanism());
        }
        DoubleUnaryOperator whole = order -> valueOf(curves.renyiDivergence(order, neighbours));
        if (phase.sampling() instanceof Sampling.Poisson poisson && poisson.rate() < 1) {
            double rate = poisson.rate();
            if (curves.sampledRenyiDivergence(2, rate, neighbours).isPresent()) {
                return order -> Math.min(
                        whole.applyAsDouble(order),
                        valueOf(curves.sampledRenyiDivergence(Math.max(LOWEST_SAMPLED_ORDER, order), rate, neighbours))
                                * (1 + 1e-14));
            }
            return neighbours == Neighbours.ADD_REMOVE
                    ? new Interpolated(whole, order -> poisson(order, rate, whole))
                    : whole;
        }
        if (phase.sampling() instanceof Sampling.FixedSize fixed && fixed.batch() < fixed.population()) {
            if (neighbours == Neighbours.ADD_REMOVE) {
                throw new UnsupportedEventException(
                        phase.event(), "the population size is public under fixed-size sampling; ask with replace-one");
            }
            double rate = Math.nextUp(Math.nextUp(fixed.rate()));
            double largest = curves.pureEpsilon(neighbours).orElse(Double.POSITIVE_INFINITY);
            return new Interpolated(whole, order -> fixedSize(order, rate, whole, largest));
        }
        return whole;
    }

    private static double valueOf(OptionalDouble divergence) {
        double value = divergence.orElse(Double.POSITIVE_INFINITY);
        return Double.isNaN(value) ? Double.POSITIVE_INFINITY : value;
    }

    /** Log-moments known at integer orders, interpolated and capped by the curve without sampling. */
    private static final class Interpolated implements DoubleUnaryOperator {
        private final DoubleUnaryOperator whole;
        private final IntToDoubleFunction logMoment;
        private final Map<Integer, Double> known = new HashMap<>();

        Interpolated(DoubleUnaryOperator whole, IntToDoubleFunction logMoment) {
            this.whole = whole;
            this.logMoment = logMoment;
        }

        @Override
        public double applyAsDouble(double order) {
            double unsampled = whole.applyAsDouble(order);
            if (order > LARGEST_INTEGER_ORDER) {
                return unsampled;
            }
            int below = (int) Math.floor(order);
            double share = order - below;
            double lower = at(below);
            double logMomentBound = share == 0 ? lower : (1 - share) * lower + share * at(below + 1);
            return Math.min(unsampled, logMomentBound / (order - 1) * (1 + 1e-13));
        }

        private double at(int order) {
            return order == 1
                    ? 0
                    : known.computeIfAbsent(
                            order, o -> Math.min(logMoment.applyAsDouble(o), (o - 1) * whole.applyAsDouble(o)));
        }
    }

    private static double poisson(int order, double rate, DoubleUnaryOperator whole) {
        double logRate = Math.log(rate);
        double logRest = Math.log1p(-rate);
        double logBinomial = Math.log(order);
        double[] logTerms = new double[order - 1];
        for (int l = 2; l <= order; l++) {
            logBinomial += Math.log((double) (order - l + 1) / l);
            double exponent = (l - 1) * whole.applyAsDouble(l) + (l == 2 ? 0 : Math.log(3));
            logTerms[l - 2] = logBinomial + (order - l) * logRest + l * logRate + logExpMinusOne(exponent);
        }
        return logOnePlusSum(logTerms);
    }

    private static double fixedSize(int order, double rate, DoubleUnaryOperator whole, double largest) {
        double logRate = Math.log(rate);
        double logBinomial = Math.log(order);
        double logRatio = logExpMinusOne(largest);
        double[] logTerms = new double[order - 1];
        for (int l = 2; l <= order; l++) {
            logBinomial += Math.log((double) (order - l + 1) / l);
            double divergence = whole.applyAsDouble(l);
            double logFactor = (l - 1) * divergence + Math.min(Math.log(2), l * logRatio);
            if (l == 2) {
                logFactor = Math.min(logFactor, Math.log(4) + logExpMinusOne(divergence));
            }
            logTerms[l - 2] = l * logRate + logBinomial + logFactor;
        }
        return logOnePlusSum(logTerms);
    }

    /** log(e^x − 1). */
    private static double logExpMinusOne(double x) {
        return x > 40 ? x : Math.log(Math.expm1(x));
    }

    /** log(1 + Σ e^term), relatively accurate also when the sum is tiny. */
    private static double logOnePlusSum(double[] logTerms) {
        double largest = Double.NEGATIVE_INFINITY;
        for (double term : logTerms) {
            largest = Math.max(largest, term);
        }
        if (Double.isInfinite(largest)) {
            return largest > 0 ? largest : 0;
        }
        double sum = 0;
        for (double term : logTerms) {
            sum += Math.exp(term - largest);
        }
        double logSum = largest + Math.log(sum);
        double bound = logSum > 40 ? logSum + Math.exp(-logSum) : Math.log1p(Math.exp(logSum));
        return bound * (1 + 1e-13 * (1 + Math.abs(largest)));
    }
}
