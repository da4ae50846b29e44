package dev.tacit.accounting.exact;

import dev.tacit.accounting.DeltaBound;
import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.ErrorBudget;
import dev.tacit.accounting.classic.AdvancedCompositionAccountant;
import dev.tacit.accounting.compose.CertifiedInterval;
import dev.tacit.accounting.compose.UnsupportedEventException;
import dev.tacit.accounting.exact.closed.GaussianClosedForm;
import dev.tacit.accounting.exact.closed.PureClosedForm;
import dev.tacit.accounting.exact.closed.SingleRelease;
import dev.tacit.accounting.exact.contour.ContourEngine;
import dev.tacit.accounting.exact.grid.GridEngine;
import dev.tacit.accounting.exact.jumps.CutChernoff;
import dev.tacit.accounting.exact.jumps.JumpExpansion;
import dev.tacit.accounting.pair.DominatingPair;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import java.util.Optional;

/**
 * What the exact accountant is asked; the same route through the engines answers both kinds.
 *
 * @param kind what is wanted
 * @param given the delta at which an epsilon is wanted, or the epsilon at which a delta is
 */
record Question(Kind kind, double given) {
    static final String GAUSSIAN = "closed form of the Gaussian mechanism";
    static final String SINGLE = "closed form of one release";
    static final String ADVANCED = "advanced composition";
    static final String RENYI = "Rényi bound";

    private static final double GRID_WIDTH = 8e-7;
    private static final double SMALLER_DELTA = 0.01;
    private static final String BOUNDED = "largest loss when a record is added";

    /** What is wanted. */
    enum Kind {
        EPSILON,
        DELTA
    }

    static Question epsilonAt(double delta) {
        return new Question(Kind.EPSILON, delta);
    }

    static Question deltaAt(double epsilon) {
        return new Question(Kind.DELTA, epsilon);
    }

    private boolean wantsEpsilon() {
        return kind == Kind.EPSILON;
    }

    /** One whose answer is no smaller, and which the engines may answer better. */
    Optional<Question> harder() {
        double smaller = SMALLER_DELTA * given;
        return wantsEpsilon() && smaller >= Double.MIN_NORMAL ? Optional.of(epsilonAt(smaller)) : Optional.empty();
    }

    CertifiedInterval nothing() {
        return closed(0, 0, "nothing was released");
    }

    CertifiedInterval gaussian(double shift) {
        double least = shift * (1 - 1e-15);
        double most = shift * (1 + 1e-15);
        return wantsEpsilon()
                ? closed(
                        GaussianClosedForm.epsilonLower(least, given),
                        GaussianClosedForm.epsilonUpper(most, given),
                        GAUSSIAN)
                : closed(
                        GaussianClosedForm.deltaLower(least, given),
                        GaussianClosedForm.deltaUpper(most, given),
                        GAUSSIAN);
    }

    CertifiedInterval pure(double epsilonOfEach, long releases) {
        String source = "optimal composition of pure mechanisms";
        return wantsEpsilon()
                ? closed(
                        PureClosedForm.epsilonLower(epsilonOfEach, releases, given),
                        PureClosedForm.epsilonUpper(epsilonOfEach, releases, given),
                        source)
                : closed(
                        PureClosedForm.deltaLower(epsilonOfEach, releases, given),
                        PureClosedForm.deltaUpper(epsilonOfEach, releases, given),
                        source);
    }

    CertifiedInterval single(DominatingPair pair) {
        return wantsEpsilon()
                ? closed(SingleRelease.epsilonLower(pair, given), SingleRelease.epsilonUpper(pair, given), SINGLE)
                : closed(SingleRelease.deltaLower(pair, given), SingleRelease.deltaUpper(pair, given), SINGLE);
    }

    Optional<CertifiedInterval> contour(ContourEngine engine) {
        return wantsEpsilon() ? engine.epsilon(given) : engine.delta(given);
    }

    Optional<CertifiedInterval> jumps(JumpExpansion expansion) {
        return wantsEpsilon() ? expansion.epsilon(given) : expansion.delta(given);
    }

    Optional<CertifiedInterval> grid(GridEngine engine) {
        return wantsEpsilon() ? engine.epsilon(given, GRID_WIDTH) : engine.delta(given, GRID_WIDTH);
    }

    /** Chernoff's bound; {@code known} is what is known so far. */
    CertifiedInterval cut(CutChernoff bound, CertifiedInterval known) {
        double upper = wantsEpsilon() ? bound.epsilon(given) : bound.delta(given, known.upper());
        return closed(0, upper, CutChernoff.SOURCE);
    }

    /** A bound for releases of this joint shift, together with others whose losses add up to at most {@code bounded}. */
    CertifiedInterval withBounded(double bounded, double shift) {
        double most = shift * (1 + 1e-15);
        if (wantsEpsilon()) {
            double rest = GaussianClosedForm.epsilonUpper(most, given);
            return closed(0, (bounded + rest) * (1 + 1e-15), BOUNDED);
        }
        double left = given - bounded * (1 + 1e-15);
        return closed(0, left < 0 ? 1 : GaussianClosedForm.deltaUpper(most, left), BOUNDED);
    }

    /** The same for the releases of an engine. */
    Optional<CertifiedInterval> withBounded(double bounded, ContourEngine engine) {
        if (wantsEpsilon()) {
            return engine.epsilon(given)
                    .map(rest -> closed(rest.lower(), (bounded + rest.upper()) * (1 + 1e-15), BOUNDED));
        }
        double left = given - bounded * (1 + 1e-15);
        return left < 0 ? Optional.empty() : engine.delta(left).map(rest -> closed(0, rest.upper(), BOUNDED));
    }

    CertifiedInterval renyi(RenyiAccountant accountant, PrivacyEvent event, Neighbours neighbours)
            throws UnsupportedEventException {
        if (wantsEpsilon()) {
            EpsilonBound bound = accountant.epsilon(event, given, neighbours);
            if (bound instanceof EpsilonBound.Unsupported unsupported) {
                throw new UnsupportedEventException(unsupported.offending(), unsupported.reason());
            }
            return closed(0, bound.upper(), RENYI);
        }
        DeltaBound bound = accountant.delta(event, given, neighbours);
        if (bound instanceof DeltaBound.Unsupported unsupported) {
            throw new UnsupportedEventException(unsupported.offending(), unsupported.reason());
        }
        return closed(0, bound.upper(), RENYI);
    }

    /** The bound of advanced composition, which knows no less than the engines about each release; infinite if it refuses. */
    CertifiedInterval advanced(AdvancedCompositionAccountant accountant, PrivacyEvent event, Neighbours neighbours) {
        double upper = wantsEpsilon()
                ? accountant.epsilon(event, given, neighbours).upper()
                : accountant.delta(event, given, neighbours).upper();
        return closed(0, upper, ADVANCED);
    }

    private static CertifiedInterval closed(double lower, double upper, String source) {
        double width = upper > 0 && !Double.isInfinite(upper) ? (upper - lower) / upper : 0;
        return new CertifiedInterval(lower, upper, ErrorBudget.roundingOnly(width), source);
    }
}
