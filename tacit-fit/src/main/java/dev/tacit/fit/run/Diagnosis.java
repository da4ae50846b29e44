package dev.tacit.fit.run;

import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.fit.base.WorkListener;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.fit.folder.TwinCheck;
import dev.tacit.fit.twin.IntervalCheck;
import dev.tacit.fit.twin.TwinCoverage;
import java.nio.file.Files;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Whether the intervals of a fit hold the truth on simulated twins, where it is known. No private record is read and nothing is
 * spent.
 *
 * @param coverage everything that was counted
 * @param check what it means
 * @param kept whether the folder goes by this check from now on, because it is on at least as many twins as the one before
 */
public record Diagnosis(TwinCoverage.Result coverage, IntervalCheck check, boolean kept) {
    /** Why a fit cannot be checked on twins; empty if it can. */
    public static Optional<String> obstacle(StoredPosterior fitted) {
        if (!TwinCoverage.possible(fitted)) {
            return Optional.of(fitted.model() + " has no target to simulate");
        }
        return fitted.identifiable()
                ? Optional.empty()
                : Optional.of("units of a " + fitted.model() + " can change places, so weights have no true value");
    }

    /**
     * Simulates twins of the fit in a folder.
     *
     * @param twins how many; empty for as many as a fit takes by itself
     */
    public static Diagnosis of(FitFolder fit, OptionalInt twins, WorkListener listener) {
        FitOutcome outcome = fit.outcome();
        TwinCoverage.Result coverage = TwinCheck.run(fit, outcome, twins, listener);
        IntervalCheck check = IntervalCheck.of(coverage);
        int before = outcome.check().map(IntervalCheck::twins).orElse(TwinCoverage.FEWEST);
        boolean keeps = coverage.twins() >= before && Files.isWritable(fit.path());
        if (keeps) {
            FitWriting.keep(fit, outcome.checked(check));
        }
        return new Diagnosis(coverage, check, keeps);
    }
}
