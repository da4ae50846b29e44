package dev.tacit.cli.verb;

import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.shell.Version;
import dev.tacit.fit.artefact.MeasuredIntervals;
import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.fit.formula.FitHeader;
import dev.tacit.fit.formula.TermRow;
import dev.tacit.fit.formula.TermTable;
import dev.tacit.fit.formula.TermText;
import dev.tacit.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tacit summary}: what a fit says about its terms, as it would stand in a paper. */
@Command(
        name = "summary",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        header = "Shows the terms of a fit in natural units, with intervals, priors and privacy's share of the width.",
        description = "Costs nothing: it is computed from what was released. A level is compared with its reference"
                + " (icu[surgery] with the reference of icu), a number is per unit of its column.",
        footer = {
            "",
            "Examples:",
            "  tacit summary fit --exp",
            "  tacit summary fit --contrast 'icu[surgery] - icu[medical]' --contrast '10 * age'",
            "  tacit summary fit --level 0.9 --csv"
        })
public final class SummaryCommand implements Verb {
    @Parameters(paramLabel = "DIR", description = "the folder of a fit")
    private String folder;

    @Mixin
    private ShownAs shownAs = new ShownAs();

    @Option(
            names = "--contrast",
            paramLabel = "SUM",
            description = "show a weighted sum of terms instead, such as 'a - b' or '10 * age'; may be repeated")
    private List<String> contrasts = new ArrayList<>();

    @Option(names = "--csv", description = "print comma-separated values with all digits")
    private boolean csv;

    @Override
    public ExitCode run(Console console) {
        if (csv && shownAs.json()) {
            throw CommandFailure.usage("--csv and --json exclude each other; give one of them.");
        }
        FitOutcome outcome = outcome(folder);
        StoredPosterior fitted = outcome.shown();
        String ratio = shownAs.ratio(fitted);
        TermTable table = TermTable.of(fitted, shownAs.level());
        List<TermRow> rows = contrasts.isEmpty()
                ? table.rows()
                : contrasts.stream().map(table::contrast).toList();
        TermText text = new TermText(fitted, rows, table.level(), ratio);
        if (shownAs.json()) {
            Map<String, Object> object = text.json();
            outcome.check().ifPresent(check -> object.put("check", check.toJson()));
            MeasuredIntervals.of(fitted).ifPresent(measured -> object.put("measured", measured));
            console.line(Json.write(object));
        } else if (csv) {
            console.line(text.csv().stripTrailing());
        } else {
            console.text(FitHeader.lines(outcome));
            console.line("");
            console.text(text.lines());
        }
        return ExitCode.OK;
    }

    /** A fit whose single parameters mean something. */
    static FitOutcome outcome(String folder) {
        FitOutcome outcome = new FitFolder(Path.of(folder)).outcome();
        if (!outcome.fitted().findings().isEmpty() || !outcome.fitted().identifiable()) {
            throw CommandFailure.usage(
                    "single parameters of " + outcome.fitted().model()
                            + " mean nothing by themselves; look at the report instead (tacit report " + folder + ").");
        }
        return outcome;
    }
}
