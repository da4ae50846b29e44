package dev.tacit.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.audit.table.SyntheticTable;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.engine.ForwardingSession;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.run.method.FitMethod;
import dev.tacit.testkit.method.FreeLedger;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;

/**
 * Whether queries can be sent to where records are: each one that a run asks is written down, read back and asked again, of the
 * same batch and with the same noise, and must give the same integers.
 */
public final class QueryTravels {
    private static final double NOISE_MULTIPLIER = 3;

    private QueryTravels() {}

    /** Runs a method on a table, fails at the first query that does not travel, and returns how many did. */
    public static <M, S extends Record> long check(FitMethod<M, S> method, SyntheticTable table, boolean sparse) {
        ReleasePlan plan = method.kernel().plan(method.model(), table.shape().publicSize());
        PrivateDataset data = table.dataset(sparse, table.mostRecords());
        PrivateSession session = session(data, plan);
        run(method.kernel(), method.model(), session);
        return session.released();
    }

    private static <M, S extends Record> void run(InferenceKernel<M, S> kernel, M model, PrivateSession session) {
        RandomStream random = RandomStream.ofSeed(11);
        S state = kernel.init(model, session.publicSize(), random.fork("init"));
        while (session.released() < session.plan().releases()) {
            state = kernel.step(state, model, session, random.fork(session.released()))
                    .state();
        }
    }

    /** A session whose queries all travel, and fail if they arrive as something else. */
    public static PrivateSession session(PrivateDataset data, ReleasePlan plan) {
        PrivateSession here = open(data, plan);
        PrivateSession there = open(data, plan);
        return new ForwardingSession(here) {
            @Override
            public NoisySum release(RecordSum query, double l2Bound) {
                // First, because a query may count how often it was asked.
                RecordSum arrived = travelled(query);
                NoisySum sum = here.release(query, l2Bound);
                assertThat(there.release(arrived, l2Bound).integers())
                        .as("the sums of a query that travelled, "
                                + query.getClass().getName())
                        .containsExactly(sum.integers());
                return sum;
            }
        };
    }

    private static PrivateSession open(PrivateDataset data, ReleasePlan plan) {
        try {
            return data.open(
                    RunRequest.of("travel", plan),
                    new DiscreteGaussianMechanism(NOISE_MULTIPLIER),
                    new FreeLedger(data.unit()),
                    ReplayNoise.ofSeed(5));
        } catch (BudgetExhausted e) {
            throw new AssertionError(e);
        }
    }

    /** A query that was written down and read back. */
    private static RecordSum travelled(RecordSum query) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(query);
            }
            try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
                return (RecordSum) in.readObject();
            }
        } catch (NotSerializableException e) {
            throw new AssertionError(
                    "the query " + query.getClass().getName() + " does not travel, because " + e.getMessage()
                            + " does not",
                    e);
        } catch (IOException | ClassNotFoundException e) {
            throw new AssertionError("the query " + query.getClass().getName() + " does not travel", e);
        }
    }
}
