package dev.tacit.accounting.exact.contour;

import dev.tacit.accounting.ErrorBudget;
import dev.tacit.accounting.compose.CertifiedInterval;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * Delta as a contour integral through the saddle point, with a bound on every error.
 *
 * <pre>
 *   δ(ε) = 1/(2πi) ∫ M(z) e^{−zε} / (z(z+1)) dz   along Re z = θ &gt; 0,      M = Π_j M_j^{T_j}
 *   trapezoid rule of step h, B = 2π/h:   sum = Σ_j e^{θjB} δ(ε + jB) ≥ δ(ε)
 * </pre>
 *
 * The integral is Alghamdi et al. 2023, Proposition 2 (the saddle-point accountant, which approximates it). Here it is evaluated: the aliases j ≠ 0 are
 * bounded by Chernoff bounds δ(x) ≤ M(τ) e^{−τx} τ^τ/(1+τ)^{1+τ} at orders on either side of θ; the frequencies left out by
 * {@link LevelSetDecay}; the inner quadrature and rounding by the moment curves; the mass left out of the moments is added. All errors are relative
 * to delta, so 1e-300 costs the same as 1e-5.
 */
public final class ContourEngine {
    static final String SOURCE = "contour integral at the saddle point";

    public static final double TAIL_SHARE = 1e-14;
    private static final double GOOD_ENOUGH = 4e-10;
    private static final double UNIT = 0x1p-53;
    private static final double LEAST_WORK_PER_NODE = 60;
    private static final double LARGEST_RELATIVE_ERROR = 3;
    private static final int MANY_CURVES = 64;
    /** Orders this close in logarithm are interpolated rather than computed, where computing is dear. */
    private static final double NARROW_BRACKET = 0.3;

    private static final double[] LINE_FACTORS = {1, 0.75, 0.55, 0.4, 0.3, 0.2, 0.12, 0.06};

    private final DoubleFunction<List<MomentCurve>> curvesForTail;
    private final double releases;
    private final double mostWork;
    private final double[] lineFactors;
    /** By order, all of one law. */
    private final NavigableMap<Double, double[]> knownCumulants = new TreeMap<>();

    private int knownLaw;
    private List<MomentCurve> curves;
    private double logTailMass = Double.NaN;
    private double latestLogTheta = Double.NaN; // of the latest search, to start the next one

    /**
     * @param curvesForTail builds the moment curves, given the logarithm of the P-mass that one release may leave out
     * @param releases total number of releases
     * @param mostWork number of complex terms beyond which the engine declines
     */
    public ContourEngine(DoubleFunction<List<MomentCurve>> curvesForTail, double releases, double mostWork) {
        this(curvesForTail, releases, mostWork, LINE_FACTORS);
    }

    /** @param lineFactors orders to try, relative to the saddle point, if the integral converges slowly there */
    public ContourEngine(
            DoubleFunction<List<MomentCurve>> curvesForTail, double releases, double mostWork, double... lineFactors) {
        this.curvesForTail = curvesForTail;
        this.releases = releases;
        this.mostWork = mostWork;
        this.lineFactors = lineFactors;
    }

    /** The smallest epsilon at this delta, or empty if the integral converges too slowly here. */
    public Optional<CertifiedInterval> epsilon(double delta) {
        double logDelta = Math.log(delta);
        buildFor(logDelta);
        SaddlePoint saddle = saddleForDelta(logDelta);
        if (saddle != null && !(saddle.epsilon() > 0)) {
            saddle = saddleForEpsilon(0);
        }
        for (int attempt = 0; attempt < 4 && saddle != null; attempt++) {
            Line line = Line.build(this, saddle);
            if (line == null) {
                return Optional.empty();
            }
            if (line.upperDelta(0) <= delta) {
                return Optional.of(new CertifiedInterval(0, 0, line.errors(0), SOURCE));
            }
            double estimate = line.solve(delta, saddle.epsilon());
            ErrorBudget errors = line.errors(estimate);
            double gap = 2 * errors.total() / (line.slope(estimate) * estimate);
            boolean asPlanned = Math.abs(estimate - saddle.epsilon()) * line.theta < 0.1;
            if (gap < GOOD_ENOUGH || asPlanned || attempt == 3) {
                boolean sound = errors.total() >= 0 && errors.total() < 0.1;
                return sound ? line.interval(delta, estimate, errors.total()) : Optional.empty();
            }
            saddle = saddle.at(estimate, logDelta);
        }
        return Optional.empty();
    }

