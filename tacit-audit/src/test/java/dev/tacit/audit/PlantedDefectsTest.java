package dev.tacit.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.audit.parties.CoordinatorView;
import dev.tacit.audit.result.Defect.Kind;
import dev.tacit.audit.result.LayerResult;
import dev.tacit.audit.subject.AuditSubject;
import dev.tacit.audit.subject.AuditedDoor;
import dev.tacit.audit.table.SyntheticTable;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.door.event.PrivacyProfile;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.noise.BatchKey;
import dev.tacit.door.noise.NoiseSource;
import dev.tacit.door.noise.Provenance;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.sampling.SamplingScheme.PoissonSampling;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.sum.PartSums;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.door.sum.SumRequest;
import dev.tacit.door.sum.Summation;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.ForwardingSession;
import dev.tacit.engine.LocalSummation;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.NoiseSharing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ten ways to break a promise, each found by the audit, which says in which layer. */
class PlantedDefectsTest {
    private static final long SEED = 1;

    @TempDir
    private Path folder;

    private static AuditSubject<?, ?> oneRelease(double epsilon, double delta) {
        return Subjects.of("beta-bernoulli", "private-vb", "", epsilon, delta);
    }

    private static AuditSubject<?, ?> severalReleases() {
        return Subjects.of("logistic-regression", "dpvi", "steps=10 sampling=full", 4, 1e-2);
    }

    private AuditResult audit(AuditSubject<?, ?> subject, int runs) {
        return Audit.run(subject, Optional.empty(), AuditOptions.ofRuns(runs, SEED, folder));
    }

    private static void requireFound(AuditResult result, String layer, Kind kind) {
        Optional<LayerResult> found = result.layers().stream()
                .filter(each ->
                        each.layer().equals(layer) && each.defects().stream().anyMatch(defect -> defect.kind() == kind))
                .findFirst();
        assertThat(found).as(layer + " finds " + kind + "; " + result.toJson()).isPresent();
        assertThat(result.verdict()).contains("does not hold");
    }

    @Test
    void noiseTimesSevenTenths() {
        AuditResult result = audit(oneRelease(4, 1e-2).withNoise(0.7), 2000);
        requireFound(result, "transcript", Kind.NOISE);
        requireFound(result, "transcript", Kind.CURVE);
    }

    @Test
    void noiseTimesSeventeenTwentieths() {
        AuditResult result = audit(oneRelease(4, 1e-2).withNoise(0.85), 6000);
        requireFound(result, "transcript", Kind.NOISE);
        requireFound(result, "transcript", Kind.CURVE);
    }

    /** The door lets twice the bound through and adds the noise of the bound. */
    @Test
    void clipAtTwiceTheBound() {
        AuditSubject<?, ?> subject = severalReleases();
        AuditResult result = audit(subject.adding(new WideGrid(subject.mechanism())), 200);
        requireFound(result, "exact", Kind.NORM);
        // What such a door sealed has another bound than it is asked for, so it refuses to go on.
        requireFound(result, "resume", Kind.RESUME);
    }

    /** A mechanism whose grid, and so the clip and the one check on a unit's integers, is that of twice the bound. */
    private record WideGrid(NoiseMechanism claimed) implements NoiseMechanism {
        @Override
        public PrivacyProfile profile(int dimension) {
            return claimed.profile(dimension);
        }

        @Override
        public NoiseMechanism scaled(double factor) {
            return new WideGrid(claimed.scaled(factor));
        }

        /** The door asks with the bound of the grid, which is twice what it was asked. */
        @Override
        public double noiseStandardDeviation(double l2Bound) {
            return claimed.noiseStandardDeviation(l2Bound / 2);
        }

        @Override
        public SumGrid grid(double l2Bound, int dimension) {
            return claimed.grid(2 * l2Bound, dimension);
        }

        @Override
        public boolean forRelease() {
            return false;
        }

        @Override
        public void addNoise(long[] gridSums, double l2Bound, NoiseSource noise) {
            noise.addDiscreteGaussian(
                    noiseStandardDeviation(l2Bound)
                            / claimed.grid(l2Bound, gridSums.length).granularity(),
                    gridSums);
        }
    }

