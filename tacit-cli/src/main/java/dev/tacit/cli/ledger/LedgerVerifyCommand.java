package dev.tacit.cli.ledger;

import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.InputFile;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.shell.Version;
import dev.tacit.json.EventJson;
import dev.tacit.json.Json;
import dev.tacit.ledger.LedgerFile;
import dev.tacit.ledger.LedgerUnavailable;
import dev.tacit.ledger.LedgerVerdict;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tacit ledger verify}: does every line follow from the one before, and is nothing cut off? */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        description = "Checks the chain of hashes of a ledger; exit code 65 if it does not hold.")
final class LedgerVerifyCommand implements Verb {
    private static final Pattern HASH = Pattern.compile("[0-9a-fA-F]{64}");

    @Parameters(paramLabel = "FILE", description = "the ledger")
    private String file;

    @Option(
            names = "--head",
            paramLabel = "HASH",
            description = "a head that ledger show printed earlier; it must still be in the chain")
    private String head;

    @Option(names = "--json", description = "print one JSON object")
    private boolean json;

    @Override
    public ExitCode run(Console console) {
        if (head != null && !HASH.matcher(head).matches()) {
            throw CommandFailure.usage("--head must be the 64 hexadecimal digits that tacit ledger show prints.");
        }
        LedgerVerdict verdict = verdict(InputFile.existing(file));
        if (verdict instanceof LedgerVerdict.Intact intact) {
            console.line(json ? Json.write(json(intact.contents())) : sentence(intact.contents()));
            return ExitCode.OK;
        }
        LedgerVerdict.Broken broken = (LedgerVerdict.Broken) verdict;
        if (json) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("intact", false);
            object.put("line", broken.line());
            object.put("reason", broken.reason());
            console.line(Json.write(object));
        }
        throw new CommandFailure(
                ExitCode.BAD_DATA,
                file + " is not intact: " + broken.reason() + "; release nothing until this is explained.");
    }

    private LedgerVerdict verdict(Path path) {
        try {
            return head == null
                    ? LedgerFile.verify(path, EventJson.standard())
                    : LedgerFile.verify(path, EventJson.standard(), head.toLowerCase(Locale.ROOT));
        } catch (LedgerUnavailable e) {
            throw new CommandFailure(ExitCode.NO_INPUT, e.getMessage() + "; check who may read it.", e);
        }
    }

    private String sentence(LedgerFile contents) {
        int entries = contents.entries().size();
        String checked = head == null ? "" : ", and it contains the given head";
        String torn = contents.tornBytes() == 0 ? "" : " A crash cut off its last line; the next charge repairs it.";
        return file + " is intact: " + contents.lines() + " lines, " + entries + (entries == 1 ? " charge" : " charges")
                + checked + "; head " + contents.head() + "." + torn;
    }

    private static Map<String, Object> json(LedgerFile contents) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("intact", true);
        object.put("lines", contents.lines());
        object.put("entries", contents.entries().size());
        object.put("head", contents.head());
        object.put("tornBytes", contents.tornBytes());
        return object;
    }
}