    /** Delta at this epsilon, or empty if the integral converges too slowly here. */
    public Optional<CertifiedInterval> delta(double epsilon) {
        double guess = -60;
        for (int attempt = 0; attempt < 6; attempt++) {
            buildFor(guess);
            SaddlePoint saddle = saddleForEpsilon(epsilon);
            if (saddle == null) {
                return Optional.empty();
            }
            if (saddle.logDelta() < -740) {
                double bound = Math.nextUp(chernoff(saddle, epsilon) + lost());
                return Optional.of(new CertifiedInterval(0, bound, new ErrorBudget(0, 0, 0, 0, 1), "Chernoff bound"));
            }
            if (Math.abs(saddle.logDelta() - 1 - guess) > 3) {
                guess = saddle.logDelta() - 1;
                continue;
            }
            Line line = Line.build(this, saddle);
            if (line != null && !(line.errors(epsilon).total() < GOOD_ENOUGH)) {
                line = Line.build(
                        this, saddle.at(epsilon, Math.log(Math.max(Double.MIN_NORMAL, line.estimate(epsilon)))));
            }
            double error = line == null ? Double.NaN : line.errors(epsilon).total();
            if (!(error >= 0 && error < 0.1)) {
                return Optional.empty();
            }
            double lower = Math.max(0, line.lowerDelta(epsilon));
            return Optional.of(
                    new CertifiedInterval(lower, Math.min(1, line.upperDelta(epsilon)), line.errors(epsilon), SOURCE));
        }
        return Optional.empty();
    }

    /** The saddle point of one epsilon, for curves that do not depend on a tail mass. */
    public SaddlePoint saddleAt(double epsilon) {
        buildFor(0);
        return saddleForEpsilon(epsilon);
    }

    /** The saddle point at which the approximation of log delta is this. */
    public SaddlePoint saddleAtDelta(double logDelta) {
        buildFor(logDelta);
        return saddleForDelta(logDelta);
    }

    /** The integrand near one epsilon, or null if it converges too slowly. */
    public Line lineAt(double epsilon) {
        SaddlePoint saddle = saddleAt(epsilon);
        Line line = saddle == null ? null : Line.build(this, saddle);
        if (line != null
                && line.errors(epsilon).aliasing() + line.errors(epsilon).truncation() > GOOD_ENOUGH) {
            double estimate = Math.max(Double.MIN_NORMAL, line.estimate(epsilon));
            line = Line.build(this, saddle.at(epsilon, Math.log(estimate)));
        }
        return line != null && line.errors(epsilon).total() >= 0 ? line : null;
    }

    /** A bound on delta at this epsilon that needs only the moment at the saddle point. */
    public double chernoff(SaddlePoint saddle, double epsilon) {
        double theta = saddle.theta();
        double[] sums = cumulants(theta);
        return Math.exp(sums[0] + sums[3] - theta * epsilon + logKernel(theta)) * (1 + 1e-9);
    }

    private void buildFor(double logDelta) {
        double wanted = logDelta + Math.log(TAIL_SHARE) - Math.log(Math.max(1, releases));
        if (wanted != logTailMass) {
            logTailMass = wanted;
            curves = curvesForTail.apply(wanted);
            knownCumulants.clear();
        }
    }

    private double lost() {
        double lost = 0;
        for (MomentCurve curve : curves) {
            lost += curve.times() * curve.lostMass();
        }
        return lost * (1 + 1e-12);
    }

    /** The sums of (K, K′, K″, error of K) over all curves at an order; kept, because the search and the plans ask for the same orders. */
    double[] cumulants(double theta) {
        keepOnly(law());
        double[] known = knownCumulants.get(theta);
        if (known != null) {
            return known;
        }
        double[][] each = new double[curves.size()][4];
        forEachCurve(i -> curves.get(i).addCumulants(theta, each[i]));
        double[] sums = new double[4];
        for (double[] one : each) {
            for (int j = 0; j < sums.length; j++) {
                sums[j] += one[j];
            }
        }
        keepOnly(law());
        knownCumulants.put(theta, sums);
        return sums;
    }

    /** The orders whose cumulants are known for the present law, and finite. */
    double[] knownOrders() {
        keepOnly(law());
        return knownCumulants.entrySet().stream()
                .filter(entry -> Double.isFinite(entry.getValue()[0]))
                .mapToDouble(Map.Entry::getKey)
                .toArray();
    }

    /** Forgets what was computed for another law: other engines share the curves and may have chosen it. */
    private void keepOnly(int law) {
        if (law != knownLaw) {
            knownCumulants.clear();
            knownLaw = law;
        }
    }

