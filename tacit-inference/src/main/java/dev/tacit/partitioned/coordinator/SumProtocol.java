package dev.tacit.partitioned.coordinator;

import dev.tacit.inference.InferenceKernel;
import dev.tacit.inference.LostReleaseException;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.message.Traffic;
import dev.tacit.posterior.Posterior;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs a kernel across parties: one round of messages for each of its releases, and no state at the parties.
 *
 * <p>Residual Newton inference is the default for regressions: {@link dev.tacit.inference.bayes.ResidualNewton} on
 * {@link RegressionQueries#sent}, D(D+3)/2 numbers from each party once and D numbers in each round. A round that the
 * aggregator refuses is lost, as a crash loses one.
 */
public final class SumProtocol {
    private SumProtocol() {}

    /** Sees the posterior after every round. */
    @FunctionalInterface
    public interface Listener {
        /** Does nothing. */
        Listener NONE = (round, posterior, traffic) -> {};

        /** A round is over; {@code posterior} is computed on demand. */
        void roundDone(int round, Supplier<Posterior> posterior, Traffic traffic);
    }

    /** Runs all releases of the session's plan. */
    public static <M, S extends Record> Posterior run(
            InferenceKernel<M, S> kernel, M model, PartiesSession session, RandomStream random)
            throws LostReleaseException {
        return run(kernel, model, session, random, state -> kernel.posterior(state, model), Listener.NONE);
    }

    /** Runs all releases of the session's plan, with another reading of states than the kernel's posterior. */
    public static <M, S extends Record> Posterior run(
            InferenceKernel<M, S> kernel,
            M model,
            PartiesSession session,
            RandomStream random,
            Function<S, Posterior> reading,
            Listener listener)
            throws LostReleaseException {
        S state = kernel.init(model, session.publicSize(), random.fork("init"));
        while (session.released() < session.plan().releases()) {
            long release = session.released();
            try {
                state = kernel.step(state, model, session, random.fork(release)).state();
            } catch (PartiesSession.RoundRefused e) {
                state = kernel.without(state, model);
            }
            S reached = state;
            listener.roundDone((int) release, () -> reading.apply(reached), session.traffic());
        }
        return reading.apply(state);
    }
}