    @Test
    void wrongNeighbours() {
        AuditResult result = audit(oneRelease(4, 1e-2).protecting(PrivacyUnit.record(Neighbours.REPLACE_ONE)), 2000);
        requireFound(result, "claim", Kind.CLAIM);
        requireFound(result, "transcript", Kind.CURVE);
    }

    @Test
    void shuffledBatchesClaimedAsPoisson() {
        AuditSubject<?, ?> subject =
                Subjects.of("logistic-regression", "dpvi", "steps=10 sampling=poisson:0.1", 1, 1e-2);
        requireFound(audit(subject.through(Dealt.IN_TURN), 200), "batches", Kind.BATCHES);
    }

    @Test
    void oneBatchForAllReleasesClaimedAsPoisson() {
        AuditSubject<?, ?> subject =
                Subjects.of("logistic-regression", "dpvi", "steps=10 sampling=poisson:0.1", 1, 1e-2);
        requireFound(audit(subject.through(Dealt.ALWAYS_THE_FIRST), 200), "batches", Kind.BATCHES);
    }

    /** Units are dealt into ten batches, and the releases of an epoch see one after the other, or always the first. */
    private enum Dealt implements AuditedDoor {
        IN_TURN,
        ALWAYS_THE_FIRST;

        private static final int BATCHES = 10;

        @Override
        public PrivateDataset records(SyntheticTable table, boolean sparse, PrivacyUnit unit) {
            LocalSummation all = new LocalSummation(table.records(sparse, unit.maxRecords() > 1), 1);
            RandomStream random = RandomStream.ofSeed(5);
            return PrivateDataset.of(
                    new Summation() {
                        private final List<LocalSummation> batches = new ArrayList<>();
                        private int made;

                        @Override
                        public int columns() {
                            return all.columns();
                        }

                        @Override
                        public long units() {
                            return all.units();
                        }

                        @Override
                        public long[] sum(SumRequest request) {
                            if (!(request.sampling() instanceof PoissonSampling)) {
                                return all.sum(request);
                            }
                            if (made % BATCHES == 0 && (made == 0 || Dealt.this == IN_TURN)) {
                                deal();
                            }
                            int turn = Dealt.this == IN_TURN ? made % BATCHES : 0;
                            made++;
                            return batches.get(turn)
                                    .sum(new SumRequest(
                                            request.query(),
                                            request.grid(),
                                            new FullPass(),
                                            request.batch(),
                                            request.maxRecords()));
                        }

                        private void deal() {
                            List<List<double[][]>> rows = new ArrayList<>();
                            List<List<double[]>> labels = new ArrayList<>();
                            for (int batch = 0; batch < BATCHES; batch++) {
                                rows.add(new ArrayList<>());
                                labels.add(new ArrayList<>());
                            }
                            for (int each = 0; each < table.units().size(); each++) {
                                int batch = random.nextInt(BATCHES);
                                rows.get(batch).add(table.units().get(each));
                                labels.get(batch).add(table.unitLabels().get(each));
                            }
                            batches.clear();
                            for (int batch = 0; batch < BATCHES; batch++) {
                                SyntheticTable own =
                                        new SyntheticTable(table.shape(), rows.get(batch), labels.get(batch));
                                batches.add(new LocalSummation(own.records(sparse, unit.maxRecords() > 1), 1));
                            }
                        }

                        @Override
                        public void close() {
                            all.close();
                        }
                    },
                    unit,
                    table.shape().publicSize());
        }
    }

    @Test
    void oneBitLeakedWithProbabilityOneTwentieth() {
        requireFound(audit(oneRelease(1, 1e-3).through(new Leaky()), 5000), "transcript", Kind.CURVE);
    }

    /** Once in twenty runs the number of units stands in the first number that is released. */
    private static final class Leaky implements AuditedDoor {
        private final IdentityHashMap<PrivateDataset, Integer> units = new IdentityHashMap<>();
        private final RandomStream random = RandomStream.ofSeed(6);

        @Override
        public PrivateDataset records(SyntheticTable table, boolean sparse, PrivacyUnit unit) {
            PrivateDataset data = AuditedDoor.super.records(table, sparse, unit);
            units.put(data, table.units().size());
            return data;
        }

