package dev.tacit.cli.verb;

import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.Progress;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.shell.Version;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.fit.run.FitWriting;
import dev.tacit.fit.run.Refit;
import dev.tacit.fit.text.Remark;
import dev.tacit.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        FitFolder to = new FitFolder(Path.of(out));
        FitOutcome after = Refit.run(new FitFolder(Path.of(folder)), priors, to);
        if (!noTwins) {
            after = FitWriting.check(to, after, OptionalInt.empty(), Progress::of);
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
}
