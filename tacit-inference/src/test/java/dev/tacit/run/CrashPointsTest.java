package dev.tacit.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.Charge;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.session.SealedRelease;
import dev.tacit.door.session.SealedReleases;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.ForwardingSession;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.inference.Runs;
import dev.tacit.inference.vi.DpVariationalInference;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.noise.SecureNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.optimizer.GradientStep;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * A run is cut before and after every single thing that it writes, and again while it recovers: nothing is lost, no
 * release is handed out with two noises, and the ledger never knows of less than was handed out. Noise is fresh in every
 * life of the run. Doors that write in another order are found out.
 */
class CrashPointsTest {
    private static final int STEPS = 10;
    private static final double NOISE = 3;

    private final PrivateDataset data = LocalSummation.dataset(
            RecordsInMemory.of(Runs.logistic(40, new double[] {2, -1}, RandomStream.ofSeed(5)), true),
            PrivacyUnit.record(Neighbours.ADD_REMOVE),
            40,
            1);
    private final LogisticRegression model = new LogisticRegression(Runs.names(2), 1, 0.3);

    private static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** A disk: what it holds stays, and power goes at a given moment. Each write is two moments: before it and after it. */
    private final class World implements SealedReleases, Checkpoint.Store {
        private final boolean ledgerFirst;
        private final boolean forgetful;
        private final TreeMap<Long, SealedRelease> sealed = new TreeMap<>();
        private Optional<String> checkpoint = Optional.empty();
        private long moments;
        private long cutAt;

        /** The one entry of the ledger. */
        private Optional<LedgerEntry> entry = Optional.empty();

        /** What left the door, of all lives of the run. */
        private final TreeMap<Long, double[]> used = new TreeMap<>();

        private final List<String> faults = new ArrayList<>();

        World(boolean ledgerFirst, boolean forgetful) {
            this.ledgerFirst = ledgerFirst;
            this.forgetful = forgetful;
        }

        private void moment() {
            if (++moments == cutAt) {
                throw new Crash();
            }
        }

        @Override
        public OptionalLong firstFrom(long index) {
            Long found = sealed.ceilingKey(index);
            return found == null ? OptionalLong.empty() : OptionalLong.of(found);
        }

        @Override
        public double l2Bound(long index) {
            return sealed.get(index).l2Bound();
        }

        @Override
        public SealedRelease read(long index, SumGrid grid) {
            return sealed.get(index);
        }

        @Override
        public void keep(SealedRelease release) {
            if (ledgerFirst && announced() <= release.index()) {
                announce(release.index() + 1);
            }
            moment();
            if (!forgetful && sealed.put(release.index(), release) != null) {
                faults.add("sealed twice");
            }
            moment();
        }

        @Override
        public void dropBefore(long index) {
            moment();
            sealed.headMap(index).clear();
            moment();
        }

        @Override
        public void save(Checkpoint newest) {
            moment();
            checkpoint = Optional.of(newest.toJson());
            moment();
            dropBefore(newest.released());
        }

        @Override
        public Optional<Checkpoint> load() {
            return checkpoint.map(Checkpoint::fromJson);
        }

        private long announced() {
            return entry.orElseThrow().released();
        }

        private LedgerEntry announce(long released) {
            moment();
            entry = entry.map(now -> entry(now, released));
            moment();
            return entry.orElseThrow();
        }

        private static LedgerEntry entry(LedgerEntry now, long released) {
            return entry(now.label(), now.event(), now.run(), released);
        }

        private static LedgerEntry entry(String label, PrivacyEvent event, Optional<String> run, long released) {
            return new LedgerEntry(
                    1, "", label, event, run, Optional.empty(), Optional.empty(), true, released, Optional.empty());
        }

        /** The ledger as it is on this disk. */
        private PrivacyLedger ledger() {
            return new PrivacyLedger() {
                @Override
                public LedgerEntry charge(Charge charge) {
                    moment();
                    if (entry.isEmpty()) {
                        entry = Optional.of(entry(charge.label(), charge.event(), charge.run(), 0));
                    }
                    moment();
                    // A forgetful door does not ask what was announced.
                    return forgetful ? entry(entry.get(), 0) : entry.get();
                }

                @Override
                public LedgerEntry advance(LedgerEntry known, long released) {
                    boolean sabotaged = ledgerFirst || forgetful;
                    if (!sabotaged && known.released() != announced()) {
                        throw new IllegalStateException("somebody else continued the run");
                    }
                    return sabotaged && announced() >= released ? entry.orElseThrow() : announce(released);
                }

                @Override
                public PrivacyUnit unit() {
                    return data.unit();
                }

                @Override
                public List<LedgerEntry> entries() {
                    return entry.map(List::of).orElse(List.of());
                }

                @Override
                public boolean durable() {
                    return true;
                }
            };
        }

