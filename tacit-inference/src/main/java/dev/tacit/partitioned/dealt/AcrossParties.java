package dev.tacit.partitioned.dealt;

import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.engine.ForwardingSession;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.inference.LostReleaseException;
import dev.tacit.inference.Step;
import dev.tacit.json.JsonFields;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.NoiseSharing;
import dev.tacit.partitioned.shard.PartyRule;
import dev.tacit.posterior.Posterior;
import dev.tacit.query.ContributionSum;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A kernel of sums on records that are at several parties. Without an aggregator each party adds all noise to its own sum, all of
 * them are released, and the kernel sees what they add up to; with one, only the sum over all parties is released.
 *
 * <pre>
 *   no aggregator   (Σ_{n at 1} clip(f(x_n)) + noise_1, …, Σ_{n at M} clip(f(x_n)) + noise_M)        {@link PartyBlocks}
 *                   the kernel sees the sum of the blocks, with √M times the noise of one
 *   aggregator      Σ_n clip(f(x_n)) + noise                       the sum of the noise shares of {@link NoiseSharing}
 * </pre>
 *
 * {@link dev.tacit.partitioned.party.PartiesSession} on records in one place, behind one door. A party needs no state.
 *
 * @param <M> what the kernel needs from a model
 * @param <S> the kernel's state
 */
public final class AcrossParties<M, S extends Record> implements InferenceKernel<M, S>, PartyProtocol {
    private final InferenceKernel<M, S> kernel;
    private final PartyRule rule;
    private final boolean aggregator;
    private final int columns;

    /**
     * @param rule who is where
     * @param aggregator whether an aggregator adds up the parties' sums before anybody else sees them
     * @param columns how many numbers a query after the first is sent with
     */
    public AcrossParties(InferenceKernel<M, S> kernel, PartyRule rule, boolean aggregator, int columns) {
        this.kernel = Objects.requireNonNull(kernel, "kernel");
        this.rule = Objects.requireNonNull(rule, "rule");
        this.aggregator = aggregator;
        this.columns = columns;
    }

    @Override
    public PartyRule rule() {
        return rule;
    }

    @Override
    public boolean aggregator() {
        return aggregator;
    }

    @Override
    public boolean noiseCounted() {
        return true;
    }

    @Override
    public List<Exchange> exchanges(ReleasePlan plan) {
        List<Exchange> exchanges = new ArrayList<>();
        for (ReleasePlan.Phase phase : plan.phases()) {
            exchanges.add(new Exchange(
                    phase.label(),
                    phase.times(),
                    exchanges.isEmpty() && phase.times() == 1 ? 0 : columns,
                    phase.dimension() / (aggregator ? 1 : rule.parties())));
        }
        return exchanges;
    }

    @Override
    public String name() {
        return kernel.name();
    }

    @Override
    public ReleasePlan plan(M model, long publicSize) {
        ReleasePlan plan = kernel.plan(model, publicSize);
        if (aggregator) {
            return plan;
        }
        return new ReleasePlan(plan.phases().stream()
                        .map(phase -> new ReleasePlan.Phase(
                                phase.label() + " of " + rule.parties() + " parties",
                                phase.times(),
                                Math.multiplyExact(rule.parties(), phase.dimension()),
                                phase.sampling(),
                                phase.relativeNoise()))
                        .toList())
                .forRows(plan.rowNormBound());
    }

    @Override
    public S init(M model, long publicSize, RandomStream random) {
        return kernel.init(model, publicSize, random);
    }

    @Override
    public Step<S> step(S state, M model, PrivateSession session, RandomStream random) {
        if (aggregator) {
            return kernel.step(state, model, session, random);
        }
        Blocks blocks = new Blocks(session);
        S next = kernel.step(state, model, blocks, random).state();
        return new Step<>(next, blocks.released.orElseThrow());
    }

    @Override
    public S without(S state, M model) throws LostReleaseException {
        return kernel.without(state, model);
    }

    @Override
    public Posterior posterior(S state, M model) {
        return kernel.posterior(state, model);
    }

    @Override
    public Map<String, Object> toJson(S state) {
        return kernel.toJson(state);
    }

    @Override
    public S fromJson(JsonFields json) {
        return kernel.fromJson(json);
    }

    /** A session that asks all parties for what it is asked for, and adds up their answers. */
    private final class Blocks extends ForwardingSession {
        private final PrivateSession session;
        private Optional<NoisySum> released = Optional.empty();

        Blocks(PrivateSession session) {
            super(session);
            this.session = session;
        }

        @Override
        public NoisySum release(RecordSum query, double l2Bound) {
            NoisySum all = session.release(
                    new PartyBlocks(rule, Collections.nCopies(rule.parties(), (ContributionSum) query)), l2Bound);
            released = Optional.of(all);
            double[] sum = new double[query.dimension()];
            for (int i = 0; i < all.value().length; i++) {
                sum[i % sum.length] += all.value()[i];
            }
            return all.derived(sum, all.noiseStandardDeviation() * Math.sqrt(rule.parties()), all.expectedBatchSize());
        }
    }
}
