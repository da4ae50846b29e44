package dev.tacit.audit;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.noise.BatchKey;
import dev.tacit.door.noise.NoiseSource;
import dev.tacit.door.noise.Provenance;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.ForwardingSession;
import dev.tacit.engine.LocalSummation;
import dev.tacit.numerics.RandomStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    @Test
    void wrongNeighbours() {
        AuditResult result = audit(oneRelease(4, 1e-2).protecting(PrivacyUnit.record(Neighbours.REPLACE_ONE)), 2000);
        requireFound(result, "claim", Kind.CLAIM);
        requireFound(result, "transcript", Kind.CURVE);
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

    @Test
    void noiseSharesOfAnAbsentParty() {
        AuditSubject<?, ?> subject = oneRelease(4, 1e-2);
        requireFound(audit(subject.adding(new Shares(subject.mechanism(), 3, 2)), 4000), "transcript", Kind.NOISE);
    }

    /** Noise that parties add in shares, some of them missing. */
    private record Shares(NoiseMechanism claimed, int parties, int present) implements NoiseMechanism {
        @Override
        public PrivacyProfile profile(int dimension) {
            return claimed.profile(dimension);
        }

        @Override
        public NoiseMechanism scaled(double factor) {
            return new Shares(claimed.scaled(factor), parties, present);
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
            double steps = noiseStandardDeviation(l2Bound)
                    / grid(l2Bound, gridSums.length).granularity();
            for (int party = 0; party < present; party++) {
                noise.fork(party).addDiscreteGaussian(steps / Math.sqrt(parties), gridSums);
            }
        }
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
