package dev.tacit.cli.verb;

import dev.tacit.cli.artefact.FittedModel;
import dev.tacit.cli.artefact.StoredLikelihood;
import dev.tacit.cli.fit.FitWriting;
import dev.tacit.cli.folder.FitFolder;
import dev.tacit.cli.folder.FitOutcome;
import dev.tacit.cli.formula.FormulaRequest;
import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.Remark;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.shell.Version;
import dev.tacit.inference.FreePrior;
import dev.tacit.json.Json;
import dev.tacit.run.method.FitMethod;
import dev.tacit.run.method.SettingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tacit refit}: another prior on what was released; no record is looked at and nothing is charged. */
@Command(
        name = "refit",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        header = "Puts another prior on the released likelihood of a fit. Costs nothing.",
        description = "A fit by a formula stores what it released as a likelihood. The prior comes afterwards, so that"
                + " any number of them can be tried: no record is read, no budget is spent.",
        footer = {
            "",
            "Example:",
            "  tacit refit fit --prior 'age ~ normal(0, 0.05)' --prior 'b ~ normal(0, 1)' --out fit-informed"
        })
public final class RefitCommand implements Verb {
    @Parameters(paramLabel = "DIR", description = "the folder of a fit by a formula")
    private String folder;

    @Option(
            names = "--prior",
            paramLabel = "TERM",
            description = "'age ~ normal(0, 0.1)' in natural units, or 'b ~ normal(0, 1)' for all columns on their"
                    + " standardised scale; may be repeated; the standard prior if left out")
    private List<String> priors = new ArrayList<>();

    @Option(names = "--out", paramLabel = "DIR2", description = "the folder to write; it must not exist yet")
    private String out;

    @Option(names = "--no-twins", description = "do not check the intervals; tacit diagnose does it later")
    private boolean noTwins;

    @Option(names = "--json", description = "print one JSON object with all digits")
    private boolean json;

    @Override
    public ExitCode run(Console console) {
        if (out == null) {
            throw CommandFailure.usage("--out is missing; name a new folder, for example --out " + folder + "-2.");
        }
        FitFolder from = new FitFolder(Path.of(folder));
        FitOutcome before = from.outcome();
        if (!Files.exists(from.likelihood())) {
            throw new CommandFailure(
                    ExitCode.CONFIG,
                    folder + " has no stored likelihood: only fits by a formula keep one, and "
                            + before.fitted().method() + " mixes the prior with what it releases.");
        }
        String likelihood = from.read(from.likelihood());
        FittedModel fitted =
                refitted(before.fitted(), likelihood, from.likelihood().toString());
        FitFolder to = new FitFolder(Path.of(out));
        to.requireFree();
        FitOutcome after = new FitOutcome(fitted, before.release(), Optional.empty());
        write(from, to, after, likelihood);
        if (!noTwins) {
            after = FitWriting.check(to, after, OptionalInt.empty());
        }
        if (json) {
            Map<String, Object> object = new LinkedHashMap<>(FitSummary.json(after, to.path()));
            object.put("charged", 0.0);
            console.line(Json.write(object));
        } else {
            console.text(new Remark("charged", "nothing: another prior on what " + folder + " released.").lines());
            console.text(FitSummary.outcome(after, to.path()));
        }
        return ExitCode.OK;
    }

    private FittedModel refitted(FittedModel before, String likelihood, String name) {
        Map<String, Object> settings = new LinkedHashMap<>(before.settings());
        settings.put(FormulaRequest.PRIOR, String.join("; ", priors));
        FittedModel asked = new FittedModel(
                before.model(),
                before.method(),
                settings,
                before.schema(),
                before.posterior(),
                before.withoutPrivacyNoise(),
                before.prior(),
                before.cautions(),
                before.centre(),
                before.provenance());
        try {
            FitMethod<?, ?> method = asked.fitMethod();
            FreePrior.Reading reading = StoredLikelihood.read(likelihood, name, method);
            return new FittedModel(
                    before.model(),
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
            throw CommandFailure.usage(CommandFailure.sentence(e.getMessage()));
        }
    }

    /** The release is that of the fit; the posterior comes last, because a folder that has it is complete. */
    private void write(FitFolder from, FitFolder to, FitOutcome after, String likelihood) {
        try {
            Files.createDirectories(to.path());
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.CONFIG,
                    "cannot create " + to.path() + "; name a place where you may write with --out.",
                    e);
        }
        to.write(to.release(), from.read(from.release()));
        to.write(to.likelihood(), likelihood);
        to.write(to.statement(), from.read(from.statement()).stripTrailing() + "\n\n" + statement());
        to.write(to.report(), FitWriting.report(after, Optional.empty()).html());
        to.write(to.posterior(), after.fitted().toJson() + "\n");
    }

    private String statement() {
        String prior = priors.isEmpty() ? "the standard prior" : String.join("; ", priors);
        return """
                Another prior
                  This folder puts %s on what the fit above had released. No record was
                  looked at and nothing was charged: the promise above is that of the one
                  run that released the numbers, and holds for both folders together.
                """.formatted(prior);
    }
}
