package dev.tacit.door.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.event.PrivacyProfile;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.LedgerConflict;
import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.ledger.RunPosition;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.noise.Provenance;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.sampling.SamplingScheme.FixedSizeSampling;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.sampling.SamplingScheme.PoissonSampling;
import dev.tacit.door.sum.DoorFixtures;
import dev.tacit.door.sum.MemoryRecords;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.door.sum.VectorSum;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.ledger.FileLedger;
import dev.tacit.ledger.InMemoryLedger;
import dev.tacit.ledger.PaidReleases;
import dev.tacit.ledger.SealedFile;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.noise.SecureNoise;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionTest {
    private static final int COLUMNS = 3;
    private static final int RECORDS = 500;
    private static final DiscreteGaussianMechanism NOISE = new DiscreteGaussianMechanism(5);
    private static final RecordSum ROW = VectorSum.ofRows(COLUMNS);
    private static final RecordSum COUNT = VectorSum.of(1, (block, row, sum) -> sum[0]++);

    private final double[][] rows = DoorFixtures.rows(RECORDS, COLUMNS, RandomSource.XO_RO_SHI_RO_128_PP.create(5L));
    private final PrivateDataset dataset =
            DoorFixtures.dataset(DoorFixtures.source(rows, 64, false, null), DoorFixtures.RECORD, RECORDS);
    private final PrivacyLedger ledger = DoorFixtures.ledger(DoorFixtures.RECORD);

    @TempDir
    private Path folder;

    /** Noise that is not for release. */
    private record Idealised(DiscreteGaussianMechanism inner) implements NoiseMechanism {
        @Override
        public PrivacyProfile profile(int dimension) {
            return inner.profile(dimension);
        }

        @Override
        public NoiseMechanism scaled(double factor) {
            return new Idealised(inner.scaled(factor));
        }

        @Override
        public double noiseStandardDeviation(double l2Bound) {
            return inner.noiseStandardDeviation(l2Bound);
        }

        @Override
        public SumGrid grid(double l2Bound, int dimension) {
            return inner.grid(l2Bound, dimension);
        }

        @Override
        public boolean forRelease() {
            return false;
        }
    }

    private static ReleasePlan plan(long times) {
        return ReleasePlan.of("sum", times, COLUMNS, new PoissonSampling(0.2));
    }

    private PrivateSession open(RunRequest run, PrivacyLedger where) throws BudgetExhausted {
        return dataset.open(run, NOISE, where, ReplayNoise.ofSeed(7));
    }

    @Test
    void releasesFollowThePlanAndTheLedgerHoldsIt() throws BudgetExhausted {
        ReleasePlan plan = new ReleasePlan(List.of(
                new ReleasePlan.Phase("count", 2, 1, new FullPass(), 4),
                new ReleasePlan.Phase("sums", 3, COLUMNS, new PoissonSampling(0.1), 1)));
        PrivateSession session = open(RunRequest.of("run", plan), ledger);
        assertThatThrownBy(() -> session.release(ROW, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"count\"");
        NoisySum count = session.release(COUNT, 2);
        assertThat(count.noiseStandardDeviation()).isBetween(40.0, 40.001);
        assertThat(count.expectedBatchSize()).isEqualTo(RECORDS);
        assertThat(count.provenance()).isEqualTo(Provenance.SIMULATED_NOT_FOR_RELEASE);
        session.release(COUNT, 2);
        for (int i = 0; i < 3; i++) {
            NoisySum sums = session.release(ROW, 1);
            assertThat(sums.expectedBatchSize()).isEqualTo(RECORDS * 0.1);
            assertThat(sums.noiseStandardDeviation()).isBetween(5.0, 5.001);
        }
        assertThatThrownBy(() -> session.release(ROW, 1)).isInstanceOf(IllegalStateException.class);
        assertThat(session.event()).isEqualTo(plan.event(NOISE));
        assertThat(ledger.entries()).hasSize(1);
        assertThat(ledger.entries().get(0).event()).isEqualTo(plan.event(NOISE));
        assertThat(ledger.entries().get(0).released()).isEqualTo(plan.releases());
        assertThat(PaidReleases.of(ledger.entries().get(0).event())).isEqualTo(plan.releases());
    }

    @Test
    void anEmptyBatchIsPureNoiseAndTheSizeIsTheDeclaredOne() throws BudgetExhausted {
        RecordSource none = new MemoryRecords(new double[0][], COLUMNS, 8, false, null);
        PrivateDataset empty = DoorFixtures.dataset(none, DoorFixtures.RECORD, 1000);
        for (SamplingScheme sampling : List.of(new FullPass(), new PoissonSampling(0.2))) {
            NoisySum sum = empty.open(
                            RunRequest.of("run", ReleasePlan.of("sum", 1, COLUMNS, sampling)),
                            NOISE,
                            DoorFixtures.ledger(DoorFixtures.RECORD),
                            ReplayNoise.ofSeed(3))
                    .release(ROW, 1);
            long[] noise = new long[COLUMNS];
            NOISE.addNoise(noise, 1, ReplayNoise.ofSeed(3).fork(0).fork(0));
            assertThat(sum.integers()).isEqualTo(noise);
            assertThat(sum.expectedBatchSize()).isEqualTo(sampling.expectedBatchSize(1000));
        }
    }

    @Test
    void aSessionThatIsNotPrivateSaysSo() {
        PrivateSession session = dataset.openNotPrivate(RunRequest.of("baseline", plan(2)), ReplayNoise.ofSeed(1));
        NoisySum sum = session.release(ROW, 1);
        assertThat(sum.provenance()).isEqualTo(Provenance.NOT_PRIVATE);
        assertThat(sum.noiseStandardDeviation()).isZero();
        assertThat(session.event()).isInstanceOf(PrivacyEvent.NotPrivate.class);
        assertThat(session.position()).isEmpty();
        assertThat(new ExactAccountant().epsilon(session.event(), 1e-5, Neighbours.ADD_REMOVE))
                .isInstanceOf(EpsilonBound.Unbounded.class);
        assertThat(ledger.entries()).isEmpty();
    }

    @Test
    void withoutNoiseTheSumIsTheSum() {
        ReleasePlan plan = ReleasePlan.of("sum", 1, COLUMNS, new FullPass());
        NoisySum sum = dataset.openNotPrivate(RunRequest.of("baseline", plan), ReplayNoise.ofSeed(1))
                .release(ROW, 1);
        for (int column = 0; column < COLUMNS; column++) {
            double expected = 0;
            for (double[] row : rows) {
                expected += row[column];
            }
            assertThat(sum.value()[column]).isBetween(expected - 1e-5, expected + 1e-5);
        }
    }

    @Test
    void aReplayedRunResumedAnywhereIsBitEqual() throws BudgetExhausted {
        int releases = 6;
        double[][] expected = new double[releases][];
        PrivateSession whole = open(RunRequest.of("run", plan(releases)).named("whole"), ledger);
        for (int i = 0; i < releases; i++) {
            expected[i] = whole.release(ROW, 1).value();
        }
        for (int checkpoint = 0; checkpoint <= releases; checkpoint++) {
            for (int crash = checkpoint; crash <= releases; crash++) {
                PrivacyLedger own = DoorFixtures.ledger(DoorFixtures.RECORD);
                RunRequest run = RunRequest.of("run", plan(releases)).named("broken");
                PrivateSession first = open(run, own);
                RunPosition position = first.position().orElseThrow();
                for (int i = 0; i < crash; i++) {
                    assertThat(first.release(ROW, 1).value()).isEqualTo(expected[i]);
                    position = i + 1 == checkpoint ? first.position().orElseThrow() : position;
                }
                PrivateSession second = open(run.resumedAt(position), own);
                assertThat(second.lostReleases()).isZero();
                assertThat(second.released()).isEqualTo(checkpoint);
                for (int i = checkpoint; i < releases; i++) {
                    assertThat(second.release(ROW, 1).value()).isEqualTo(expected[i]);
                }
                assertThat(own.entries()).hasSize(1);
                assertThat(own.entries().get(0).released()).isEqualTo(releases);
            }
        }
    }

    @Test
    void aSecureRunResumedSkipsWhatWasAnnounced() throws BudgetExhausted {
        FileLedger file = FileLedger.create(
                folder.resolve("a.ledger"), DoorFixtures.terms(DoorFixtures.RECORD), DoorFixtures.ACCOUNTING);
        RunRequest run = RunRequest.of("run", plan(5)).named("r");
        PrivateSession first = dataset.open(run, NOISE, file, SecureNoise.create());
        assertThat(first.release(ROW, 1).provenance()).isEqualTo(Provenance.RELEASABLE);
        RunPosition checkpoint = first.position().orElseThrow();
        first.release(ROW, 1);
        first.release(ROW, 1);

        PrivateSession second = dataset.open(run.resumedAt(checkpoint), NOISE, file, SecureNoise.create());
        assertThat(second.lostReleases()).isEqualTo(2);
        assertThat(second.released()).isEqualTo(3);
        second.release(ROW, 1);
        assertThatThrownBy(() -> first.release(ROW, 1)).isInstanceOf(LedgerConflict.class);
        second.release(ROW, 1);
        assertThatThrownBy(() -> second.release(ROW, 1)).isInstanceOf(IllegalStateException.class);

        PrivateSession third = dataset.open(run, NOISE, file, SecureNoise.create());
        assertThat(third.lostReleases()).isEqualTo(5);
        assertThatThrownBy(() -> third.release(ROW, 1)).isInstanceOf(IllegalStateException.class);
        assertThat(file.entries()).hasSize(1);
        assertThat(file.entries().get(0).released()).isEqualTo(5);
    }

    /** A door that crashes at one of the steps of its third release, and is opened again. */
    @Test
    void aSealedRunResumedLosesNothingAndDrawsNothingTwice() throws BudgetExhausted {
        FileLedger file = FileLedger.create(
                folder.resolve("s.ledger"), DoorFixtures.terms(DoorFixtures.RECORD), DoorFixtures.ACCOUNTING);
        Path store = folder.resolve("releases");
        RunRequest run = RunRequest.of("run", plan(5)).named("r");
        double[][] values = new double[3][];
        try (SealedFile sealed = SealedFile.open(store, "r")) {
            PrivateSession first = dataset.open(run.sealedIn(sealed), NOISE, file, SecureNoise.create());
            for (int i = 0; i < 3; i++) {
                values[i] = first.release(ROW, 1).value();
            }
            // Sealed, and the ledger was not told: the crash came in between.
            sealed.keep(new SealedRelease(3, 1, NOISE.noiseStandardDeviation(1), new long[COLUMNS]));
        }
        try (SealedFile sealed = SealedFile.open(store, "r")) {
            PrivateSession second = dataset.open(run.sealedIn(sealed), NOISE, file, SecureNoise.create());
            assertThat(second.lostReleases()).isZero();
            assertThat(second.released()).isZero();
            for (double[] value : values) {
                assertThat(second.release(ROW, 1).value()).isEqualTo(value);
            }
            assertThat(file.entries().get(0).released()).isEqualTo(3);
            assertThat(second.release(ROW, 1).value()).isEqualTo(new double[COLUMNS]);
            assertThat(file.entries().get(0).released()).isEqualTo(4);
            second.release(ROW, 1);
        }
        assertThat(file.entries()).hasSize(1);
        assertThat(file.entries().get(0).released()).isEqualTo(5);
    }

    /** A sealed value that somebody took away is lost, wherever it is missing; others are handed out all the same. */
    @Test
    void whatIsNoLongerSealedIsLost() throws BudgetExhausted {
        FileLedger file = FileLedger.create(
                folder.resolve("l.ledger"), DoorFixtures.terms(DoorFixtures.RECORD), DoorFixtures.ACCOUNTING);
        RunRequest run = RunRequest.of("run", plan(6)).named("r");
        SumGrid grid = NOISE.grid(1, COLUMNS);
        try (SealedFile sealed = SealedFile.open(folder.resolve("all"), "r")) {
            PrivateSession first = dataset.open(run.sealedIn(sealed), NOISE, file, SecureNoise.create());
            for (int i = 0; i < 5; i++) {
                first.release(ROW, 1);
            }
            try (SealedFile some = SealedFile.open(folder.resolve("some"), "r")) {
                some.keep(sealed.read(1, grid));
                some.keep(sealed.read(3, grid));
                PrivateSession second = dataset.open(run.sealedIn(some), NOISE, file, SecureNoise.create());
                assertThat(second.lostReleases()).isEqualTo(1);
                assertThat(second.released()).isEqualTo(1);
                assertThat(second.release(ROW, 1).integers())
                        .isEqualTo(sealed.read(1, grid).integers());
                assertThat(second.lostReleases()).isEqualTo(2);
                assertThat(second.release(ROW, 1).integers())
                        .isEqualTo(sealed.read(3, grid).integers());
                assertThat(second.lostReleases()).isEqualTo(3);
                assertThat(second.released()).isEqualTo(5);
                second.release(ROW, 1);
                assertThat(second.released()).isEqualTo(6);
            }
        }
    }

    /**
     * Parties add up what their doors release: a share without its last bits would not be noise that adds up. Sums here take 55 bits; of
     * 60 integers that lost one all would be even, which happens by chance with probability 2^-60.
     */
    @Test
    void integersThatNoDoubleHoldsAreReleasedAndSealedWhole() throws BudgetExhausted {
        DiscreteGaussianMechanism little = new DiscreteGaussianMechanism(0x1p-20);
        int records = 1 << 14;
        double[][] ones = new double[records][COLUMNS];
        for (double[] row : ones) {
            Arrays.fill(row, 1 / Math.sqrt(COLUMNS));
        }
        PrivateDataset many =
                DoorFixtures.dataset(DoorFixtures.source(ones, 1024, false, null), DoorFixtures.RECORD, records);
        RunRequest run = RunRequest.of("run", ReleasePlan.of("sum", 20, COLUMNS, new FullPass()))
                .named("r");
        List<Long> released = new ArrayList<>();
        try (SealedFile sealed = SealedFile.open(folder.resolve("exact"), "r")) {
            PrivateSession first = many.open(run.sealedIn(sealed), little, ledger, ReplayNoise.ofSeed(7));
            for (int i = 0; i < 20; i++) {
                Arrays.stream(first.release(ROW, 1).integers()).forEach(released::add);
            }
            PrivateSession again = many.open(run.sealedIn(sealed), little, ledger, ReplayNoise.ofSeed(8));
            List<Long> sealedBefore = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                Arrays.stream(again.release(ROW, 1).integers()).forEach(sealedBefore::add);
            }
            assertThat(sealedBefore).isEqualTo(released);
        }
        assertThat(released).allMatch(integer -> integer > 1L << 54).anyMatch(integer -> integer % 2 == 1);
    }

    @Test
    void aSealedValueAnswersTheQuestionThatWasAsked() throws BudgetExhausted {
        RunRequest run = RunRequest.of("run", plan(2)).named("r");
        try (SealedFile sealed = SealedFile.open(folder.resolve("q"), "r")) {
            open(run.sealedIn(sealed), ledger).release(ROW, 1);
            PrivateSession again = open(run.sealedIn(sealed), ledger);
            assertThatThrownBy(() -> again.release(ROW, 0.5))
                    .isInstanceOf(SealedConflict.class)
                    .hasMessageContaining("other numbers, bound or noise");
            again.release(ROW, 1);
        }
    }

    @Test
    void aCheckpointThatDoesNotFitCostsNothing() throws BudgetExhausted {
        RunRequest run = RunRequest.of("run", plan(2)).named("r");
        PrivateSession session = open(run, ledger);
        session.release(ROW, 1);
        RunPosition position = session.position().orElseThrow();
        RunRequest nameless = RunRequest.of("run", plan(2)).resumedAt(position);
        assertThatThrownBy(() -> open(nameless, ledger)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> open(nameless.named("other"), ledger)).isInstanceOf(IllegalArgumentException.class);
        assertThat(ledger.entries()).hasSize(1);
        PrivacyLedger behind = DoorFixtures.ledger(DoorFixtures.RECORD);
        assertThatThrownBy(() -> open(run.resumedAt(position), behind)).isInstanceOf(LedgerConflict.class);
        assertThat(behind.entries()).isEmpty();
    }

    @Test
    void refusesWhatWouldNotBePrivate() {
        RunRequest run = RunRequest.of("run", plan(1));
        assertThatThrownBy(() -> dataset.open(run, NOISE, ledger, SecureNoise.create()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("survives a crash");
        FileLedger file = FileLedger.create(
                folder.resolve("b.ledger"), DoorFixtures.terms(DoorFixtures.RECORD), DoorFixtures.ACCOUNTING);
        assertThatThrownBy(() -> dataset.open(run, new Idealised(NOISE), file, SecureNoise.create()))
                .isInstanceOf(IllegalArgumentException.class);
        for (PrivacyUnit other :
                List.of(PrivacyUnit.record(Neighbours.REPLACE_ONE), DoorFixtures.person(1), DoorFixtures.person(2))) {
            InMemoryLedger another = DoorFixtures.ledger(other);
            assertThatThrownBy(() -> open(run, another))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the data set declares one record");
            assertThat(another.entries()).isEmpty();
        }
        ReleasePlan loud = new ReleasePlan(List.of(new ReleasePlan.Phase("sum", 1, 1 << 20, new FullPass(), 0x1p25)));
        assertThatThrownBy(() -> open(RunRequest.of("run", loud), ledger))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("too large");
        assertThat(ledger.entries()).isEmpty();
    }

    @Test
    void refusesFixedBatchesWhoseSizeIsPrivate() throws BudgetExhausted {
        RunRequest run = RunRequest.of("run", ReleasePlan.of("sum", 1, COLUMNS, new FixedSizeSampling(5, RECORDS)));
        assertThatThrownBy(() -> open(run, ledger)).hasMessageContaining("replace-one");

        PrivacyUnit replaced = PrivacyUnit.record(Neighbours.REPLACE_ONE);
        RecordSource source = DoorFixtures.source(rows, 64, false, null);
        InMemoryLedger own = DoorFixtures.ledger(replaced);
        for (long size : new long[] {RECORDS - 1, RECORDS + 1}) {
            PrivateDataset other = DoorFixtures.dataset(source, replaced, size);
            assertThatThrownBy(() -> other.open(run, NOISE, own, ReplayNoise.ofSeed(1)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(own.entries()).isEmpty();
        NoisySum sum = DoorFixtures.dataset(source, replaced, RECORDS)
                .open(run, NOISE, own, ReplayNoise.ofSeed(1))
                .release(ROW, 1);
        assertThat(sum.expectedBatchSize()).isEqualTo(5);
    }

    /** A data set with fewer or more units than declared behaves as any other: nothing is thrown, nothing shown. */
    @Test
    void theRealSizeShowsNowhere() throws BudgetExhausted {
        for (long size : new long[] {1, RECORDS - 1, 10L * RECORDS}) {
            NoisySum sum = DoorFixtures.dataset(DoorFixtures.source(rows, 64, false, null), DoorFixtures.RECORD, size)
                    .open(
                            RunRequest.of("run", plan(1)),
                            NOISE,
                            DoorFixtures.ledger(DoorFixtures.RECORD),
                            ReplayNoise.ofSeed(1))
                    .release(ROW, 1);
            assertThat(sum.expectedBatchSize()).isEqualTo(0.2 * size);
        }
    }

    @Test
    void aBrokenQueryIsFoundOnAPublicRecordBeforeAnythingIsAnnounced() throws BudgetExhausted {
        PrivateSession session = open(RunRequest.of("run", plan(2)), ledger);
        RecordSum broken = VectorSum.of(COLUMNS, (block, row, sum) -> sum[COLUMNS] = 1);
        assertThatThrownBy(() -> session.release(broken, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("record of zeros");
        assertThat(session.released()).isZero();
        assertThat(ledger.entries().get(0).released()).isZero();
        session.release(ROW, 1);
    }

    @Test
    void aQueryCannotReleaseFromInside() throws BudgetExhausted {
        PrivateSession session = open(RunRequest.of("run", plan(2)), ledger);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        RecordSum nested = VectorSum.of(COLUMNS, (block, row, sum) -> {
            try {
                session.release(ROW, 1);
            } catch (IllegalStateException e) {
                thrown.set(e);
            }
        });
        session.release(nested, 1);
        assertThat(thrown.get()).hasMessageContaining("one release at a time");
        assertThat(session.released()).isEqualTo(1);
    }

    @Test
    void blocksOfAnotherShapeAreRefused() {
        assertThatThrownBy(() -> DenseBlock.of(2, 3, new double[5], null))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> DenseBlock.of(-1, -3, new double[5], null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DenseBlock.of(2, 2, new double[4], null).part(1, 3))
                .isInstanceOf(IndexOutOfBoundsException.class);
        double[] two = {1, 2};
        assertThatThrownBy(() -> SparseBlock.of(1, 3, new int[] {0, 2}, new int[] {1, 1}, two, null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SparseBlock.of(1, 3, new int[] {0, 2}, new int[] {1, 3}, two, null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SparseBlock.of(1, 3, new int[] {0, 2}, new int[] {0, 1}, new double[1], null))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> SparseBlock.of(2, 3, new int[] {0, 2, 1}, new int[] {0, 1}, two, null))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }
}
