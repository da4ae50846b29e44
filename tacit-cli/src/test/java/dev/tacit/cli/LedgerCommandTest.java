package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.privacy.event.PrivacyEvent;
import dev.tacit.privacy.ledger.Charge;
import dev.tacit.privacy.ledger.FileLedger;
import dev.tacit.privacy.ledger.LedgerTerms;
import dev.tacit.privacy.unit.Neighbours;
import dev.tacit.privacy.unit.PrivacyBudget;
import dev.tacit.privacy.unit.PrivacyUnit;
import java.nio.file.Files;
import java.nio.file.Path;
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
        ledger = FileLedger.create(
                file, LedgerTerms.of(unit, new PrivacyBudget(3, 1e-6)), LedgerShowCommand.accounting());
        ledger.charge(Charge.of("first\nfit", PrivacyEvent.gaussian(20).times(4)));
        ledger.charge(Charge.of(
                        "second fit",
                        PrivacyEvent.gaussian(2).poissonSampled(0.01).times(100))
                .forRun("run-2"));
    }

    @Test
    void showListsChargesSharesAndWhatHolds() throws Exception {
        byte[] before = Files.readAllBytes(file);
        String output = CliRun.of("ledger", "show", file.toString()).succeeded().output();
        assertThat(output)
                .contains("one person with at most 3 records, add-remove neighbours")
                .contains("epsilon 3 at delta 1e-6")
                .contains("first fit")
                .contains("second fit")
                .contains("epsilon <= 3")
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
                        "budget",
                        "unit",
                        "maxRecords",
                        "neighbours",
                        "filter",
                        "entries",
                        "spentShare",
                        "epsilon",
                        "delta",
                        "head",
                        "lines",
                        "tornBytes");
        List<?> entries = (List<?>) json.get("entries");
        assertThat(entries).hasSize(2);
        assertThat(CliRun.object(entries.get(0)).keySet())
                .containsExactly("sequence", "label", "event", "share", "cumulativeShare", "released", "confirmed");
        assertThat(CliRun.object(entries.get(1))).containsEntry("run", "run-2");
        assertThat((double) json.get("spentShare")).isBetween(0.0, 1.0);
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