        @Override
        public PrivateSession open(
                PrivateDataset data, RunRequest run, NoiseMechanism mechanism, PrivacyLedger ledger, NoiseSource noise)
                throws BudgetExhausted {
            PrivateSession session = AuditedDoor.super.open(data, run, mechanism, ledger, noise);
            boolean leaks = random.uniform() < 0.05;
            return new ForwardingSession(session) {
                @Override
                public NoisySum release(RecordSum query, double l2Bound) {
                    NoisySum sum = session.release(query, l2Bound);
                    double[] numbers = sum.value().clone();
                    numbers[0] += leaks ? 50 * sum.noiseStandardDeviation() * units.get(data) : 0;
                    return sum.derived(numbers, sum.noiseStandardDeviation(), sum.expectedBatchSize());
                }
            };
        }
    }

    @Test
    void releasesWithoutNoiseWithProbabilityOneTwentieth() {
        AuditSubject<?, ?> subject = severalReleases();
        requireFound(
                audit(subject.adding(new Sometimes(subject.mechanism(), RandomStream.ofSeed(7))), 200),
                "transcript",
                Kind.REPEATED_NOISE);
    }

    /** Forgets the noise once in twenty releases. */
    private record Sometimes(NoiseMechanism claimed, RandomStream random) implements NoiseMechanism {
        @Override
        public PrivacyProfile profile(int dimension) {
            return claimed.profile(dimension);
        }

        @Override
        public NoiseMechanism scaled(double factor) {
            return new Sometimes(claimed.scaled(factor), random);
        }

        @Override
        public double noiseStandardDeviation(double l2Bound) {
            return claimed.noiseStandardDeviation(l2Bound);
        }

        @Override
        public SumGrid grid(double l2Bound, int dimension) {
            return claimed.grid(l2Bound, dimension);
        }

        @Override
        public boolean forRelease() {
            return false;
        }

        @Override
        public void addNoise(long[] gridSums, double l2Bound, NoiseSource noise) {
            if (random.uniform() >= 0.05) {
                claimed.addNoise(gridSums, l2Bound, noise);
            }
        }
    }

    @Test
    void seedReusedAfterResuming() {
        AuditedDoor again = new AuditedDoor() {
            @Override
            public PrivateSession open(
                    PrivateDataset data,
                    RunRequest run,
                    NoiseMechanism mechanism,
                    PrivacyLedger ledger,
                    NoiseSource noise)
                    throws BudgetExhausted {
                NoiseSource used = run.position().isPresent() ? new FromTheStart(noise, 2) : noise;
                return AuditedDoor.super.open(data, run, mechanism, ledger, used);
            }
        };
        requireFound(audit(severalReleases().through(again), 200), "resume", Kind.RESUME);
    }

    /** Counts the releases of a resumed run from its resumption. */
    private record FromTheStart(NoiseSource noise, long before) implements NoiseSource {
        @Override
        public void addDiscreteGaussian(double standardDeviation, long[] numbers) {
            noise.addDiscreteGaussian(standardDeviation, numbers);
        }

        @Override
        public NoiseSource fork(long label) {
            return noise.fork(label - before);
        }

        @Override
        public BatchKey batchKey() {
            return noise.batchKey();
        }

        @Override
        public Provenance provenance() {
            return noise.provenance();
        }

        @Override
        public long nextLong() {
            return noise.nextLong();
        }

        @Override
        public long below(long bound) {
            return noise.below(bound);
        }

        @Override
        public long failures(double rate, long limit) {
            return noise.failures(rate, limit);
        }
    }

    private static final String COLUMNS = """
            size: 1000
            target: y
            columns:
              a: {type: number, bounds: [0, 10], missing: category}
              b: {type: category, categories: [u, v], missing: category}
              y: {type: binary, positive: 1, missing: {constant: 1}}
              id: {type: ignore}
            """;

    private AuditResult auditReader(AuditedFile file) {
        return Audit.run(oneRelease(4, 1e-2), Optional.of(file), AuditOptions.ofRuns(200, SEED, folder));
    }

