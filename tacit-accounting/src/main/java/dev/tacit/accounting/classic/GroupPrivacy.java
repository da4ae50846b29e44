package dev.tacit.accounting.classic;

import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.accounting.compose.Composition;
import dev.tacit.accounting.compose.Phase;
import dev.tacit.accounting.compose.Sampling;
import dev.tacit.accounting.compose.UnsupportedEventException;
import dev.tacit.accounting.curve.GaussianCurves;
import dev.tacit.accounting.curve.LaplaceCurves;
import dev.tacit.accounting.curve.MechanismCurves;
import dev.tacit.accounting.curve.PureCurves;
import dev.tacit.accounting.curve.ZeroConcentratedCurves;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a guarantee for one record is worth to a group of k.
 *
 * <pre>
 *   pure        e             → k·e
 *   (e, delta)                → (k·e, delta·(e^{ke} − 1)/(e^e − 1))
 *   Gaussian    shift         → k·shift          Laplace  scale → scale/k
 *   zCDP        rho           → k²·rho
 * </pre>
 *
 * Dwork, Roth 2014, Theorem 2.2; Vadhan 2017, Lemma 2.2; Dong, Roth, Su 2022, Theorem 2.14; Bun, Steinke 2016,
 * Proposition 1.9. A group moves an unsampled sum by k bounds, so such events are accounted exactly for the group;
 * sampled ones go through the second line at the best single-record point.
 */
public final class GroupPrivacy {
    private static final int MOST_STEPS = 200;

    private GroupPrivacy() {}

    /** The epsilon of a group under pure differential privacy, rounded up. */
    public static double pure(double epsilon, int group) {
        return Math.nextUp(requireGroup(group) * epsilon);
    }

    /** The delta of a group at k times the single-record epsilon, rounded up; 1 if nothing smaller holds. */
    public static double delta(double epsilon, double delta, int group) {
        requireGroup(group);
        // Σ_{i<k} e^{iε}; the closed form overflows and cancels, its logarithm does neither.
        double logFactor = epsilon == 0
                ? Math.log(group)
                : (group - 1) * epsilon + Math.log(Math.expm1(-group * epsilon) / Math.expm1(-epsilon));
        double bound = Math.exp(Math.log(delta) + logFactor) * (1 + 1e-12) + Double.MIN_VALUE;
        return delta == 0 ? 0 : Math.min(1, bound);
    }

    /** The rho of a group, rounded up. */
    public static double zeroConcentrated(double rho, int group) {
        return rho * requireGroup(group) * group * (1 + 4 * Math.ulp(1.0));
    }

    /** The epsilon that holds for every group of this many units at this delta, by the given accountant. */
    public static EpsilonBound epsilon(
            PrivacyAccountant accountant, PrivacyEvent event, int group, double delta, Neighbours neighbours) {
        if (requireGroup(group) == 1) {
            return accountant.epsilon(event, delta, neighbours);
        }
        Optional<PrivacyEvent> moved = movedBy(event, group, neighbours);
        if (moved.isPresent()) {
            EpsilonBound exact = accountant.epsilon(moved.get(), delta, neighbours);
            if (!(exact instanceof EpsilonBound.Unsupported)) {
                return exact;
            }
        }
        return converted(accountant, event, group, delta, neighbours);
    }

    /** The event as the group sees it, if it is one list of unsampled releases that scale. */
    private static Optional<PrivacyEvent> movedBy(PrivacyEvent event, int group, Neighbours neighbours) {
        try {
            List<List<Phase>> alternatives = Composition.of(event, neighbours).alternatives();
            if (alternatives.size() != 1) {
                return Optional.empty();
            }
            List<PrivacyEvent> events = new ArrayList<>();
            for (Phase phase : alternatives.get(0)) {
                Optional<MechanismCurves> moved = movedBy(phase.curves(), group);
                if (!(phase.sampling() instanceof Sampling.None) || moved.isEmpty()) {
                    return Optional.empty();
                }
                events.add(moved.get().release().times(phase.times()));
            }
            return Optional.of(new PrivacyEvent.Sequence(events));
        } catch (UnsupportedEventException refusal) {
            return Optional.empty();
        }
    }

    private static Optional<MechanismCurves> movedBy(MechanismCurves curves, int group) {
        if (curves instanceof GaussianCurves gaussian) {
            return Optional.of(new GaussianCurves(Math.nextDown(gaussian.noiseMultiplier() / group)));
        }
        if (curves instanceof LaplaceCurves laplace) {
            return Optional.of(new LaplaceCurves(Math.nextDown(laplace.scaleMultiplier() / group)));
        }
        if (curves instanceof PureCurves known) {
            return Optional.of(new PureCurves(pure(known.epsilon(), group)));
        }
        if (curves instanceof ZeroConcentratedCurves known) {
            return Optional.of(new ZeroConcentratedCurves(zeroConcentrated(known.rho(), group)));
        }
        return Optional.empty();
    }

    /**
     * Looks for the smallest single-record epsilon whose group delta is small enough; every point tried is checked, so
     * the answer holds.
     */
    private static EpsilonBound converted(
            PrivacyAccountant accountant, PrivacyEvent event, int group, double delta, Neighbours neighbours) {
        EpsilonBound single = accountant.epsilon(event, delta / group, neighbours);
        if (!(single instanceof EpsilonBound.AtMost || single instanceof EpsilonBound.Between)) {
            return single;
        }
        double low = single.upper();
        double high = Math.max(low, 1e-12);
        for (int i = 0; !holds(accountant, event, high, group, delta, neighbours); i++) {
            if (i == MOST_STEPS || high * group > 1e6) {
                return new EpsilonBound.Unbounded(
                        "no single-record guarantee extends to a group of " + group + " at this delta");
            }
            low = high;
            high *= 1.25;
        }
        for (int i = 0; i < MOST_STEPS && high - low > 1e-9 * high; i++) {
            double middle = 0.5 * (low + high);
            if (holds(accountant, event, middle, group, delta, neighbours)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return new EpsilonBound.AtMost(
                pure(high, group),
                "group privacy of (epsilon, delta), Vadhan 2017, Lemma 2.2; single records by " + accountant.name());
    }

    private static boolean holds(
            PrivacyAccountant accountant,
            PrivacyEvent event,
            double epsilon,
            int group,
            double delta,
            Neighbours neighbours) {
        return delta(epsilon, accountant.delta(event, epsilon, neighbours).upper(), group) <= delta;
    }

    private static int requireGroup(int group) {
        if (group < 1) {
            throw new IllegalArgumentException("a group has at least one unit");
        }
        return group;
    }
}
