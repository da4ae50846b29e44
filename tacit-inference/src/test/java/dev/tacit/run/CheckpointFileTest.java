package dev.tacit.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.inference.DpVariationalInference;
import dev.tacit.inference.Runs;
import dev.tacit.model.LogisticRegression;
import dev.tacit.numerics.RandomStream;
import dev.tacit.optimizer.GradientStep;
import dev.tacit.posterior.PosteriorJson;
import dev.tacit.privacy.data.PrivateDataset;
import dev.tacit.privacy.data.ReleasePlan;
import dev.tacit.privacy.data.RunRequest;
import dev.tacit.privacy.ledger.PrivacyLedger;
import dev.tacit.privacy.mechanism.DiscreteGaussianMechanism;
import dev.tacit.privacy.noise.ReplayNoise;
import dev.tacit.privacy.sampling.SamplingScheme;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Few checkpoints and a log of releases between them are as good as a checkpoint after every release. */
class CheckpointFileTest {
    private static final int STEPS = 120;
    private static final double NOISE = 3;

    @TempDir
    private Path folder;

    private final LogisticRegression model = new LogisticRegression(Runs.names(3), 1, 0.3);
    private final DpVariationalInference kernel = new DpVariationalInference(new DpVariationalInference.Settings(
            STEPS, new SamplingScheme.PoissonSampling(0.5), 1, 3, 5, 0.2, new GradientStep.Adam(0.05), 0.2));
    private final PrivateDataset data =
            Runs.dataset(Runs.logistic(200, new double[] {2, -1, 0.5}, RandomStream.ofSeed(5)));

    private static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** A file that counts whole checkpoints and lets the process die after a release was kept. */
    private static final class Counting implements Checkpoint.Store {
        private final CheckpointFile file;
        private final long crashAt;
        private int whole;

        Counting(Path path, long crashAt) {
            this.file = new CheckpointFile(path, () -> 0);
            this.crashAt = crashAt;
        }

        @Override
        public void save(Checkpoint checkpoint) {
            file.save(checkpoint);
            whole++;
            crash(checkpoint.released());
        }

        @Override
        public boolean append(ReleaseEntry release) {
            file.append(release);
            crash(release.released());
            return true;
        }

        private void crash(long released) {
            if (released == crashAt) {
                throw new Crash();
            }
        }

        @Override
        public Optional<Checkpoint> load() {
            return file.load();
        }

        @Override
        public List<ReleaseEntry> appended() {
            return file.appended();
        }
    }

    private InferenceRun.Result<DpVariationalInference.State> run(Counting store, PrivacyLedger ledger)
            throws Exception {
        ReleasePlan plan = kernel.plan(model, data.publicSize());
        return new InferenceRun<>(kernel, model, "test", store, RunListener.NONE)
                .run(
                        checkpoint -> {
                            RunRequest request = RunRequest.of("test", plan).named("run");
                            return data.open(
                                    checkpoint
                                            .flatMap(Checkpoint::position)
                                            .map(request::resumedAt)
                                            .orElse(request),
                                    new DiscreteGaussianMechanism(NOISE),
                                    ledger,
                                    ReplayNoise.ofSeed(9));
                        },
                        RandomStream.ofSeed(4));
    }

    private PrivacyLedger ledger() {
        return Runs.ledger(data, kernel.plan(model, data.publicSize()), NOISE);
    }

    @Test
    void aRunThatDiedAnywhereEndsInTheSameBits() throws Exception {
        Counting undisturbed = new Counting(folder.resolve("whole.json"), -1);
        var whole = run(undisturbed, ledger());
        String expected = PosteriorJson.write(whole.posterior());
        assertThat(undisturbed.whole).isLessThan(25);
        assertThat(folder.resolve("whole.json.log")).doesNotExist();
        for (long moment : new long[] {1, 8, 9, 40, 41, 119}) {
            Path file = folder.resolve("run" + moment + ".json");
            PrivacyLedger ledger = ledger();
            assertThatThrownBy(() -> run(new Counting(file, moment), ledger)).isInstanceOf(Crash.class);
            var resumed = run(new Counting(file, -1), ledger);
            assertThat(PosteriorJson.write(resumed.posterior()))
                    .as("died after release " + moment)
                    .isEqualTo(expected);
            assertThat(resumed.notes()).hasSize(STEPS);
            assertThat(ledger.entries()).hasSize(1);
            assertThat(ledger.entries().get(0).released()).isEqualTo(STEPS);
        }
    }

    @Test
    void halfALineIsNotARelease() throws Exception {
        Path file = folder.resolve("run.json");
        PrivacyLedger ledger = ledger();
        assertThatThrownBy(() -> run(new Counting(file, 50), ledger)).isInstanceOf(Crash.class);
        Path log = folder.resolve("run.json.log");
        long noted = new CheckpointFile(file, () -> 0).appended().size();
        Files.writeString(log, "{\"released\": 51, \"val", StandardOpenOption.APPEND);
        assertThat(new CheckpointFile(file, () -> 0).appended()).hasSize((int) noted);
        var resumed = run(new Counting(file, -1), ledger);
        assertThat(PosteriorJson.write(resumed.posterior()))
                .isEqualTo(PosteriorJson.write(run(new Counting(folder.resolve("other.json"), -1), ledger())
                        .posterior()));
    }

    /** Lines that a checkpoint already holds, because the process died before it could delete them, are passed over. */
    @Test
    void oldLinesDoNotCountTwice() throws IOException {
        Path file = folder.resolve("run.json");
        PrivacyLedger ledger = ledger();
        assertThatThrownBy(() -> run(new Counting(file, 40), ledger)).isInstanceOf(Crash.class);
        CheckpointFile store = new CheckpointFile(file, () -> 0);
        List<ReleaseEntry> noted = store.appended();
        assertThat(noted).isNotEmpty();
        Checkpoint kept = store.load().orElseThrow();
        String log = Files.readString(folder.resolve("run.json.log"));
        store.save(new Checkpoint(kept.configuration(), 39, noted.get(0).position(), kept.state(), kept.notes()));
        Files.writeString(folder.resolve("run.json.log"), log);
        assertThat(store.appended()).extracting(ReleaseEntry::released).containsExactly(40L);
    }
}
