package dev.tacit.privacy.accountant;

import dev.tacit.privacy.event.DominatingPair;
import dev.tacit.privacy.event.PrivacyEvent;
import dev.tacit.privacy.unit.Neighbours;
import java.util.Optional;

/** What the exact accountant is asked, epsilon at a delta or delta at an epsilon; the same route through the engines answers both. */
sealed interface Question {
    double GRID_WIDTH = 8e-7;
    double SMALLER_DELTA = 0.01;
    String BOUNDED = "largest loss when a record is added";

    /** One whose answer is no smaller, and which the engines may answer better. */
    Optional<Question> harder();

    CertifiedInterval nothing();

    CertifiedInterval gaussian(double shift);

    CertifiedInterval pure(double epsilonOfEach, long releases);

    CertifiedInterval single(DominatingPair pair);

    Optional<CertifiedInterval> contour(ContourEngine engine);

    Optional<CertifiedInterval> jumps(JumpExpansion expansion);

    Optional<CertifiedInterval> grid(GridEngine engine);

    /** Chernoff's bound; {@code known} is what is known so far. */
    CertifiedInterval cut(CutChernoff bound, CertifiedInterval known);

    /** A bound for releases that have the joint shift, or this engine, together with others whose losses add up to at most {@code bounded}. */
    CertifiedInterval withBounded(double bounded, double shift);

    Optional<CertifiedInterval> withBounded(double bounded, ContourEngine engine);

    CertifiedInterval renyi(RenyiAccountant accountant, PrivacyEvent event, Neighbours neighbours)
            throws UnsupportedEventException;

    /** The bound of advanced composition, which knows no less than the engines about each release; infinite if it refuses. */
    CertifiedInterval advanced(AdvancedCompositionAccountant accountant, PrivacyEvent event, Neighbours neighbours);

    record Epsilon(double delta) implements Question {
        @Override
        public Optional<Question> harder() {
            double smaller = SMALLER_DELTA * delta;
            return smaller >= Double.MIN_NORMAL ? Optional.of(new Epsilon(smaller)) : Optional.empty();
        }

        @Override
        public CertifiedInterval nothing() {
            return closed(0, 0, "nothing was released");
        }

        @Override
        public CertifiedInterval gaussian(double shift) {
            return closed(
                    GaussianClosedForm.epsilonLower(shift * (1 - 1e-15), delta),
                    GaussianClosedForm.epsilonUpper(shift * (1 + 1e-15), delta),
                    "closed form of the Gaussian mechanism");
        }

        @Override
        public CertifiedInterval pure(double epsilonOfEach, long releases) {
            return closed(
                    PureClosedForm.epsilonLower(epsilonOfEach, releases, delta),
                    PureClosedForm.epsilonUpper(epsilonOfEach, releases, delta),
                    "optimal composition of pure mechanisms");
        }

        @Override
        public CertifiedInterval single(DominatingPair pair) {
            return closed(
                    SingleRelease.epsilonLower(pair, delta),
                    SingleRelease.epsilonUpper(pair, delta),
                    "closed form of one release");
        }

        @Override
        public Optional<CertifiedInterval> contour(ContourEngine engine) {
            return engine.epsilon(delta);
        }

        @Override
        public Optional<CertifiedInterval> jumps(JumpExpansion expansion) {
            return expansion.epsilon(delta);
        }

        @Override
        public Optional<CertifiedInterval> grid(GridEngine engine) {
            return engine.epsilon(delta, GRID_WIDTH);
        }

        @Override
        public CertifiedInterval cut(CutChernoff bound, CertifiedInterval known) {
            return closed(0, bound.epsilon(delta), CutChernoff.SOURCE);
        }

        @Override
        public CertifiedInterval withBounded(double bounded, double shift) {
            double rest = GaussianClosedForm.epsilonUpper(shift * (1 + 1e-15), delta);
            return closed(0, (bounded + rest) * (1 + 1e-15), BOUNDED);
        }

        @Override
        public Optional<CertifiedInterval> withBounded(double bounded, ContourEngine engine) {
            return engine.epsilon(delta)
                    .map(rest -> closed(rest.lower(), (bounded + rest.upper()) * (1 + 1e-15), BOUNDED));
        }