    @Test
    void recordForgottenByAReader() {
        Schema schema = SchemaYaml.read("unit: record\n" + COLUMNS);
        AuditedFile honest = AuditedFile.of("table.csv", schema, 20);
        assertThat(auditReader(honest).defects()).isEmpty();
        AuditedFile forgetful = new AuditedFile("table.csv", schema, 20, (file, declared) -> {
            rewrite(file);
            return honest.reader().apply(file, declared);
        });
        requireFound(auditReader(forgetful), "reader", Kind.READER);
    }

    /** A reader that loses the record after one that ends in a quote. */
    private static void rewrite(Path file) {
        try {
            String text = Files.readString(file);
            int quote = text.indexOf("\"\n");
            int end = quote < 0 ? -1 : text.indexOf('\n', quote + 2);
            if (end >= 0) {
                Files.writeString(file, text.substring(0, quote + 2) + text.substring(end + 1));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void personCountedTwice() {
        AuditSubject<?, ?> subject = Subjects.of(
                "beta-bernoulli", "private-vb", "", new PrivacyUnit("person", 3, Neighbours.ADD_REMOVE), 4, 1e-2);
        assertThat(audit(subject, 200).defects()).isEmpty();
        AuditedDoor byRecord = new AuditedDoor() {
            @Override
            public PrivateDataset records(SyntheticTable table, boolean sparse, PrivacyUnit unit) {
                return LocalSummation.dataset(
                        table.records(sparse, false), unit, table.shape().publicSize(), 1);
            }
        };
        requireFound(audit(subject.through(byRecord), 200), "exact", Kind.NORM);
    }

    /** Three parties share the noise for all of them, and the aggregator opens a sum of two. */
    @Test
    void noiseSharesOfAnAbsentParty() {
        NoiseSharing sharing = new NoiseSharing(3, 0, 0);
        requireFound(audit(shared(sharing, new CoordinatorView(sharing, 0, 1)), 4000), "transcript", Kind.NOISE);
    }

    /** Three parties share the noise for all of them, and one tells the coordinator its share. */
    @Test
    void noiseSharesOfAColluder() {
        NoiseSharing sharing = new NoiseSharing(3, 0, 0);
        requireFound(audit(shared(sharing, new CoordinatorView(sharing, 1, 0)), 4000), "transcript", Kind.NOISE);
    }

    private static AuditSubject<?, ?> shared(NoiseSharing sharing, CoordinatorView view) {
        AuditSubject<?, ?> subject = oneRelease(4, 1e-2);
        double multiplier = ((DiscreteGaussianMechanism) subject.mechanism()).noiseMultiplier();
        return subject.through(view).adding(sharing.share(multiplier));
    }

    /** An engine that sums the second half of its records twice. */
    @Test
    void engineThatSumsAPartTwice() {
        AuditedDoor twice = AuditedDoor.over(records -> new Summation() {
            private final LocalSummation all = new LocalSummation(records, 1);

            @Override
            public int columns() {
                return all.columns();
            }

            @Override
            public long units() {
                return all.units();
            }

            @Override
            public long[] sum(SumRequest request) {
                long[] sums = all.sum(request);
                PartSums again = new PartSums(records, request);
                again.addUnits(records.units() / 2, records.units() - records.units() / 2);
                for (int j = 0; j < sums.length; j++) {
                    sums[j] += again.sums()[j];
                }
                return sums;
            }

            @Override
            public void close() {
                all.close();
            }
        });
        AuditSubject<?, ?> honest =
                severalReleases().through(AuditedDoor.over(records -> new LocalSummation(records, 2)));
        assertThat(audit(honest, 200).defects()).isEmpty();
        AuditResult result = audit(severalReleases().through(twice), 200);
        assertThat(result.defects()).isNotEmpty();
        assertThat(result.layers().stream()
                        .filter(layer -> !layer.defects().isEmpty())
                        .map(LayerResult::layer))
                .contains("exact");
    }

    @Test
    void tooFewRunsSaySo() {
        AuditResult result = audit(oneRelease(0.05, 1e-2), 20);
        assertThat(result.defects()).isEmpty();
        assertThat(result.control().caught()).isFalse();
        assertThat(result.verdict()).contains("Too few runs to see anything");
        assertThat(List.of(result.verdict(), result.toJson().toString())).noneMatch(text -> text.contains("verified"));
    }
}
