package dev.tacit.cli.ledger;

import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.CsvText;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.shell.Version;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.ledger.LedgerView;
import dev.tacit.fit.text.Remark;
import dev.tacit.fit.text.Rounded;
import dev.tacit.fit.text.TextTable;
import dev.tacit.json.Json;
import dev.tacit.ledger.LedgerFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tacit ledger list}: what was spent on every body of records whose ledger lies below a folder. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        description =
                "Shows what all ledgers below a folder say together, one line each; exit code 65 if one is broken.")
final class LedgerListCommand implements Verb {
    private static final int WIDTH = 100;
    private static final int NARROWEST_NAME = 20;

    @Parameters(paramLabel = "DIR", description = "the folder to look through")
    private String folder;

    @Option(names = "--json", description = "print one JSON object with all digits")
    private boolean json;

    @Option(names = "--csv", description = "print CSV with all digits")
    private boolean csv;

    /** A ledger that was found, and what it says or why it does not. */
    private record Found(String name, Optional<LedgerView> ledger, String problem) {}

    @Override
    public ExitCode run(Console console) {
        LedgerShowCommand.requireOne(json, csv);
        List<String> unread = new ArrayList<>();
        List<Found> found = new ArrayList<>();
        Path start = start();
        for (Path file : ledgers(start, unread)) {
            found.add(read(file, start.relativize(file).toString()));
        }
        if (json) {
            console.line(Json.write(json(found)));
        } else if (csv) {
            csv(found).forEach(console::line);
        } else {
            console.text(report(found));
        }
        unread.forEach(name -> console.complain("cannot look into " + name + "; check who may read it."));
        if (found.stream().anyMatch(one -> one.ledger().isEmpty())) {
            throw new CommandFailure(
                    ExitCode.BAD_DATA,
                    "a ledger below " + folder + " is broken; tacit ledger verify says where, release nothing until it"
                            + " is explained.");
        }
        return ExitCode.OK;
    }

    private Path start() {
        try {
            Path path = Path.of(folder);
            if (Files.isDirectory(path)) {
                return path;
            }
        } catch (InvalidPathException e) {
            throw new CommandFailure(ExitCode.NO_INPUT, "there can be no folder of that name; check the spelling.", e);
        }
        throw new CommandFailure(ExitCode.NO_INPUT, "there is no folder " + folder + "; check the path.");
    }