        @Override
        public CertifiedInterval renyi(RenyiAccountant accountant, PrivacyEvent event, Neighbours neighbours)
                throws UnsupportedEventException {
            EpsilonBound bound = accountant.epsilon(event, delta, neighbours);
            if (bound instanceof EpsilonBound.Unsupported unsupported) {
                throw new UnsupportedEventException(unsupported.offending(), unsupported.reason());
            }
            return closed(0, bound.upper(), "Rényi bound");
        }

        @Override
        public CertifiedInterval advanced(
                AdvancedCompositionAccountant accountant, PrivacyEvent event, Neighbours neighbours) {
            return closed(0, accountant.epsilon(event, delta, neighbours).upper(), "advanced composition");
        }
    }

    record Delta(double epsilon) implements Question {
        @Override
        public Optional<Question> harder() {
            return Optional.empty();
        }

        @Override
        public CertifiedInterval nothing() {
            return closed(0, 0, "nothing was released");
        }

        @Override
        public CertifiedInterval gaussian(double shift) {
            return closed(
                    GaussianClosedForm.deltaLower(shift * (1 - 1e-15), epsilon),
                    GaussianClosedForm.deltaUpper(shift * (1 + 1e-15), epsilon),
                    "closed form of the Gaussian mechanism");
        }

        @Override
        public CertifiedInterval pure(double epsilonOfEach, long releases) {
            return closed(
                    PureClosedForm.deltaLower(epsilonOfEach, releases, epsilon),
                    PureClosedForm.deltaUpper(epsilonOfEach, releases, epsilon),
                    "optimal composition of pure mechanisms");
        }

        @Override
        public CertifiedInterval single(DominatingPair pair) {
            return closed(
                    SingleRelease.deltaLower(pair, epsilon),
                    SingleRelease.deltaUpper(pair, epsilon),
                    "closed form of one release");
        }

        @Override
        public Optional<CertifiedInterval> contour(ContourEngine engine) {
            return engine.delta(epsilon);
        }

        @Override
        public Optional<CertifiedInterval> jumps(JumpExpansion expansion) {
            return expansion.delta(epsilon);
        }

        @Override
        public Optional<CertifiedInterval> grid(GridEngine engine) {
            return engine.delta(epsilon, GRID_WIDTH);
        }

        @Override
        public CertifiedInterval cut(CutChernoff bound, CertifiedInterval known) {
            return closed(0, bound.delta(epsilon, known.upper()), CutChernoff.SOURCE);
        }

        @Override
        public CertifiedInterval withBounded(double bounded, double shift) {
            double left = epsilon - bounded * (1 + 1e-15);
            return closed(0, left < 0 ? 1 : GaussianClosedForm.deltaUpper(shift * (1 + 1e-15), left), BOUNDED);
        }

        @Override
        public Optional<CertifiedInterval> withBounded(double bounded, ContourEngine engine) {
            double left = epsilon - bounded * (1 + 1e-15);
            return left < 0 ? Optional.empty() : engine.delta(left).map(rest -> closed(0, rest.upper(), BOUNDED));
        }

        @Override
        public CertifiedInterval renyi(RenyiAccountant accountant, PrivacyEvent event, Neighbours neighbours)
                throws UnsupportedEventException {
            DeltaBound bound = accountant.delta(event, epsilon, neighbours);
            if (bound instanceof DeltaBound.Unsupported unsupported) {
                throw new UnsupportedEventException(unsupported.offending(), unsupported.reason());
            }
            return closed(0, bound.upper(), "Rényi bound");
        }

        @Override
        public CertifiedInterval advanced(
                AdvancedCompositionAccountant accountant, PrivacyEvent event, Neighbours neighbours) {
            return closed(0, accountant.delta(event, epsilon, neighbours).upper(), "advanced composition");
        }
    }

    private static CertifiedInterval closed(double lower, double upper, String source) {
        double width = upper > 0 && !Double.isInfinite(upper) ? (upper - lower) / upper : 0;
        return new CertifiedInterval(lower, upper, ErrorBudget.roundingOnly(width), source);
    }
}
