package dev.tacit.accounting.exact.jumps;

import dev.tacit.accounting.ErrorBudget;
import dev.tacit.accounting.compose.CertifiedInterval;
import dev.tacit.accounting.exact.contour.ContourEngine;
import dev.tacit.accounting.exact.contour.ContourEngine.Ends;
import dev.tacit.accounting.exact.contour.ContourEngine.Line;
import dev.tacit.accounting.exact.contour.MomentCurve;
import dev.tacit.accounting.exact.contour.PoissonGaussianMoments;
import dev.tacit.accounting.exact.contour.PoissonGaussianMoments.Direction;
import dev.tacit.accounting.exact.contour.SaddlePoint;
import dev.tacit.accounting.numerics.MixtureRatio;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;

/**
 * The contour integral for rates so small that single rare releases decide delta.
 *
 * <pre>
 *   Π_j M_j^{T_j} = Σ_k [x^k] Π_j (A_j + x·B_j)^{T_j},   M_j = A_j + B_j,   k = number of large losses
 * </pre>
 *
 * There one exponential tilt cannot serve both the many small losses and the few large ones: on every line the integral is far smaller than its
 * integrand, or the integrand does not decay because under the tilt there may be no large loss at all. Splitting the law of one release between the
 * small and the large losses that the tilt favours gives a sum of positive terms ({@link JumpCount}): none, one, two, and more large losses are
 * integrated each on their own line. Terms beyond the last are bounded at the order of the last line, and outcomes beyond the far cut are added as mass.
 */
public final class JumpExpansion {
    static final String SOURCE = "contour integrals by number of large losses";

    /**
     * A Poisson-sampled Gaussian phase.
     *
     * @param times number of releases
     */
    public record Sampled(double noiseMultiplier, double rate, double times) {
        double shift() {
            return 1 / noiseMultiplier;
        }
    }

    private static final double JUMPS_PER_RUN = 0.002;
    private static final int ALONE = 3;
    private static final double MOST_EXPECTED_JUMPS = 60;
    private static final double NEGLIGIBLE = 40;
    private static final double NARROW = 1e-9;
    private static final int MOST_GUESSES = 10;
    /** With so many releases and deltas not below this, splitting at a rare outcome costs less and keeps more digits. */
    private static final double MANY_RELEASES = 1000;

    private static final double SMALL_DELTA = 1e-15;
    private static final int VALLEY_POINTS = 400;
    private static final double LEAST_DEPTH = 2;

    private final Direction direction;
    private final List<Sampled> phases;
    private final List<MomentCurve> others;
    private final double releases;
    private final double mostWork;

    public JumpExpansion(Direction direction, List<Sampled> phases, List<MomentCurve> others, double mostWork) {
        this.direction = direction;
        this.phases = List.copyOf(phases);
        this.others = List.copyOf(others);
        this.releases = phases.stream().mapToDouble(Sampled::times).sum();
        this.mostWork = mostWork;
    }

    /** The integrals for 0, 1, 2 and more large losses, the mass beyond the far cuts, and a bound of the terms beyond the last. */
    private final class Terms {
        private final List<ContourEngine> engines = new ArrayList<>();
        private final double lostMass;
        private final JumpCount last;
        private final List<MomentCurve> whole;

        /** @param whole curves of what is not split */
        Terms(List<JumpCount.Split> splits, List<MomentCurve> whole, int most, double lostMass) {
            this.whole = whole;
            this.lostMass = lostMass;
            for (int k = 0; k < ALONE && k < most; k++) {
                engines.add(engine(new JumpCount(splits, k, k)));
            }
            this.last = new JumpCount(splits, engines.size(), most);
            engines.add(engine(last));
        }

        private ContourEngine engine(JumpCount jumps) {
            return new ContourEngine(
                    ignored -> {
                        List<MomentCurve> curves = new ArrayList<>(whole);
                        curves.add(jumps);
                        return curves;
                    },
                    releases,
                    mostWork,
                    0.7);
        }

