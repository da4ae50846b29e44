package dev.tacit.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.session.SealedReleases;
import dev.tacit.inference.Runs;
import dev.tacit.inference.vi.DpVariationalInference;
import dev.tacit.ledger.SealedFile;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.optimizer.GradientStep;
import dev.tacit.posterior.json.PosteriorJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Few checkpoints and the sealed releases since are as good as a checkpoint after every release. */
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

    /** A file that counts checkpoints. */
    private static final class Counting implements Checkpoint.Store {
        private final CheckpointFile file;
        private int whole;

        Counting(CheckpointFile file) {
            this.file = file;
        }

        @Override
        public void save(Checkpoint checkpoint) {
            file.save(checkpoint);
            whole++;
        }

        @Override
        public Optional<Checkpoint> load() {
            return file.load();
        }
    }

    /** Runs in a folder until a release was handed to its listener, and dies there; returns how many checkpoints it wrote. */
    private int run(String name, long crashAt, long noiseSeed, PrivacyLedger ledger) throws Exception {
        ReleasePlan plan = kernel.plan(model, data.publicSize());
        try (SealedFile sealed = SealedFile.open(folder.resolve(name + ".sealed"), "run")) {
            Counting store = new Counting(new CheckpointFile(folder.resolve(name), sealed));
            RunListener dying = new RunListener() {
                @Override
                public void released(ReleaseNote note, long released, long planned) {
                    if (released == crashAt) {
                        throw new Crash();
                    }
                }
            };
            var result = new InferenceRun<>(kernel, model, "test", store, dying)
                    .run(
                            checkpoint -> {
                                RunRequest request =
                                        RunRequest.of("test", plan).named("run").sealedIn(sealed);
                                return data.open(
                                        checkpoint
                                                .flatMap(Checkpoint::position)
                                                .map(request::resumedAt)
                                                .orElse(request),
                                        new DiscreteGaussianMechanism(NOISE),
                                        ledger,
                                        ReplayNoise.ofSeed(noiseSeed));
                            },
                            RandomStream.ofSeed(4));
            assertThat(result.notes()).hasSize(STEPS);
            Files.writeString(folder.resolve(name + ".posterior"), PosteriorJson.write(result.posterior()));
            return store.whole;
        }
    }

    private PrivacyLedger ledger() {
        return Runs.ledger(data, kernel.plan(model, data.publicSize()), NOISE);
    }

    @Test
    void aRunThatDiedAnywhereEndsInTheSameBits() throws Exception {
        assertThat(run("whole", -1, 9, ledger())).isLessThan(25);
        assertThat(folder.resolve("whole.sealed")).isEmptyFile();
        for (long moment : new long[] {1, 8, 9, 40, 41, 119}) {
            PrivacyLedger ledger = ledger();
            String name = "run" + moment;
            assertThatThrownBy(() -> run(name, moment, 9, ledger)).isInstanceOf(Crash.class);
            run(name, -1, 9, ledger);
            assertThat(folder.resolve(name + ".posterior"))
                    .as("died after release " + moment)
                    .hasSameTextualContentAs(folder.resolve("whole.posterior"));
            assertThat(ledger.entries()).hasSize(1);
            assertThat(ledger.entries().get(0).released()).isEqualTo(STEPS);
        }
    }

    /** Other noise than before the crash shows in what is drawn after it, and nowhere else. */
    @Test
    void whatWasSealedIsNotDrawnAgain() throws Exception {
        PrivacyLedger ledger = ledger();
        assertThatThrownBy(() -> run("fit", STEPS, 9, ledger)).isInstanceOf(Crash.class);
        run("fit", -1, 10, ledger);
        run("whole", -1, 9, ledger());
        assertThat(folder.resolve("fit.posterior")).hasSameTextualContentAs(folder.resolve("whole.posterior"));
        PrivacyLedger another = ledger();
        assertThatThrownBy(() -> run("early", 50, 9, another)).isInstanceOf(Crash.class);
        run("early", -1, 10, another);
        assertThat(Files.readString(folder.resolve("early.posterior")))
                .isNotEqualTo(Files.readString(folder.resolve("whole.posterior")));
    }

    @Test
    void onlyItsOwnerMayReadIt() throws IOException {
        CheckpointFile file = new CheckpointFile(folder.resolve("checkpoint"), SealedReleases.NONE);
        file.save(new Checkpoint("test", 0, Optional.empty(), Map.of(), List.of()));
        if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("checkpoint"))))
                    .isEqualTo("rw-------");
        }
        assertThat(file.load()).isPresent();
    }
}
