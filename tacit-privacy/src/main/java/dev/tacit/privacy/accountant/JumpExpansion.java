package dev.tacit.privacy.accountant;

import dev.tacit.privacy.accountant.ContourEngine.Ends;
import dev.tacit.privacy.accountant.ContourEngine.Line;
import dev.tacit.privacy.accountant.PoissonGaussianMoments.Direction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;

/**
 * The contour integral for rates so small that single rare releases decide delta.
 *
 * <pre>
 *   M^T = Σ_k C(T, k) M_bulk^{T−k} M_jump^k,   M = M_bulk + M_jump
 * </pre>
 *
 * There one exponential tilt cannot serve both the many small losses and the few large ones: on every line the integral is far smaller than its
 * integrand. Splitting the law of one release at a point that about one run in five hundred exceeds gives a sum of positive terms, one for each number of
 * large losses, and each is integrated on its own line. Terms beyond the last, and outcomes beyond the far cut, are added as mass.
 */
final class JumpExpansion {
    static final String SOURCE = "contour integrals by number of large losses";

    private static final double JUMPS_PER_RUN = 0.002;
    private static final int MOST_JUMPS = 14;
    private static final double NEGLIGIBLE = 40;
    private static final int FIRST_TERMS = 3;

    private final Direction direction;
    private final double noiseMultiplier;
    private final double rate;
    private final double times;
    private final List<MomentCurve> others;
    private final double mostWork;

    JumpExpansion(
            Direction direction,
            double noiseMultiplier,
            double rate,
            double times,
            List<MomentCurve> others,
            double mostWork) {
        this.direction = direction;
        this.noiseMultiplier = noiseMultiplier;
        this.rate = rate;
        this.times = times;
        this.others = List.copyOf(others);
        this.mostWork = mostWork;
    }

    /** The integrals for 0, 1, 2, ... large losses, and the mass beyond them. */
    private record Terms(List<ContourEngine> engines, double lostMass) {
        /** The saddle-point approximation of log delta, from the terms with the fewest large losses. */
        double logDelta(double epsilon) {
            double sum = 0;
            for (ContourEngine engine : engines.subList(0, Math.min(FIRST_TERMS, engines.size()))) {
                SaddlePoint saddle = engine.saddleAt(epsilon);
                sum += saddle == null ? 0 : Math.exp(saddle.logDelta());
            }
            return Math.log(sum);
        }
    }

    private Terms terms(double logDelta) {
        double shift = 1 / noiseMultiplier;
        double logTail = logDelta + Math.log(ContourEngine.TAIL_SHARE) - Math.log(times);
        double far = PoissonGaussianMoments.cut(direction, shift, rate, logTail);
        double near = PoissonGaussianMoments.cut(direction, shift, rate, Math.log(JUMPS_PER_RUN / times));
        if (!(near + 1 < far)) {
            return null;
        }
        double jumps = times
                * PoissonGaussianMoments.massBeyond(direction, shift, rate, near, PoissonGaussianMoments.SPLIT_WIDTH);
        List<ContourEngine> engines = new ArrayList<>();
        double logBinomial = 0;
        double logMass = 0;
        for (int k = 0; k <= Math.min(MOST_JUMPS, times); k++) {
            if (logMass < logDelta + Math.log(ContourEngine.TAIL_SHARE)) {
                break;
            }
            engines.add(engine(k, near, far, logBinomial));
            logBinomial += Math.log((times - k) / (k + 1));
            logMass += Math.log(jumps / (k + 1));
        }
        if (logMass >= logDelta + Math.log(ContourEngine.TAIL_SHARE)) {
            return null;
        }
        double lost = times
                        * PoissonGaussianMoments.massBeyond(
                                direction, shift, rate, far, PoissonGaussianMoments.SPLIT_WIDTH)
                + 1.1 * Math.exp(logMass);
        return new Terms(engines, lost * (1 + 1e-9));
    }

    private ContourEngine engine(int jumps, double near, double far, double logBinomial) {
        return new ContourEngine(
                ignored -> {
                    List<MomentCurve> curves = new ArrayList<>(others);
                    if (times > jumps) {
                        curves.add(PoissonGaussianMoments.below(direction, noiseMultiplier, rate, times - jumps, near));
                    }
                    if (jumps > 0) {
                        curves.add(PoissonGaussianMoments.between(direction, noiseMultiplier, rate, jumps, near, far));
                        curves.add(new ConstantMoments(logBinomial));
                    }
                    return curves;
                },
                times,
                mostWork);
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
        Lines result = new Lines(terms.lostMass());
        for (ContourEngine engine : terms.engines()) {
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
        }
        return result.lines.isEmpty() ? null : result;
    }

    /** The smallest epsilon at this delta, or empty if this is not the regime for it. */
    Optional<CertifiedInterval> epsilon(double delta) {
        double logDelta = Math.log(delta);
        Terms terms = terms(logDelta);
        if (terms == null || terms.logDelta(0) < logDelta) {
            return Optional.empty();
        }
        double low = 0;
        double high = 1e-3;
        while (terms.logDelta(high) > logDelta && high < 1e6) {
            low = high;
            high *= 2;
        }
        while (high - low > 0.01 * high) {
            double middle = 0.5 * (low + high);
            if (terms.logDelta(middle) > logDelta) {
                low = middle;
            } else {
                high = middle;
            }
        }
        double epsilon = high;
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
    Optional<CertifiedInterval> delta(double epsilon) {
        double guess = -50;
        for (int attempt = 0; attempt < 6; attempt++) {
            Terms terms = terms(guess);
            if (terms == null) {
                return Optional.empty();
            }
            double logDelta = terms.logDelta(epsilon);
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