        /** The saddle-point approximation of log delta, and of its slope. */
        double[] logDelta(double epsilon) {
            double sum = 0;
            double slope = 0;
            for (ContourEngine engine : engines) {
                SaddlePoint saddle = engine.saddleAt(epsilon);
                if (saddle != null && !Double.isNaN(saddle.logDelta())) {
                    double term = Math.exp(saddle.logDelta());
                    sum += term;
                    slope -= term * saddle.theta();
                }
            }
            return new double[] {Math.log(sum), slope / sum};
        }

        /** A bound on delta of the terms beyond the last at this epsilon, from the order of the last line. */
        DoubleUnaryOperator beyond(SaddlePoint saddle) {
            if (last.covers(releases)) {
                return epsilon -> 0;
            }
            double theta = saddle.theta();
            double[] sums = new double[4];
            for (MomentCurve curve : whole) {
                curve.addCumulants(theta, sums);
            }
            double logMoment = sums[0] + sums[3] + last.logBeyond(theta) + ContourEngine.logKernel(theta);
            return epsilon -> Math.exp(logMoment - theta * epsilon) * (1 + 1e-9);
        }
    }

    /** The terms for a split that suits this order, or null if no phase has large losses apart from its small ones. */
    private Terms terms(double logDelta, double theta, boolean valleys) {
        double logTail = logDelta + Math.log(ContourEngine.TAIL_SHARE) - Math.log(releases);
        List<JumpCount.Split> splits = new ArrayList<>();
        List<MomentCurve> whole = new ArrayList<>(others);
        double lost = 0;
        for (Sampled phase : phases) {
            double noise = phase.noiseMultiplier();
            double rate = phase.rate();
            double shift = phase.shift();
            double far = PoissonGaussianMoments.cut(direction, shift, rate, logTail);
            double near = valleys
                    ? valley(phase, theta, far)
                    : PoissonGaussianMoments.cut(
                            direction, shift, rate, Math.log(Math.min(0.5, JUMPS_PER_RUN / phase.times())));
            lost += phase.times()
                    * PoissonGaussianMoments.massBeyond(
                            direction, shift, rate, far, PoissonGaussianMoments.SPLIT_WIDTH);
            if (near + 1 < far) {
                splits.add(new JumpCount.Split(
                        PoissonGaussianMoments.below(direction, noise, rate, phase.times(), near),
                        PoissonGaussianMoments.between(direction, noise, rate, 1, near, far)));
            } else {
                whole.add(PoissonGaussianMoments.below(direction, noise, rate, phase.times(), far));
            }
        }
        if (splits.isEmpty()) {
            return null;
        }
        double expected = new JumpCount(splits, 0, 1).expectedJumps(theta);
        if (!(expected < MOST_EXPECTED_JUMPS)) {
            return null;
        }
        double most = Math.min(releases, Math.ceil(expected + 14 + 8 * Math.sqrt(expected)));
        return new Terms(splits, whole, (int) most, lost * (1 + 1e-9));
    }

    /** Where the tilted law of one release is thinnest between its small losses and its large ones; +∞ if it has one mode only. */
    private double valley(Sampled phase, double theta, double far) {
        double highest = Double.NEGATIVE_INFINITY;
        double lowest = Double.POSITIVE_INFINITY;
        double at = Double.POSITIVE_INFINITY;
        double found = Double.POSITIVE_INFINITY;
        for (int i = 0; i <= VALLEY_POINTS; i++) {
            double u = far * i / VALLEY_POINTS;
            double value = -0.5 * u * u + (theta + 1) * MixtureRatio.log(phase.shift(), phase.rate(), u);
            if (direction == Direction.REPLACE) {
                value -= theta * MixtureRatio.log(phase.shift(), phase.rate(), -u);
            }
            if (value > highest && Double.isInfinite(found)) {
                highest = value;
                lowest = value;
                at = u;
            } else if (value < lowest) {
                lowest = value;
                at = u;
            }
            if (highest - lowest > LEAST_DEPTH && value - lowest > LEAST_DEPTH) {
                found = at;
            }
        }
        return found;
    }