    /** Chooses one law for all orders up to this one and returns its number; see {@link MomentCurve#lawUpTo}. */
    int lawUpTo(double order) {
        for (MomentCurve curve : curves) {
            curve.lawUpTo(order);
        }
        return law();
    }

    /** The number of the present law. The curves count theirs upwards, so the sum is the same only if all of them are. */
    int law() {
        int law = 0;
        for (MomentCurve curve : curves) {
            law += curve.law();
        }
        return law;
    }

    List<MomentCurve> curves() {
        return curves;
    }

    double[] lineFactors() {
        return lineFactors.clone();
    }

    /** Whether the curves are so many that whatever is computed for each of them must be computed seldom. */
    boolean manyCurves() {
        return areMany(curves.size());
    }

    /** See {@link #manyCurves}. */
    public static boolean areMany(int curves) {
        return curves >= MANY_CURVES;
    }

    /** More frequencies than this would exceed the work allowed, whatever the curves. */
    double mostNodes() {
        return mostWork / LEAST_WORK_PER_NODE;
    }

    /** Runs an action for every curve, on all cores if there are many; results must be kept apart and added up in order. */
    void forEachCurve(IntConsumer action) {
        IntStream indices = IntStream.range(0, curves.size());
        (manyCurves() ? indices.parallel() : indices).forEach(action);
    }

    /** log of the largest value of (1 − e^{−x})e^{−τx} over x ≥ 0: the constant of the Chernoff bound. */
    public static double logKernel(double tau) {
        return -tau * Math.log1p(1 / tau) - Math.log1p(tau);
    }

    /** The order whose saddle-point approximation of log delta is the target; it decreases with the order. */
    private SaddlePoint saddleForDelta(double logDelta) {
        return search(saddle -> saddle.logDelta() - logDelta, true);
    }

    /** The order at which the integrand is stationary for this epsilon. */
    private SaddlePoint saddleForEpsilon(double epsilon) {
        return search(saddle -> epsilon - saddle.epsilon(), false);
    }

    /** About K″ at small orders. */
    private double variance() {
        double sum = 0;
        for (MomentCurve curve : curves) {
            sum += curve.roughVariance();
        }
        return manyCurves() && Double.isFinite(sum) ? sum : cumulants(1)[2];
    }

    private interface Miss {
        double of(SaddlePoint saddle);
    }

    /** Finds the zero of a decreasing function of the order, by Newton steps kept inside a shrinking bracket of log order. */
    private SaddlePoint search(Miss miss, boolean logScale) {
        double low = -60;
        double high = 60;
        double logTheta = latestLogTheta;
        if (Double.isNaN(logTheta)) {
            double guess = -0.5 * Math.log(variance() + 1e-300) + (logScale ? 1 : 0);
            logTheta = Math.max(-30, Math.min(30, guess));
        }
        double closeEnough = manyCurves() ? 0.7 : 0.02;
        SaddlePoint best = null;
        SaddlePoint below = null;
        SaddlePoint above = null;
        for (int i = 0; i < 200; i++) {
            double theta = Math.exp(logTheta);
            lawUpTo(ContourPlan.highestFactor(this) * theta);
            double[] sums = cumulants(theta);
            SaddlePoint saddle = SaddlePoint.of(theta, sums);
            double value = miss.of(saddle);
            if (Double.isNaN(value)) {
                high = logTheta;
                logTheta = 0.5 * (low + high);
                continue;
            }
            best = saddle;
            latestLogTheta = logTheta;
            if (value > 0) {
                low = logTheta;
                below = saddle;
            } else {
                high = logTheta;
                above = saddle;
            }
            if (logScale && manyCurves() && high - low < NARROW_BRACKET && below != null && above != null) {
                return SaddlePoint.between(below, above, saddle.logDelta() - value);
            }
            double curvature = SaddlePoint.curvature(theta, sums);
            double scale = logScale ? 1 : theta;
            if (Math.abs(value) * scale < closeEnough || high - low < 1e-9) {
                return best;
            }
            double step =
                    (logScale ? logScaleMiss(value, saddle.logDelta()) : value * scale) / (curvature * theta * theta);
            double next = logTheta + Math.max(-2, Math.min(2, step));
            logTheta = next > low && next < high ? next : 0.5 * (low + high);
        }
        return best;
    }

    /** A Newton step for log(−log δ), which is nearly linear in log θ: of log δ ≈ −c θ² it finds the root at once. */
    private static double logScaleMiss(double miss, double logDelta) {
        double target = logDelta - miss;
        return logDelta < -1 && target < -1 ? -logDelta * Math.log(target / logDelta) : miss;
    }

