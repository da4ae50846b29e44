package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.shell.ExitCode;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.Charge;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.fit.ledger.LedgerView;
import dev.tacit.ledger.FileLedger;
import dev.tacit.ledger.LedgerTerms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerCommandTest {
    @TempDir
    private Path folder;

    private Path file;
    private FileLedger ledger;

    @BeforeEach
    void startLedger() throws Exception {
        file = folder.resolve("people.ledger");
        PrivacyUnit unit = new PrivacyUnit("person", 3, Neighbours.ADD_REMOVE);
        ledger = FileLedger.create(file, LedgerTerms.of(unit, new PrivacyBudget(3, 1e-6)), LedgerView.accounting());
        ledger.charge(Charge.of("first\nfit", PrivacyEvent.gaussian(20).times(4)));
        LedgerEntry second = ledger.charge(Charge.of(
                        "second fit",
                        PrivacyEvent.gaussian(2).poissonSampled(0.01).times(100))
                .forRun("run-2")
                .at(Instant.parse("2026-11-16T12:34:56Z"))
                .by("Ada, Countess of Lovelace"));
        ledger.recordStatement(second, "0123456789abcdef".repeat(4));
    }

    @Test
    void showListsChargesAndWhatTheyCostTogetherBesideTheLimit() throws Exception {
        byte[] before = Files.readAllBytes(file);
        String output = CliRun.of("ledger", "show", file.toString()).succeeded().output();
        assertThat(output)
                .contains("one person with at most 3 records, add-remove neighbours")
                .contains("limit     epsilon 3 at delta 1e-6")
                .contains("2026-11-16 12:34  Ada, Count..  second fit")
                .contains("first fit")
                .contains("second fit")
                .containsPattern("together  epsilon <= 0\\.5\\d+ at delta 1e-6 for both entries")
                .contains(ledger.head());
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    @Test
    void showAsJsonHasStableKeys() {
        Map<String, Object> json = CliRun.of("ledger", "show", file.toString(), "--json")
                .succeeded()
                .json();
        assertThat(json.keySet())
                .containsExactly(
                        "unit",
                        "maxRecords",
                        "neighbours",
                        "epsilon",
                        "delta",
                        "limit",
                        "entries",
                        "head",
                        "lines",
                        "tornBytes");
        List<?> entries = (List<?>) json.get("entries");
        assertThat(entries).hasSize(2);
        assertThat(CliRun.object(entries.get(0)).keySet())
                .containsExactly(
                        "entry",
                        "line",
                        "label",
                        "event",
                        "epsilonAlone",
                        "epsilonTogether",
                        "share",
                        "cumulativeShare",
                        "released",
                        "releases",
                        "confirmed");
        assertThat(CliRun.object(entries.get(1)))
                .containsEntry("entry", 2L)
                .containsEntry("run", "run-2")
                .containsEntry("time", "2026-11-16T12:34:56Z")
                .containsEntry("analyst", "Ada, Countess of Lovelace")
                .containsEntry("statement", "0123456789abcdef".repeat(4));
        Map<String, Object> limit = CliRun.object(json.get("limit"));
        assertThat(limit).containsEntry("epsilon", 3.0).containsKey("filter");
        assertThat((double) limit.get("spentShare")).isBetween(0.0, 1.0);
        assertThat((double) json.get("epsilon")).isBetween(0.4, 0.6);
    }

    /** Whatever stands in it, a ledger's table fits 100 columns. */
    @Test
    void tablesFitAHundredColumns() throws Exception {
        for (int i = 0; i < 12; i++) {
            ledger.charge(Charge.of(
                            "a very long label ".repeat(9),
                            PrivacyEvent.gaussian(20_000 + i / 7.0).times(100_000))
                    .at(Instant.parse("2026-11-16T12:34:56Z"))
                    .by("x".repeat(60)));
        }
        Path deep = Files.createDirectories(folder.resolve("a/rather/deep/folder/of/folders/in/which/ledgers/lie"));
        Files.copy(file, deep.resolve("people-of-the-whole-country.ledger"));
        for (CliRun run :
                List.of(CliRun.of("ledger", "show", file.toString()), CliRun.of("ledger", "list", folder.toString()))) {
            List<String> rows = run.succeeded()
                    .output()
                    .lines()
                    .filter(line -> line.startsWith("  ") && line.contains("  2026-11"))
                    .toList();
            assertThat(rows).isNotEmpty().allSatisfy(row -> assertThat(row).hasSizeLessThanOrEqualTo(100));
        }
    }

    @Test
    void csvHasOneLineForEachEntry() {
        List<String> lines = CliRun.of("ledger", "show", file.toString(), "--csv")
                .succeeded()
                .output()
                .lines()
                .toList();
        assertThat(lines.get(0)).startsWith("entry,time,analyst,label,");
        assertThat(lines.get(lines.size() - 1))
                .startsWith("2,2026-11-16T12:34:56Z,\"Ada, Countess of Lovelace\",second fit,")
                .endsWith("0123456789abcdef");
        CliRun.of("ledger", "show", file.toString(), "--csv", "--json").failed(ExitCode.USAGE);
    }

    @Test
    void listFindsEveryLedgerBelowAFolder() throws Exception {
        Path other = Files.createDirectories(folder.resolve("b")).resolve("no-ending");
        FileLedger.create(
                        other,
                        LedgerTerms.withoutLimit(
                                PrivacyUnit.record(Neighbours.ADD_REMOVE),
                                1e-5,
                                PrivacyEvent.gaussian(5),
                                LedgerView.accounting().renyi()),
                        LedgerView.accounting())
                .charge(Charge.of("a", PrivacyEvent.gaussian(5)));
        Files.writeString(folder.resolve("people.csv"), "age,income\n41,4711\n");
        Files.writeString(folder.resolve("other.ledger.key"), "{\"tacit-ledger-key\":1}\n");
        assertThat(CliRun.of("ledger", "list", folder.toString()).succeeded().output())
                .contains("b/no-ending", "people.ledger")
                .doesNotContain("csv", "key");
        List<?> ledgers = (List<?>) CliRun.of("ledger", "list", folder.toString(), "--json")
                .succeeded()
                .json()
                .get("ledgers");
        assertThat(ledgers).hasSize(2);
        assertThat(CliRun.object(ledgers.get(0)))
                .containsEntry("ledger", "b/no-ending")
                .containsEntry("entries", 1L)
                .doesNotContainKey("limit");
        assertThat(CliRun.object(ledgers.get(1)))
                .containsEntry("limit", 3.0)
                .containsEntry("lastAnalyst", "Ada, Countess of Lovelace");
        assertThat(CliRun.of("ledger", "list", folder.toString(), "--csv")
                        .succeeded()
                        .output()
                        .lines())
                .hasSize(3);
        CliRun.of("ledger", "list", folder.resolve("none").toString()).failed(ExitCode.NO_INPUT);
    }

    @Test
    void listNamesALedgerThatIsBroken() throws Exception {
        Files.writeString(file, Files.readString(file).replace("\"second fit\"", "\"another fit\""));
        CliRun run = CliRun.of("ledger", "list", folder.toString()).failed(ExitCode.BAD_DATA);
        assertThat(run.output()).containsPattern("people.ledger +broken");
    }

    /** A ledger whose line ends became carriage returns is not called one to which nothing was charged. */
    @Test
    void aLedgerWithoutLineEndsMayHoldCharges() throws Exception {
        Files.writeString(file, Files.readString(file).replace('\n', '\r'));
        assertThat(CliRun.of("ledger", "verify", file.toString())
                        .failed(ExitCode.BAD_DATA)
                        .errors())
                .contains("may hold charges")
                .doesNotContain("create the ledger again");
    }

    @Test
    void anIntactLedgerVerifiesAlsoAgainstAnEarlierHead() throws Exception {
        String early = ledger.head();
        ledger.charge("third fit", PrivacyEvent.gaussian(50));
        CliRun.of("ledger", "verify", file.toString()).succeeded();
        CliRun run = CliRun.of("ledger", "verify", file.toString(), "--head", early, "--json")
                .succeeded();
        assertThat(run.json()).containsEntry("intact", true).containsEntry("entries", 3L);
        assertThat(run.json().keySet()).containsExactly("intact", "lines", "entries", "head", "tornBytes");
    }

    @Test
    void aChangedLineIsFoundAndNamed() throws Exception {
        Files.writeString(file, Files.readString(file).replace("\"second fit\"", "\"another fit\""));
        CliRun run = CliRun.of("ledger", "verify", file.toString(), "--json").failed(ExitCode.BAD_DATA);
        assertThat(run.json()).containsEntry("intact", false).containsEntry("line", 4L);
        assertThat(run.errors()).contains("line 4");
        CliRun.of("ledger", "show", file.toString()).failed(ExitCode.BAD_DATA);
    }

    @Test
    void aShortenedLedgerIsFoundByItsHead() throws Exception {
        String head = ledger.head();
        List<String> lines = Files.readAllLines(file);
        Files.write(file, lines.subList(0, lines.size() - 2));
        CliRun.of("ledger", "verify", file.toString()).succeeded();
        CliRun.of("ledger", "verify", file.toString(), "--head", head).failed(ExitCode.BAD_DATA);
    }

    @Test
    void whatIsNoLedgerIsBadData() throws Exception {
        Path other = Files.writeString(folder.resolve("other"), "age,income\n41,4711\n");
        CliRun show = CliRun.of("ledger", "show", other.toString()).failed(ExitCode.BAD_DATA);
        CliRun verify = CliRun.of("ledger", "verify", other.toString()).failed(ExitCode.BAD_DATA);
        assertThat(show.errors() + verify.errors()).doesNotContain("4711");
    }

    @Test
    void aHeadIsAHash() {
        CliRun.of("ledger", "verify", file.toString(), "--head", "abc").failed(ExitCode.USAGE);
    }

    @Test
    void aTornLineIsMentioned() throws Exception {
        Files.writeString(file, Files.readString(file) + "{\"sequence\":");
        assertThat(CliRun.of("ledger", "show", file.toString()).succeeded().output())
                .contains("cut off");
        assertThat(CliRun.of("ledger", "verify", file.toString()).succeeded().output())
                .contains("cut off");
    }
}