    /** The integrals evaluated near one epsilon. */
    private static final class Lines {
        private final List<Line> lines = new ArrayList<>();
        /** Terms known only through their Chernoff bound: negligible ones, and those whose integral converges too slowly. */
        private final List<DoubleUnaryOperator> bounded = new ArrayList<>();

        private final double lostMass;

        Lines(double lostMass) {
            this.lostMass = lostMass;
        }

        double estimate(double epsilon) {
            return lines.stream().mapToDouble(line -> line.estimate(epsilon)).sum();
        }

        double upperDelta(double epsilon) {
            double integrated =
                    lines.stream().mapToDouble(line -> line.upperDelta(epsilon)).sum();
            return (integrated + bounds(epsilon) + lostMass) * (1 + 1e-15);
        }

        private double bounds(double epsilon) {
            return bounded.stream()
                    .mapToDouble(bound -> bound.applyAsDouble(epsilon))
                    .sum();
        }

        double lowerDelta(double epsilon) {
            return lines.stream()
                            .mapToDouble(line -> Math.max(0, line.lowerDelta(epsilon)))
                            .sum()
                    * (1 - 1e-15);
        }

        ErrorBudget errors(double epsilon) {
            double delta = estimate(epsilon);
            double[] sums = new double[4];
            for (Line line : lines) {
                ErrorBudget errors = line.errors(epsilon);
                double share = line.estimate(epsilon) / delta;
                sums[0] += share * errors.aliasing();
                sums[1] += share * errors.truncation();
                sums[2] += share * errors.quadrature();
                sums[3] += share * errors.rounding();
            }
            return new ErrorBudget(sums[0], sums[1], sums[2], sums[3], (lostMass + bounds(epsilon)) / delta);
        }

        double slope(double epsilon) {
            double change = 1e-6 * Math.max(epsilon, 1e-3);
            return (Math.log(estimate(epsilon - change)) - Math.log(estimate(epsilon + change))) / (2 * change);
        }
    }

    private Lines lines(Terms terms, double epsilon, double logDelta) {
        Lines result = new Lines(terms.lostMass);
        SaddlePoint last = null;
        for (ContourEngine engine : terms.engines) {
            SaddlePoint saddle = engine.saddleAt(epsilon);
            if (saddle == null) {
                return null;
            }
            Line line = saddle.logDelta() < logDelta - NEGLIGIBLE ? null : engine.lineAt(epsilon);
            if (line == null) {
                result.bounded.add(shifted -> engine.chernoff(saddle, shifted));
            } else {
                result.lines.add(line);
            }
            last = saddle;
        }
        result.bounded.add(terms.beyond(last));
        return result.lines.isEmpty() ? null : result;
    }

    private ContourEngine unsplit() {
        return new ContourEngine(
                tail -> {
                    List<MomentCurve> curves = new ArrayList<>(others);
                    for (Sampled phase : phases) {
                        curves.add(PoissonGaussianMoments.of(
                                direction,
                                phase.noiseMultiplier(),
                                phase.rate(),
                                phase.times(),
                                tail,
                                PoissonGaussianMoments.SPLIT_WIDTH));
                    }
                    return curves;
                },
                releases,
                mostWork);
    }

    private interface Attempt {
        Optional<CertifiedInterval> with(boolean valleys);
    }

    /** The better of both splits of a single phase; the second is only tried if the first leaves something to gain. */
    private Optional<CertifiedInterval> best(Attempt attempt, boolean valleysFirst) {
        Optional<CertifiedInterval> first = attempt.with(valleysFirst);
        if ((first.isPresent() && first.get().relativeGap() <= NARROW) || phases.size() > 1) {
            return first;
        }
        Optional<CertifiedInterval> second = attempt.with(!valleysFirst);
        if (first.isEmpty() || second.isEmpty()) {
            return first.isEmpty() ? second : first;
        }
        return Optional.of(first.get().and(second.get()));
    }

