package dev.tacit.cli;

import dev.tacit.cli.shell.ExitCode;
import dev.tacit.ledger.LedgerFile;
import dev.tacit.run.method.MethodCatalogue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.stream.Stream;

/**
 * Malformed inputs of every kind that the command meets, made from whole ones by a seeded generator and run in this process.
 *
 * <p>Whatever it is given, the command ends with a code that is not that of a defect, prints one sentence and no stack trace, shows no
 * cell of a table, and charges nothing unless the fit ran to its end.
 */
final class MalformedInputs {
    /** What is malformed, and how many inputs a whole campaign has of it. */
    enum Kind {
        SCHEMA(160),
        CSV(110),
        JSON(70),
        COMMAND_LINE(220),
        BATCH(70),
        FOLDER(170),
        SETTING(450),
        MARKUP(50);

        private final int inputs;

        Kind(int inputs) {
            this.inputs = inputs;
        }
    }

    /** An input that was not handled as it should be. */
    record Finding(Kind kind, int number, String problem, List<String> args, String errors) {
        @Override
        public String toString() {
            return kind + " " + number + ": " + problem + "; " + String.join(" ", args) + "; "
                    + errors.strip().lines().limit(2).toList();
        }
    }

    /** What a campaign found. */
    record Outcome(Map<Kind, Map<Integer, Integer>> exitCodes, List<Finding> findings) {
        int inputs() {
            return exitCodes.values().stream()
                    .flatMap(codes -> codes.values().stream())
                    .mapToInt(Integer::intValue)
                    .sum();
        }
    }

    private static final int ROWS = 60;
    private static final String SECRET_NUMBER = "613.4711";
    private static final String SECRET_WORD = "Zaphod4711";

    private static final List<String> ODD = List.of(
            "",
            "null",
            "NaN",
            "-1",
            "0",
            "1e309",
            "-1e-320",
            "99999999999999999999",
            "[]",
            "{}",
            "[1, 0]",
            "{type: number}",
            "&a 3",
            "*a",
            "!!java.net.URL x",
            "\u0000",
            "\u202e\u0007",
            "'",
            "\"",
            "yes",
            "<script>alert(1)</script>",
            "x".repeat(5000),
            "- a\n- b",
            "\t",
            "true",
            "0x10",
            "1_000",
            "2026-01-01",
            "🦆",
            "\ud83e");

    private final Path folder;
    private final Path schema;
    private final Path table;
    private final Path complete;

    /** @param folder an empty one */
    MalformedInputs(Path folder) {
        this.folder = folder;
        this.schema = write(folder.resolve("loans.yaml"), FitTables.loansSchema(ROWS));
        this.table = write(folder.resolve("loans.csv"), csv());
        this.complete = folder.resolve("complete");
        CliRun run = CliRun.of(
                fit(table, schema, complete, folder.resolve("complete.ledger")).toArray(String[]::new));
        if (run.exitCode() != 0) {
            throw new IllegalStateException(run.errors());
        }
    }

    private static String csv() {
        List<String> rows = new ArrayList<>(FitTables.loans(ROWS - 1, 5));
        rows.add("44," + SECRET_NUMBER + "," + SECRET_WORD + ",yes");
        return FitTables.HEADER + "\n" + String.join("\n", rows) + "\n";
    }

    private static List<String> fit(Path table, Path schema, Path out, Path ledger) {
        List<String> args = FitTables.fit(table, schema, out, "--epsilon", "1", "--delta", "1e-3");
        args.addAll(List.of("--ledger", ledger.toString(), "--no-twins", "--threads", "1"));
        return args;
    }