        private PrivateSession watched(PrivateSession session) {
            return new ForwardingSession(session) {
                @Override
                public NoisySum release(RecordSum query, double l2Bound) {
                    long index = session.released();
                    NoisySum sum = session.release(query, l2Bound);
                    if (announced() <= index) {
                        faults.add("release " + index + " was used before the ledger knew");
                    }
                    double[] before = used.putIfAbsent(index, sum.value().clone());
                    if (before != null && !Arrays.equals(before, sum.value())) {
                        faults.add("release " + index + " was drawn twice");
                    }
                    return sum;
                }
            };
        }

        /** One life of the run; true if it came to its end. */
        private boolean live(DpVariationalInference kernel, ReleasePlan plan, long cut) throws Exception {
            moments = 0;
            cutAt = cut;
            RunListener listener = new RunListener() {
                @Override
                public void lost(long releases) {
                    faults.add(releases + " lost");
                }
            };
            try {
                var result = new InferenceRun<>(kernel, model, "test", this, listener)
                        .run(
                                kept -> {
                                    RunRequest request = RunRequest.of("test", plan)
                                            .named("run")
                                            .sealedIn(this);
                                    return watched(data.open(
                                            kept.flatMap(Checkpoint::position)
                                                    .map(request::resumedAt)
                                                    .orElse(request),
                                            new DiscreteGaussianMechanism(NOISE),
                                            ledger(),
                                            SecureNoise.create()));
                                },
                                RandomStream.ofSeed(4));
                if (result.notes().size() != STEPS) {
                    faults.add("a release is missing");
                }
                return true;
            } catch (Crash e) {
                return false;
            }
        }
    }

    private static DpVariationalInference kernel(SamplingScheme sampling) {
        return new DpVariationalInference(
                new DpVariationalInference.Settings(STEPS, sampling, 1, 3, 5, 0.2, new GradientStep.Adam(0.05), 0.2));
    }

    /** Cuts a run at every moment, and for some of them the life after it too; stops at the first fault. */
    private List<String> faults(SamplingScheme sampling, boolean ledgerFirst, boolean forgetful) throws Exception {
        DpVariationalInference kernel = kernel(sampling);
        ReleasePlan plan = kernel.plan(model, data.publicSize());
        List<String> faults = new ArrayList<>();
        World whole = new World(ledgerFirst, forgetful);
        assertThat(whole.live(kernel, plan, -1)).isTrue();
        long all = whole.moments;
        assertThat(all).isGreaterThan(4L * STEPS);
        for (long cut = 1; cut <= all && faults.isEmpty(); cut++) {
            for (long again : cut % 4 == 1 ? new long[] {-1, 1, 2, 3, 4, 6} : new long[] {-1}) {
                World world = new World(ledgerFirst, forgetful);
                if (world.live(kernel, plan, cut)) {
                    fail("the run was not cut");
                }
                if (again > 0) {
                    world.live(kernel, plan, again);
                }
                assertThat(world.live(kernel, plan, -1)).isTrue();
                faults.addAll(world.faults);
                if (world.used.size() != STEPS || world.announced() != STEPS) {
                    faults.add("cut at " + cut + ", " + again + ": not all releases were made");
                }
            }
        }
        return faults;
    }

    @Test
    void nothingIsLostAndNothingIsDrawnTwice() throws Exception {
        assertThat(faults(new SamplingScheme.FullPass(), false, false)).isEmpty();
        assertThat(faults(new SamplingScheme.PoissonSampling(0.5), false, false))
                .isEmpty();
    }

    /** The order of a ledger that is told first. */
    @Test
    void aLedgerThatIsToldFirstLosesReleases() throws Exception {
        assertThat(faults(new SamplingScheme.FullPass(), true, false)).anyMatch(fault -> fault.contains("lost"));
    }

    /** A door that neither seals nor asks what was announced. */
    @Test
    void aDoorThatForgetsDrawsTwice() throws Exception {
        assertThat(faults(new SamplingScheme.FullPass(), false, true)).anyMatch(fault -> fault.contains("drawn twice"));
    }
}
