package dev.tacit.fit.folder;

import dev.tacit.fit.artefact.ReleaseRecord;
import dev.tacit.fit.artefact.StoredLikelihood;
import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.fit.base.WorkListener;
import dev.tacit.fit.twin.TwinCoverage;
import dev.tacit.model.RecordSimulator;
import dev.tacit.run.method.FitMethod;
import java.nio.file.Files;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;

/** Simulated twins of the fit in a folder. */
public final class TwinCheck {
    private static final long SEED = 1;

    private TwinCheck() {}

    /** Whether parameters of this fit have true values that twins could be given. */
    public static boolean possible(StoredPosterior fitted) {
        return TwinCoverage.possible(fitted) && fitted.identifiable();
    }

    /**
     * Simulates twins; the same question has the same answer, whoever asks.
     *
     * @param count how many; empty for as many as a fit takes by itself
     * @param listener hears of every twin
     */
    public static TwinCoverage.Result run(
            FitFolder folder, FitOutcome outcome, OptionalInt count, WorkListener listener) {
        TwinCoverage coverage = TwinCheck.twins(folder, outcome.fitted(), outcome.release(), SEED);
        int twins = count.orElseGet(coverage::usualCount);
        try (WorkListener.Work progress = listener.begin("simulating", twins)) {
            return coverage.run(twins, SEED, progress);
        }
    }

    /** Twins of a fit, with records as its folder says they look. */
    static TwinCoverage twins(FitFolder folder, StoredPosterior fitted, ReleaseRecord release, long seed) {
        int rows = (int) Math.min(TwinCoverage.MOST_ROWS, release.publicSize());
        Optional<RecordSimulator> simulator = Optional.empty();
        UnaryOperator<FitMethod<?, ?>> asReleased = UnaryOperator.identity();
        if (fitted.use() instanceof RecordSimulator own) {
            simulator = Optional.of(own);
        } else if (Files.exists(folder.likelihood())) {
            String likelihood = folder.read(folder.likelihood());
            String name = folder.likelihood().toString();
            simulator = StoredLikelihood.simulator(likelihood, name, fitted.fitMethod());
            asReleased = method -> StoredLikelihood.asReleased(likelihood, name, method);
        }
        return new TwinCoverage(fitted, release, simulator, asReleased, rows, seed);
    }
}