    /** Runs the first inputs of every kind, a share of a whole campaign. */
    Outcome run(long seed, double share) {
        Map<Kind, Map<Integer, Integer>> codes = new EnumMap<>(Kind.class);
        List<Finding> findings = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            int count = (int) Math.ceil(share * kind.inputs);
            for (int number = 0; number < count; number++) {
                Path own = create(folder.resolve("input"));
                Random random = new Random(seed * 31 + kind.name().hashCode() * 100_003L + number);
                Path ledger = own.resolve("own.ledger");
                Attempt attempt = attempt(kind, random, own, ledger);
                CliRun run = CliRun.withInput(attempt.input(), attempt.args().toArray(String[]::new));
                codes.computeIfAbsent(kind, unused -> new TreeMap<>()).merge(run.exitCode(), 1, Integer::sum);
                for (String problem : problems(run, own, ledger, attempt)) {
                    findings.add(new Finding(kind, number, problem, attempt.args(), run.errors()));
                }
                delete(own);
            }
        }
        return new Outcome(codes, findings);
    }

    /** A command line, and what is on its standard input. */
    private record Attempt(List<String> args, String input) {
        Attempt(List<String> args) {
            this(args, "");
        }
    }

    private Attempt attempt(Kind kind, Random random, Path own, Path ledger) {
        Path out = own.resolve("out");
        return switch (kind) {
            case SCHEMA -> {
                Path bad = write(own.resolve("s.yaml"), mutated(FitTables.loansSchema(ROWS), random));
                yield new Attempt(fit(table, bad, out, ledger));
            }
            case CSV -> new Attempt(fit(write(own.resolve("t.csv"), mutated(csv(), random)), schema, out, ledger));
            case JSON -> {
                boolean lines = random.nextBoolean();
                String text = mutated(json(lines), random);
                yield new Attempt(fit(write(own.resolve(lines ? "t.jsonl" : "t.json"), text), schema, out, ledger));
            }
            case COMMAND_LINE -> new Attempt(commandLine(random, out, ledger));
            case BATCH -> new Attempt(List.of("account", "--batch", "-"), batch(random));
            case FOLDER -> changedFolder(random, own, ledger);
            case SETTING -> new Attempt(setting(random, out, ledger));
            case MARKUP -> markup(random, own, out, ledger);
        };
    }

    /** A text with up to three changes: characters, lines or words, as slips and faults make them. */
    private static String mutated(String text, Random random) {
        String changed = text;
        for (int change = random.nextInt(3); change >= 0; change--) {
            changed = mutatedOnce(changed, random);
        }
        return changed;
    }

    private static String mutatedOnce(String text, Random random) {
        if (text.isEmpty()) {
            return ODD.get(random.nextInt(ODD.size()));
        }
        List<String> lines = new ArrayList<>(List.of(text.split("\n", -1)));
        int line = random.nextInt(lines.size());
        int place = random.nextInt(text.length());
        String odd = ODD.get(random.nextInt(ODD.size()));
        switch (random.nextInt(9)) {
            case 0 -> lines.remove(line);
            case 1 -> lines.add(line, lines.get(line));
            case 2 -> lines.set(line, odd);
            case 3 -> lines.set(line, lines.get(line).replaceFirst("[^ :,]+(?=[^:,]*$)", ""));
            case 4 -> {
                String replaced = lines.get(line);
                int colon = Math.max(replaced.lastIndexOf(':'), replaced.lastIndexOf(','));
                lines.set(line, replaced.substring(0, colon + 1) + " " + odd);
            }
            case 5 -> {
                return text.substring(0, place);
            }
            case 6 -> {
                return text.substring(0, place) + odd + text.substring(place);
            }
            case 7 -> {
                return text.substring(0, place) + (char) (1 + random.nextInt(0x2fff)) + text.substring(place + 1);
            }
            default -> {
                return text.replace(":", random.nextBoolean() ? "=" : ": :");
            }
        }
        return String.join("\n", lines);
    }

    private static String json(boolean lines) {
        List<String> objects = new ArrayList<>();
        String[] names = FitTables.HEADER.split(",", -1);
        for (String row : csv().strip().split("\n", -1)) {
            if (row.equals(FitTables.HEADER)) {
                continue;
            }
            String[] cells = row.split(",", -1);
            objects.add(String.format(
                    Locale.ROOT,
                    "{\"%s\":%s,\"%s\":%s,\"%s\":\"%s\",\"%s\":\"%s\"}",
                    names[0],
                    cells[0],
                    names[1],
                    cells[1],
                    names[2],
                    cells[2],
                    names[3],
                    cells[3]));
        }
        return lines ? String.join("\n", objects) + "\n" : "[" + String.join(",\n", objects) + "]";
    }

    private List<String> commandLine(Random random, Path out, Path ledger) {
        List<String> verbs = List.of(
                "fit",
                "account",
                "calibrate",
                "ledger",
                "predict",
                "score",
                "report",
                "diagnose",
                "schema",
                "datasets",
                "fti");
        List<String> options = List.of(
                "--epsilon",
                "--delta",
                "--steps",
                "--noise-multiplier",
                "--sampling",
                "--neighbours",
                "--schema",
                "--model",
                "--method",
                "--set",
                "--seed",
                "--out",
                "--json",
                "--ledger-epsilon",
                "--spend-on-bounds",
                "--threads",
                "--resume",
                "--simulate",
                "--batch",
                "--test",
                "--help",
                "-x",
                "--=",
                "--twins");
        List<String> values = new ArrayList<>(List.of(
                "1",
                "0.5",
                "10",
                "1000",
                "poisson:0.1",
                "poisson:",
                "add-remove",
                "logistic-regression",
                "private-vb",
                "rounds=2",
                "=",
                "show",
                "verify",
                "draft",
                "list",
                "/",
                ".",
                out + "/none",
                table.toString()));
        values.addAll(ODD.subList(0, 12));
        if (random.nextInt(3) == 0) {
            List<String> args = fit(table, schema, out, ledger);
            int at = 1 + random.nextInt(args.size() - 1);
            switch (random.nextInt(3)) {
                case 0 -> args.remove(at);
                case 1 -> args.add(at, values.get(random.nextInt(values.size())));
                default -> args.set(at, values.get(random.nextInt(values.size())));
            }
            return withPlace(args, out, ledger);
        }
        List<String> args = new ArrayList<>();
        args.add(verbs.get(random.nextInt(verbs.size())));
        for (int word = random.nextInt(7); word > 0; word--) {
            List<String> from = random.nextBoolean() ? options : values;
            args.add(from.get(random.nextInt(from.size())));
        }
        return withPlace(args, out, ledger);
    }

    /** Fits leave nothing beside the project's own files. */
    private static List<String> withPlace(List<String> args, Path out, Path ledger) {
        List<String> placed = new ArrayList<>(args);
        placed.replaceAll(
                word -> word.equals(".") || word.equals("/") ? out.getParent().toString() : word);
        for (int at = 1; at < placed.size(); at++) {
            String word = placed.get(at);
            boolean place =
                    placed.get(at - 1).equals("--out") || placed.get(at - 1).equals("--ledger");
            if (place && !word.isBlank() && !word.startsWith("/") && !word.startsWith("--")) {
                placed.set(at, out.getParent() + "/" + word);
            }
        }
        if (placed.get(0).equals("fit") && !placed.contains("--out")) {
            placed.addAll(List.of("--out", out.toString()));
        }
        if (placed.get(0).equals("fit") && !placed.contains("--ledger")) {
            placed.addAll(List.of("--ledger", ledger.toString()));
        }
        return placed;
    }

    private static String batch(Random random) {
        String whole = """
                {"id":"a","event":{"type":"repeated","times":1000,"event":{"type":"poisson","rate":0.01,"event":{"type":"gaussian","noiseMultiplier":1.0}}},"delta":1e-5}
                {"id":"b","calibrate":{"epsilon":1,"delta":1e-5},"steps":100,"sampling":"poisson:0.01","neighbours":"add-remove"}
                """;
        return mutated(whole, random);
    }

    private Attempt changedFolder(Random random, Path own, Path ledger) {
        Path copy = own.resolve("fit");
        copy(complete, copy);
        List<Path> files = files(copy).filter(Files::isRegularFile).toList();
        Path changed = files.get(random.nextInt(files.size()));
        try {
            byte[] bytes = Files.readAllBytes(changed);
            switch (random.nextInt(5)) {
                case 0 -> Files.delete(changed);
                case 1 -> Files.write(changed, new byte[0]);
                case 2 -> Files.write(changed, Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)));
                case 3 -> {
                    for (int flip = 0; flip < 3 && bytes.length > 0; flip++) {
                        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
                    }
                    Files.write(changed, bytes);
                }
                default -> write(changed, mutatedOnce(new String(bytes, StandardCharsets.ISO_8859_1), random));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> fitAgain = fit(table, schema, copy, ledger);
        fitAgain.add("--resume");
        List<List<String>> uses = List.of(
                List.of(
                        "predict",
                        copy.toString(),
                        table.toString(),
                        "--out",
                        own.resolve("p.csv").toString()),
                List.of("score", copy.toString(), table.toString()),
                List.of(
                        "report",
                        copy.toString(),
                        "--out",
                        own.resolve("r.html").toString()),
                List.of("diagnose", copy.toString(), "--twins", "2"),
                fitAgain);
        return new Attempt(uses.get(random.nextInt(uses.size())));
    }

    private List<String> setting(Random random, Path out, Path ledger) {
        List<String> methods = MethodCatalogue.entries().stream()
                .filter(entry -> entry.model().equals("logistic-regression"))
                .map(MethodCatalogue.Entry::method)
                .toList();
        List<String> names = List.of(
                "rounds",
                "steps",
                "rate",
                "l2Bound",
                "momentum",
                "startScale",
                "priorPrecision",
                "squareWeight",
                "scaleWeight",
                "firstShare",
                "startShare",
                "ridge",
                "startRidge",
                "residualClip",
                "sampling",
                "burnInShare",
                "decay",
                "step",
                "averagedShare",
                "damping",
                "parties",
                "draws",
                "schedule",
                "way",
                "prior",
                "family",
                "precision");
        List<String> values = List.of(
                "0",
                "-1",
                "NaN",
                "1e-320",
                "1e20",
                "1e308",
                "1000",
                "Infinity",
                "",
                "x",
                "0.5",
                "1e-3",
                "poisson:1e-30",
                "poisson:NaN",
                "2147483648",
                "1,5",
                "0x1p3",
                "true");
        List<String> args = fit(table, schema, out, ledger);
        String method = methods.get(random.nextInt(methods.size()));
        args.addAll(List.of("--method", method, "--set"));
        args.add(names.get(random.nextInt(names.size())) + "=" + values.get(random.nextInt(values.size())));
        return args;
    }

    private Attempt markup(Random random, Path own, Path out, Path ledger) {
        List<String> marks = List.of(
                "<script>alert(1)</script>",
                "<img src=x onerror=alert(1)>",
                "\"><svg/onload=alert(1)>",
                "</td>",
                "&lt;b&gt;",
                "{{7*7}}");
        String mark = marks.get(random.nextInt(marks.size()));
        String quoted = "\"" + mark.replace("\"", "\\\"") + "\"";
        boolean column = random.nextBoolean();
        String text = FitTables.loansSchema(ROWS);
        text = column ? text.replace("debt:", quoted + ":") : text.replace("baker", quoted);
        String cell = "\"" + mark.replace("\"", "\"\"") + "\"";
        String rows =
                column ? csv().replaceFirst("debt", Matcher.quoteReplacement(cell)) : csv().replace("baker", cell);
        return new Attempt(fit(write(own.resolve("m.csv"), rows), write(own.resolve("m.yaml"), text), out, ledger));
    }

    private static List<String> problems(CliRun run, Path own, Path ledger, Attempt attempt) {
        List<String> problems = new ArrayList<>();
        String all = run.errors() + run.output();
        if (run.exitCode() == ExitCode.INTERNAL.code()) {
            problems.add("ends as a defect");
        }
        if (run.errors().contains("\tat ") || run.errors().contains("Exception")) {
            problems.add("shows a stack trace");
        }
        boolean ofPublicRecords =
                List.of("predict", "score").contains(attempt.args().get(0));
        if (!ofPublicRecords && (all.contains(SECRET_NUMBER) || all.contains(SECRET_WORD))) {
            problems.add("shows a cell");
        }
        if (run.exitCode() != 0 && run.errors().isBlank() && run.output().isBlank()) {
            problems.add("says nothing");
        }
        if (run.exitCode() != 0 && charges(ledger) > 0) {
            problems.add("charged for a run that did not end");
        }
        if (files(own).filter(file -> file.toString().endsWith(".html")).anyMatch(MalformedInputs::holdsMarkup)) {
            problems.add("puts markup into a page");
        }
        return problems;
    }

    private static boolean holdsMarkup(Path page) {
        String text = read(page);
        return text.contains("alert(1)</script>") || text.contains("<img src=x") || text.contains("<svg/onload");
    }

    private static int charges(Path ledger) {
        return Files.exists(ledger) ? LedgerFile.read(ledger).entries().size() : 0;
    }

    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path write(Path file, String text) {
        try {
            return Files.write(file, text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path create(Path folder) {
        try {
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> files(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void copy(Path from, Path to) {
        files(from).forEach(file -> {
            try {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static void delete(Path folder) {
        files(folder).sorted(Comparator.reverseOrder()).forEach(file -> {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** A whole campaign, or a share of it: {@code MalformedInputs [SEED [SHARE]]}; prints what came of each kind, and every input that was not handled. */
    public static void main(String[] args) throws IOException {
        Path folder = Files.createTempDirectory("malformed");
        Outcome outcome = new MalformedInputs(folder)
                .run(args.length > 0 ? Long.parseLong(args[0]) : 1, args.length > 1 ? Double.parseDouble(args[1]) : 1);
        delete(folder);
        outcome.exitCodes().forEach((kind, codes) -> System.out.println(kind + " " + codes));
        outcome.findings().forEach(System.out::println);
        System.out.println(outcome.inputs() + " inputs, " + outcome.findings().size() + " findings");
        System.exit(outcome.findings().isEmpty() ? 0 : 1);
    }
}