    /** The values of the integrand on one vertical line. */
    public static final class Line {
        private final ContourEngine engine;
        private final double theta;
        private final double step;
        private final int count;
        private final double logMoment;
        private final double momentError;
        private final double lost;
        private final double period;
        private final double[] frequencies;
        private final double[] modulus;
        private final double[] argument;
        private final AliasBound aliases;
        private final double truncation;
        private double roundingSum;
        private double quadratureSum;

        private Line(ContourEngine engine, ContourPlan plan) {
            this.engine = engine;
            this.theta = plan.theta();
            this.period = plan.period();
            this.step = 2 * Math.PI / period;
            this.count = (int) plan.nodes();
            this.logMoment = plan.logMoment();
            this.momentError = plan.momentError();
            this.lost = engine.lost();
            this.aliases = plan.aliases();
            this.truncation = truncation(plan.decays(), count * step);
            this.frequencies = new double[count];
            this.modulus = new double[count];
            this.argument = new double[count];
        }

        /** Evaluates the integrand on the best line: at the saddle point, or left of it where rare large losses make that one slow. */
        static Line build(ContourEngine engine, SaddlePoint saddle) {
            ContourPlan best = ContourPlan.best(engine, saddle);
            if (best == null || best.work() > engine.mostWork || !(best.nodes() < engine.mostNodes())) {
                return null;
            }
            Line line = new Line(engine, best);
            line.fill(best.decays());
            return best.law() == engine.law() ? line : null;
        }

        /** (1/π) ∫_t^∞ |φ(x)| / x² dx, by octaves; the kernel 1/|z(z+1)| is below 1/x². */
        static double truncation(List<MomentCurve.DecayBound> decays, double t) {
            double sum = 0;
            double from = t;
            double logAbsolute = 0;
            for (int octave = 0; octave < 12; octave++) {
                logAbsolute = 0;
                for (MomentCurve.DecayBound decay : decays) {
                    logAbsolute += decay.logAbsolute(from);
                }
                double term = Math.exp(logAbsolute) / (2 * from);
                sum += term;
                if (term < 1e-3 * sum * 1e-3) {
                    break;
                }
                from *= 2;
            }
            return (sum + Math.exp(logAbsolute) / from) / Math.PI;
        }

        private void fill(List<MomentCurve.DecayBound> decays) {
            int curves = engine.curves.size();
            double[][][] each = new double[curves][4][];
            engine.forEachCurve(i -> {
                double[][] own = {new double[count], new double[count], new double[count], new double[count]};
                engine.curves.get(i).addLogCharacteristic(theta, step, count, own[0], own[1], own[2], own[3]);
                each[i] = own;
            });
            double[] real = sum(each, 0);
            double[] imaginary = sum(each, 1);
            double[] rounding = sum(each, 2);
            double[] quadrature = sum(each, 3);
            for (int k = 0; k < count; k++) {
                double t = (k + 1) * step;
                frequencies[k] = t;
                double kernel = 1 / (Math.hypot(theta, t) * Math.hypot(theta + 1, t));
                double size = Math.exp(real[k]);
                modulus[k] = size * kernel;
                argument[k] = imaginary[k] - Math.atan2(t, theta) - Math.atan2(t, theta + 1);
                double relative = rounding[k] + quadrature[k];
                double turns = UNIT * (8 + Math.abs(imaginary[k]) + Math.abs(real[k]));
                if (relative < 0.1) {
                    roundingSum += modulus[k] * (1.06 * rounding[k] + turns);
                    quadratureSum += modulus[k] * 1.06 * quadrature[k];
                } else if (relative < LARGEST_RELATIVE_ERROR) {
                    roundingSum += modulus[k] * (Math.expm1(relative) + turns);
                } else {
                    double logBound = 0;
                    for (MomentCurve.DecayBound decay : decays) {
                        logBound += decay.logAbsolute(t);
                    }
                    roundingSum += modulus[k] + Math.exp(logBound) * kernel;
                }
            }
        }

        private static double[] sum(double[][][] each, int part) {
            double[] sum = each[0][part];
            for (int i = 1; i < each.length; i++) {
                for (int k = 0; k < sum.length; k++) {
                    sum[k] += each[i][part][k];
                }
            }
            return sum;
        }

