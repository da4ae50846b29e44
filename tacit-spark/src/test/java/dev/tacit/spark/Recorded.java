package dev.tacit.spark;

import dev.tacit.data.schema.Schema;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.Charge;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.ForwardingSession;
import dev.tacit.fit.artefact.DataShapes;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.run.InferenceRun;
import dev.tacit.run.method.FitMethod;
import dev.tacit.run.method.MethodCatalogue;
import dev.tacit.run.method.SettingValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whole fits under replayed noise, whose releases are written down to the last bit. */
final class Recorded {
    private static final long SEED = 4711;

    /** What is done between two releases. */
    interface Between {
        void before(long release) throws Exception;
    }

    static final Between NOTHING = release -> {};

    private Recorded() {}

    /** All releases of a fit, then the numbers of its last state. */
    static List<String> fit(
            PrivateDataset data,
            Schema schema,
            String model,
            String method,
            Map<String, String> settings,
            Between between) {
        FitMethod<?, ?> found =
                MethodCatalogue.find(model, method, DataShapes.of(schema), new SettingValues(settings), true);
        return fit(data, found, between);
    }

    private static <M, S extends Record> List<String> fit(
            PrivateDataset data, FitMethod<M, S> method, Between between) {
        InferenceKernel<M, S> kernel = method.kernel();
        List<String> releases = new ArrayList<>();
        PrivateSession session =
                recorded(open(data, kernel.plan(method.model(), data.publicSize())), releases, between);
        InferenceRun.Result<S> result = InferenceRun.once(kernel, method.model(), session, RandomStream.ofSeed(SEED));
        releases.add(kernel.toJson(result.state()).toString());
        return releases;
    }

    /** Releases of one query, over a plan. */
    static List<String> sums(PrivateDataset data, ReleasePlan plan, RecordSum query, Between between) {
        List<String> releases = new ArrayList<>();
        PrivateSession session = recorded(open(data, plan), releases, between);
        while (session.released() < plan.releases()) {
            session.release(query, 1.5);
        }
        return releases;
    }

    private static PrivateSession recorded(PrivateSession session, List<String> releases, Between between) {
        return new ForwardingSession(session) {
            @Override
            public NoisySum release(RecordSum query, double l2Bound) {
                try {
                    between.before(session.released());
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
                NoisySum sum = session.release(query, l2Bound);
                releases.add(java.util.Arrays.toString(sum.integers()));
                return sum;
            }
        };
    }

    static PrivateSession open(PrivateDataset data, ReleasePlan plan) {
        return open(data, plan, new FreeOfCharge(data.unit()));
    }

    static PrivateSession open(PrivateDataset data, ReleasePlan plan, PrivacyLedger ledger) {
        try {
            return data.open(
                    RunRequest.of("recorded", plan),
                    new DiscreteGaussianMechanism(2),
                    ledger,
                    ReplayNoise.ofSeed(SEED));
        } catch (BudgetExhausted e) {
            throw new IllegalStateException(e);
        }
    }

    /** Admits everything, and knows how many releases were announced. */
    static final class FreeOfCharge implements PrivacyLedger {
        private final PrivacyUnit unit;
        long announced;

        FreeOfCharge(PrivacyUnit unit) {
            this.unit = unit;
        }

        @Override
        public LedgerEntry charge(Charge charge) {
            return entry(charge.label(), charge.event(), charge.run(), 0);
        }

        @Override
        public LedgerEntry advance(LedgerEntry entry, long released) {
            announced = released;
            return entry(entry.label(), entry.event(), entry.run(), released);
        }

        private static LedgerEntry entry(String label, PrivacyEvent event, Optional<String> run, long released) {
            return new LedgerEntry(
                    1, "", label, event, run, Optional.empty(), Optional.empty(), true, released, Optional.empty());
        }

        @Override
        public PrivacyUnit unit() {
            return unit;
        }

        @Override
        public List<LedgerEntry> entries() {
            return List.of();
        }

        @Override
        public boolean durable() {
            return false;
        }
    }
}
