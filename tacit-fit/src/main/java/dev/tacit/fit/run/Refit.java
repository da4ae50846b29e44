package dev.tacit.fit.run;

import dev.tacit.fit.artefact.StoredLikelihood;
import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.fit.formula.FormulaRequest;
import dev.tacit.inference.FreePrior;
import dev.tacit.run.method.FitMethod;
import dev.tacit.run.method.SettingException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Another prior on what a fit released; no record is looked at and nothing is charged. */
public final class Refit {
    private Refit() {}

    /**
     * Writes a folder with other priors on the likelihood in a folder.
     *
     * @param priors of single terms; none for the standard prior
     */
    public static FitOutcome run(FitFolder from, List<String> priors, FitFolder to) {
        FitOutcome before = from.outcome();
        if (!Files.exists(from.likelihood())) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION,
                    from.path() + " has no stored likelihood: only fits by a formula keep one, and "
                            + before.fitted().method() + " mixes the prior with what it releases.");
        }
        String likelihood = from.read(from.likelihood());
        StoredPosterior fitted =
                refitted(before.fitted(), priors, likelihood, from.likelihood().toString());
        to.requireFree();
        FitOutcome after = new FitOutcome(fitted, before.release());
        write(from, to, after, likelihood, priors);
        return after;
    }

    private static StoredPosterior refitted(
            StoredPosterior before, List<String> priors, String likelihood, String name) {
        Map<String, Object> settings = new LinkedHashMap<>(before.settings());
        settings.put(FormulaRequest.PRIOR, String.join("; ", priors));
        try {
            FitMethod<?, ?> method = before.fitMethod(settings);
            FreePrior.Reading reading = StoredLikelihood.read(likelihood, name, method);
            return new StoredPosterior(
                    before.model(),
                    method.use(),
                    before.method(),
                    method.settings(),
                    before.schema(),
                    reading.posterior(),
                    before.withoutPrivacyNoise().map(kept -> reading.withoutNoise()),
                    Optional.of(reading.prior()),
                    reading.cautions(),
                    reading.centre(),
                    before.provenance());
        } catch (SettingException e) {
            throw FitException.usage(FitException.sentence(e.getMessage()));
        }
    }

    /** The release is that of the fit; the posterior comes last, because a folder that has it is complete. */
    private static void write(FitFolder from, FitFolder to, FitOutcome after, String likelihood, List<String> priors) {
        try {
            Files.createDirectories(to.path());
        } catch (IOException e) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION,
                    "cannot create " + to.path() + "; name a place where you may write with --out.",
                    e);
        }
        to.write(to.release(), from.read(from.release()));
        to.write(to.likelihood(), likelihood);
        to.write(to.statement(), from.read(from.statement()).stripTrailing() + "\n\n" + statement(priors));
        to.write(to.report(), FitWriting.report(after, Optional.empty()).html());
        to.write(to.posterior(), after.fitted().toJson() + "\n");
    }

    private static String statement(List<String> priors) {
        String prior = priors.isEmpty() ? "the standard prior" : String.join("; ", priors);
        return """
                Another prior
                  This folder puts %s on what the fit above had released. No record was
                  looked at and nothing was charged: the promise above is that of the one
                  run that released the numbers, and holds for both folders together.
                """.formatted(prior);
    }
}
