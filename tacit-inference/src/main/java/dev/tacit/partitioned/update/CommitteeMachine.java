package dev.tacit.partitioned.update;

import dev.tacit.door.session.NoisySum;
import dev.tacit.partitioned.coordinator.Coordinator;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.party.RecordSteps;
import dev.tacit.query.ContributionSum;
import java.util.Objects;
import java.util.Optional;

/**
 * The Bayesian committee machine: every party fits its records on its own, once, and the fits are multiplied.
 *
 * <pre>
 *   same prior    q_m ∝ p · likelihood_m,             q = p · Π_m (q_m / p)
 *   split prior   q_m ∝ p^(n_m/N) · likelihood_m,     q = Π_m q_m
 * </pre>
 *
 * Tresp 2000; the baseline of Heikkilä, Ashman, Swaroop, Turner, Honkela 2023. The change is q_m over
 * the prior that the party used, and a {@link Coordinator} with {@link Coordinator.Settings#once} multiplies them. Privacy and
 * clipping are those of {@link DpOptimisation}.
 */
public final class CommitteeMachine implements RecordSteps {
    private final DpOptimisation optimisation;
    private final double priorShare;

    /** @param priorShare 1 for the same prior, n_m/N for a split one */
    public CommitteeMachine(DpOptimisation optimisation, double priorShare) {
        this.optimisation = Objects.requireNonNull(optimisation, "optimisation");
        if (!(priorShare > 0 && priorShare <= 1)) {
            throw new IllegalArgumentException("a share of the prior is a number above 0 and up to 1");
        }
        this.priorShare = priorShare;
    }

    @Override
    public Releases releases() {
        return optimisation.releases().named("committee machine");
    }

    @Override
    public double[] begin(double[] memory, Round round) {
        NaturalGaussian prior = round.publicPart().prior();
        return optimisation.from(prior, prior.power(priorShare));
    }

    @Override
    public ContributionSum query(double[] memory, PublicPart publicPart) {
        return optimisation.query(memory, publicPart);
    }

    @Override
    public double[] after(double[] memory, NoisySum released, double publicSize) {
        return optimisation.after(memory, released, publicSize);
    }

    @Override
    public double[] withoutRelease(double[] memory) {
        return optimisation.withoutRelease(memory);
    }

    @Override
    public Change change(double[] memory, NaturalGaussian global, Optional<NoisySum> last) {
        return new Change(optimisation.reached(memory).over(optimisation.cavity(memory)), 0);
    }
}