        /** The normalised integral: delta without the factor M(θ)e^{−θε}. */
        private double integral(double epsilon) {
            double sum = 0.5 / (theta * (theta + 1));
            for (int k = 0; k < count; k++) {
                sum += modulus[k] * Math.cos(argument[k] - frequencies[k] * epsilon);
            }
            return sum * step / Math.PI;
        }

        private double factor(double epsilon) {
            return Math.exp(logMoment - theta * epsilon);
        }

        public double estimate(double epsilon) {
            return factor(epsilon) * integral(epsilon);
        }

        /** −d log δ / dε by differences of the normalised integral. */
        double slope(double epsilon) {
            double change = 1e-4 / Math.max(theta, step * count * 0.1);
            double ratio = integral(epsilon + change) / integral(epsilon - change);
            double slope = theta - Math.log(Math.max(ratio, 1e-3)) / (2 * change);
            return slope > 0.01 * theta ? slope : theta;
        }

        /** The root of estimate(ε) = δ in ε ≥ 0, by Newton steps kept inside a bracket. */
        double solve(double delta, double start) {
            double low = 0;
            double high = Math.max(0, (aliases.logChernoff() - Math.log(delta)) / theta) + 1e-300;
            double epsilon = start > low && start < high ? start : 0.5 * (low + high);
            for (int i = 0; i < 200; i++) {
                double integral = integral(epsilon);
                double miss = integral > 0
                        ? logMoment - theta * epsilon + Math.log(integral) - Math.log(delta)
                        : Double.NEGATIVE_INFINITY;
                if (miss > 0) {
                    low = epsilon;
                } else {
                    high = epsilon;
                }
                double move = miss / slope(epsilon);
                if (Math.abs(miss) < 1e-15
                        || Math.abs(move) <= 2 * Math.ulp(epsilon)
                        || high - low <= 2 * Math.ulp(high)) {
                    break;
                }
                epsilon += move;
                if (!(epsilon > low && epsilon < high)) {
                    epsilon = 0.5 * (low + high);
                }
            }
            return epsilon;
        }

        /** Certified ends around the root. */
        Optional<CertifiedInterval> interval(double delta, double estimate, double error) {
            double margin = 1.1 * error / slope(estimate) + 4 * Math.ulp(estimate);
            return enclose(this::upperDelta, this::lowerDelta, delta, estimate, margin)
                    .map(ends -> new CertifiedInterval(ends.lower(), ends.upper(), errors(ends.upper()), SOURCE));
        }

        public ErrorBudget errors(double epsilon) {
            double integral = integral(epsilon);
            double logDelta = logMoment - theta * epsilon + Math.log(Math.max(integral, Double.MIN_NORMAL));
            double scale = step / Math.PI / integral;
            double sum = 0;
            for (int k = 0; k < count; k++) {
                sum += modulus[k] * (count + 4 * frequencies[k] * Math.abs(epsilon));
            }
            double exponent = Math.abs(logMoment) + 2 * theta * Math.abs(epsilon) + 20;
            return new ErrorBudget(
                    aliases.relativeTo(logDelta, epsilon, period),
                    truncation / integral,
                    scale * quadratureSum,
                    scale * (roundingSum + UNIT * sum) + momentError + UNIT * exponent,
                    lost * Math.exp(-logDelta));
        }

        public double upperDelta(double epsilon) {
            ErrorBudget errors = errors(epsilon);
            double estimate = estimate(epsilon);
            return estimate * (1 + errors.truncation() + errors.quadrature() + errors.rounding()) + lost;
        }

        public double lowerDelta(double epsilon) {
            ErrorBudget errors = errors(epsilon);
            return estimate(epsilon)
                    * (1 - errors.aliasing() - errors.truncation() - errors.quadrature() - errors.rounding());
        }
    }

    public record Ends(double lower, double upper) {}

    /** Epsilons on both sides of an estimate at which bounds of delta are surely on the right side of a target. */
    public static Optional<Ends> enclose(
            DoubleUnaryOperator upperDelta,
            DoubleUnaryOperator lowerDelta,
            double delta,
            double estimate,
            double margin) {
        double upper = estimate + margin;
        for (int i = 1; i < 60 && upperDelta.applyAsDouble(upper) > delta; i++) {
            upper = estimate + margin * Math.pow(2, i);
        }
        double lower = estimate - margin;
        for (int i = 1; i < 60 && lower > 0 && lowerDelta.applyAsDouble(lower) < delta; i++) {
            lower = estimate - margin * Math.pow(2, i);
        }
        return upperDelta.applyAsDouble(upper) <= delta
                ? Optional.of(new Ends(Math.max(0, lower), upper))
                : Optional.empty();
    }
}