    /** All files that begin as a ledger does, in order of their paths; links are not followed. */
    private static List<Path> ledgers(Path start, List<String> unread) {
        List<Path> files = new ArrayList<>();
        try {
            Files.walkFileTree(start, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    if (attributes.isRegularFile() && Files.isReadable(file) && beginsAsLedger(file)) {
                        files.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException failure) {
                    unread.add(file.toString());
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.NO_INPUT, "cannot look through " + start + "; check who may read it.", e);
        }
        files.sort(null);
        return files;
    }

    private static boolean beginsAsLedger(Path file) throws IOException {
        try (InputStream stream = Files.newInputStream(file)) {
            return LedgerFile.begins(stream.readNBytes(LedgerFile.BEGINNING));
        }
    }

    private static Found read(Path file, String name) {
        try {
            return new Found(name, Optional.of(LedgerView.read(file, name)), "");
        } catch (FitException e) {
            return new Found(name, Optional.empty(), e.getMessage());
        }
    }

    private static Optional<LedgerEntry> last(LedgerView ledger) {
        List<LedgerEntry> entries = ledger.contents().entries();
        return entries.isEmpty() ? Optional.empty() : Optional.of(entries.get(entries.size() - 1));
    }

    private static String limit(LedgerView ledger) {
        return ledger.terms()
                .limit()
                .map(limit -> Rounded.asGiven(limit.budget().epsilon()))
                .orElse("-");
    }

    private List<String> report(List<Found> found) {
        if (found.isEmpty()) {
            return List.of("  There is no ledger below " + folder + ".");
        }
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"entries", "together", "delta", "limit", "left", "last charge (UTC)"});
        for (Found one : found) {
            rows.add(one.ledger()
                    .map(ledger -> new String[] {
                        Integer.toString(ledger.contents().entries().size()),
                        Rounded.up(ledger.together()),
                        Rounded.asGiven(ledger.terms().delta()),
                        limit(ledger),
                        ledger.left(),
                        last(ledger)
                                .flatMap(LedgerEntry::time)
                                .map(LedgerShowCommand::minute)
                                .orElse("-")
                    })
                    .orElse(new String[] {"broken", "-", "-", "-", "-", "-"}));
        }
        int others = 0;
        for (int column = 0; column < rows.get(0).length; column++) {
            int index = column;
            others +=
                    2 + rows.stream().mapToInt(row -> row[index].length()).max().orElse(0);
        }
        int width = Math.max(NARROWEST_NAME, WIDTH - others - 2);
        TextTable table = new TextTable(List.of(false, true, true, true, true, true, false));
        for (int i = 0; i < rows.size(); i++) {
            String[] row = rows.get(i);
            String name = i == 0 ? "ledger" : tail(found.get(i - 1).name(), width);
            table.row(name, row[0], row[1], row[2], row[3], row[4], row[5]);
        }
        List<String> lines = new ArrayList<>(table.lines());
        lines.add("");
        lines.addAll(new Remark(
                        "together",
                        "is the epsilon of each ledger's entries; people in several of these tables have their sum.")
                .lines());
        return lines;
    }

    /** The end of a path says more than its beginning. */
    private static String tail(String name, int width) {
        String line = LedgerView.oneLine(name);
        return line.length() <= width ? line : ".." + line.substring(line.length() - width + 2);
    }

    private static Map<String, Object> json(List<Found> found) {
        List<Object> ledgers = new ArrayList<>();
        for (Found one : found) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("ledger", one.name());
            object.put("intact", one.ledger().isPresent());
            one.ledger().ifPresent(ledger -> {
                ledger.terms().id().ifPresent(id -> object.put("id", id));
                object.put("unit", ledger.terms().unit().name());
                object.put("entries", ledger.contents().entries().size());
                object.put("epsilon", LedgerView.finite(ledger.together()));
                object.put("delta", ledger.terms().delta());
                ledger.terms()
                        .limit()
                        .ifPresent(limit -> object.put("limit", limit.budget().epsilon()));
                ledger.summary().spentShare().ifPresent(share -> object.put("spentShare", LedgerView.finite(share)));
                last(ledger).ifPresent(entry -> {
                    entry.time().ifPresent(time -> object.put("lastTime", time.toString()));
                    entry.analyst().ifPresent(analyst -> object.put("lastAnalyst", analyst));
                });
                object.put("head", ledger.contents().head());
            });
            if (one.ledger().isEmpty()) {
                object.put("problem", one.problem());
            }
            ledgers.add(object);
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("ledgers", ledgers);
        return object;
    }

    private static List<String> csv(List<Found> found) {
        List<String> lines = new ArrayList<>();
        lines.add("ledger,intact,unit,entries,epsilon,delta,limit,spentShare,lastTime,lastAnalyst,head");
        for (Found one : found) {
            List<String> cells = new ArrayList<>(
                    List.of(one.name(), Boolean.toString(one.ledger().isPresent())));
            one.ledger()
                    .ifPresentOrElse(
                            ledger -> cells.addAll(List.of(
                                    ledger.terms().unit().name(),
                                    Integer.toString(ledger.contents().entries().size()),
                                    LedgerShowCommand.number(ledger.together()),
                                    Double.toString(ledger.terms().delta()),
                                    ledger.terms()
                                            .limit()
                                            .map(limit -> Double.toString(
                                                    limit.budget().epsilon()))
                                            .orElse(""),
                                    LedgerShowCommand.number(ledger.summary().spentShare()),
                                    LedgerShowCommand.text(last(ledger)
                                            .flatMap(LedgerEntry::time)
                                            .map(Instant::toString)),
                                    LedgerShowCommand.text(last(ledger).flatMap(LedgerEntry::analyst)),
                                    ledger.contents().head())),
                            () -> cells.addAll(List.of("", "", "", "", "", "", "", "", "")));
            lines.add(CsvText.line(cells));
        }
        return lines;
    }
}