    /** The smallest epsilon at this delta, or empty if this is not the regime for it. */
    public Optional<CertifiedInterval> epsilon(double delta) {
        double logDelta = Math.log(delta);
        SaddlePoint saddle = unsplit().saddleAtDelta(logDelta);
        return saddle == null
                ? Optional.empty()
                : best(
                        valleys -> epsilon(
                                delta, terms(logDelta, saddle.theta(), valleys), Math.max(1e-9, saddle.epsilon())),
                        phases.size() > 1 || releases < MANY_RELEASES || delta < SMALL_DELTA);
    }

    private Optional<CertifiedInterval> epsilon(double delta, Terms terms, double guess) {
        double logDelta = Math.log(delta);
        if (terms == null) {
            return Optional.empty();
        }
        double epsilon = guess;
        for (int i = 0; i < MOST_GUESSES; i++) {
            double[] logDeltaAndSlope = terms.logDelta(epsilon);
            double move = (logDelta - logDeltaAndSlope[0]) / logDeltaAndSlope[1];
            if (Double.isNaN(move)) {
                return Optional.empty();
            }
            epsilon = Math.max(0.25 * epsilon, Math.min(4 * epsilon, epsilon + move));
            if (Math.abs(move) < 1e-4 * epsilon) {
                break;
            }
        }
        for (int attempt = 0; attempt < 2; attempt++) {
            Lines lines = lines(terms, epsilon, logDelta);
            if (lines == null) {
                return Optional.empty();
            }
            double planned = epsilon;
            for (int i = 0; i < 50; i++) {
                double move = (Math.log(lines.estimate(epsilon)) - logDelta) / lines.slope(epsilon);
                if (!Double.isFinite(move)) {
                    return Optional.empty();
                }
                epsilon = Math.max(0.5 * epsilon, Math.min(2 * epsilon, epsilon + move));
                if (Math.abs(move) <= 4 * Math.ulp(epsilon)) {
                    break;
                }
            }
            ErrorBudget errors = lines.errors(epsilon);
            double margin = 1.1 * errors.total() / lines.slope(epsilon) + 4 * Math.ulp(epsilon);
            if (margin < 1e-10 * epsilon || attempt == 1 || Math.abs(planned - epsilon) < 1e-4 * epsilon) {
                Optional<Ends> ends =
                        ContourEngine.enclose(lines::upperDelta, lines::lowerDelta, delta, epsilon, margin);
                return ends.map(found -> new CertifiedInterval(found.lower(), found.upper(), errors, SOURCE));
            }
        }
        return Optional.empty();
    }

    /** Delta at this epsilon, or empty if this is not the regime for it. */
    public Optional<CertifiedInterval> delta(double epsilon) {
        return best(valleys -> delta(epsilon, valleys), true);
    }

    private Optional<CertifiedInterval> delta(double epsilon, boolean valleys) {
        double guess = -50;
        for (int attempt = 0; attempt < 6; attempt++) {
            SaddlePoint saddle = unsplit().saddleAtDelta(guess);
            Terms terms = saddle == null ? null : terms(guess, saddle.theta(), valleys);
            if (terms == null) {
                return Optional.empty();
            }
            double logDelta = terms.logDelta(epsilon)[0];
            if (!(logDelta > -700)) {
                return Optional.empty();
            }
            if (Math.abs(logDelta - 1 - guess) > 3) {
                guess = logDelta - 1;
                continue;
            }
            Lines lines = lines(terms, epsilon, logDelta);
            return lines == null
                    ? Optional.empty()
                    : Optional.of(new CertifiedInterval(
                            lines.lowerDelta(epsilon), lines.upperDelta(epsilon), lines.errors(epsilon), SOURCE));
        }
        return Optional.empty();
    }
}
