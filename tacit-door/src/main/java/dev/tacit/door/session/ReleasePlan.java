package dev.tacit.door.session;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.sampling.SamplingScheme;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * All releases of a run, fixed before any record is touched: what is charged, and what the door will hand out.
 *
 * @param phases the releases in order
 * @param view what the releases see, if not sums over all records
 * @param rowNormBound the L2 norm of a row that the run's model takes for the largest, if it takes one; data whose rows are declared
 *     longer are refused before anything is charged
 */
public record ReleasePlan(List<Phase> phases, Optional<ReleaseView> view, OptionalDouble rowNormBound) {
    /**
     * Equal releases in a row.
     *
     * @param label what is released, in words that may be published
     * @param times how often
     * @param dimension how many numbers each release has
     * @param sampling which records each release sees
     * @param relativeNoise noise multiplier over that of the run, so that phases can share a budget unequally
     */
    public record Phase(String label, long times, int dimension, SamplingScheme sampling, double relativeNoise) {
        public Phase {
            Objects.requireNonNull(label, "label");
            Objects.requireNonNull(sampling, "sampling");
            if (times < 1 || dimension < 1) {
                throw new IllegalArgumentException("a phase has at least one release of at least one number");
            }
            if (!(relativeNoise > 0) || Double.isInfinite(relativeNoise)) {
                throw new IllegalArgumentException("relative noise is a positive number");
            }
        }
    }

    public ReleasePlan {
        phases = List.copyOf(phases);
        if (phases.isEmpty()) {
            throw new IllegalArgumentException("a plan has at least one release");
        }
    }

    /** Sums over records, of no model in particular. */
    public ReleasePlan(List<Phase> phases) {
        this(phases, Optional.empty(), OptionalDouble.empty());
    }

    /** Equal releases only. */
    public static ReleasePlan of(String label, long times, int dimension, SamplingScheme sampling) {
        return new ReleasePlan(List.of(new Phase(label, times, dimension, sampling, 1)));
    }

    /** The same releases through a view. */
    public ReleasePlan seenBy(ReleaseView through) {
        return new ReleasePlan(phases, Optional.of(through), rowNormBound);
    }

    /** The same view and model, with other releases. */
    public ReleasePlan withPhases(List<Phase> others) {
        return new ReleasePlan(others, view, rowNormBound);
    }

    /** The same releases for a model whose rows are at most so long, if it says so. */
    public ReleasePlan forRows(OptionalDouble largestNorm) {
        return new ReleasePlan(phases, view, largestNorm);
    }

    /** This plan, then another; both see the same. */
    public ReleasePlan then(ReleasePlan next) {
        if (!view.equals(next.view)) {
            throw new IllegalArgumentException("the releases of a plan all see the same: all records, or one view");
        }
        List<Phase> all = new ArrayList<>(phases);
        all.addAll(next.phases);
        return new ReleasePlan(all, view, rowNormBound.isPresent() ? rowNormBound : next.rowNormBound);
    }

    /** How many releases there are. */
    public long releases() {
        return phases.stream().mapToLong(Phase::times).reduce(0, Math::addExact);
    }

    /** The phase of a release, counted from 0. */
    public Phase phaseOf(long release) {
        long left = release;
        for (Phase phase : phases) {
            if (left < phase.times()) {
                return phase;
            }
            left -= phase.times();
        }
        throw new IllegalStateException("the plan has " + releases() + " releases, and all were made");
    }

    /** How many summands there are, publicly, if there are that many units. */
    public long summands(long publicSize) {
        return view.map(each -> each.summands(publicSize)).orElse(publicSize);
    }

    /**
     * What the plan is to accounting, with a mechanism for phases of relative noise 1. Accountants move one bound for each
     * unit that comes or goes; where a view moves more, the noise is that much less.
     */
    public PrivacyEvent event(NoiseMechanism mechanism) {
        double boundsMoved = view.map(ReleaseView::boundsMoved).orElse(1.0);
        List<PrivacyEvent> events = new ArrayList<>();
        for (Phase phase : phases) {
            PrivacyEvent once = phase.sampling()
                    .event(mechanism.scaled(phase.relativeNoise() / boundsMoved).profile(phase.dimension()));
            events.add(view.isPresent() ? view.get().event(once, phase.times()) : times(once, phase.times()));
        }
        return events.size() == 1 ? events.get(0) : new PrivacyEvent.Sequence(events);
    }

    /** An event that happens so often. */
    public static PrivacyEvent times(PrivacyEvent once, long times) {
        return times == 1 ? once : once.times(times);
    }
}
