package dev.tacit.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.Charge;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.session.SealedRelease;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.json.EventJson;
import dev.tacit.json.Json;
import dev.tacit.json.JsonFields;
import dev.tacit.ledger.filter.LedgerAccounting;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ledgers, sealed releases and events that version 0.1.0 wrote; they are read, continued, and mean what they meant. */
class GoldenFilesTest {
    private static final String FOLDER = "/golden/0.1.0/";
    private static final LedgerAccounting ACCOUNTING =
            new LedgerAccounting(new ExactAccountant(), new RenyiAccountant()::divergence);

    @TempDir
    private Path folder;

    private Path copy(String name) throws IOException {
        try (InputStream golden = GoldenFilesTest.class.getResourceAsStream(FOLDER + name)) {
            return Files.write(folder.resolve(name), golden.readAllBytes());
        }
    }

    @Test
    void aLedgerIsReadVerifiedAndContinued() throws Exception {
        Path file = copy("people.ledger");
        assertThat(LedgerFile.verify(file, EventJson.standard())).isInstanceOf(LedgerVerdict.Intact.class);
        FileLedger ledger = FileLedger.open(file, ACCOUNTING);
        assertThat(ledger.head()).isEqualTo("4cd5edd7609810e358611c7169d68db0974bdba42935b8ec89b30e52725f7bcf");
        assertThat(ledger.terms().limit()).isEmpty();
        assertThat(ledger.terms().id()).contains("5eed5eed5eed5eed5eed5eed5eed5eed");
        assertThat(ledger.unit()).isEqualTo(new PrivacyUnit("patient", 3, Neighbours.ADD_REMOVE));
        List<LedgerEntry> entries = ledger.entries();
        assertThat(entries)
                .extracting(LedgerEntry::label)
                .containsExactly("sampled batches", "half a run", "histogram");
        assertThat(entries).extracting(LedgerEntry::released).containsExactly(200L, 2L, 0L);
        LedgerEntry first = entries.get(0);
        assertThat(first.event())
                .isEqualTo(PrivacyEvent.gaussian(2).poissonSampled(0.05).times(200));
        assertThat(first.time()).contains(Instant.parse("2026-11-17T08:00:00Z"));
        assertThat(first.analyst()).contains("Ada \"A\" Lovelace");
        assertThat(first.statement()).contains("0123456789abcdef".repeat(4));
        // 3.0079 then: an odometer that says less for the same charges would have to say why in the changelog.
        assertThat(ledger.summary().holds().upper()).isBetween(3.0079, 3.0080);
        ledger.advance(entries.get(1), 3);
        ledger.charge(Charge.of("later", PrivacyEvent.gaussian(20)));
        assertThat(FileLedger.open(file, ACCOUNTING).entries()).hasSize(4);
        assertThat(LedgerFile.verify(file, EventJson.standard())).isInstanceOf(LedgerVerdict.Intact.class);
    }

    /** Numbers then; as integers of their grid they are what the door released. */
    @Test
    void sealedReleasesComeBackAsIntegersOfTheirGrid() throws IOException {
        Path file = copy("releases.sealed");
        SumGrid grid = new DiscreteGaussianMechanism(9.5).grid(0.5, 1);
        double steps = 1 / grid.granularity();
        try (SealedFile sealed = SealedFile.open(file, "4294015b4d6ecaae3b38029d5a7073da")) {
            assertThat(sealed.read(0, grid))
                    .usingRecursiveComparison()
                    .isEqualTo(new SealedRelease(
                            0, 1, 9.5, new long[] {0, 0, Long.MAX_VALUE, (long) (0.1 * steps), (long) (-3 * steps)}));
            SealedRelease before = new SealedRelease(1, 0.5, 4.75, new long[] {(long) (17.25 * steps)});
            assertThat(sealed.read(1, grid)).usingRecursiveComparison().isEqualTo(before);
            assertThat(grid.numbers(before.integers())).containsExactly(17.25);
            assertThat(sealed.firstFrom(2)).hasValue(4);
            assertThat(sealed.l2Bound(4)).isEqualTo(2);
            assertThat(sealed.firstFrom(5)).isEmpty();
            SealedRelease later = new SealedRelease(5, 0.5, 4.75, new long[] {(1L << 53) + 1});
            sealed.keep(later);
            assertThat(sealed.read(5, grid)).usingRecursiveComparison().isEqualTo(later);
            assertThat(sealed.read(1, grid)).usingRecursiveComparison().isEqualTo(before);
        }
        try (SealedFile other = SealedFile.open(copy("releases.sealed"), "another run")) {
            assertThat(other.firstFrom(0)).isEmpty();
        }
    }

    /** Each kind of event is written as it was, and costs what it cost: the certified intervals meet. */
    @Test
    void eventsAreWrittenAsTheyWereAndCostWhatTheyCost() throws IOException {
        Set<String> kinds = new TreeSet<>();
        for (Object value : (List<?>) Json.read(Files.readString(copy("events.json")))) {
            JsonFields golden = JsonFields.of(value, "golden");
            String text = Json.write(golden.value("event"));
            PrivacyEvent event = EventJson.standard().read(text);
            assertThat(EventJson.standard().write(event)).isEqualTo(text);
            kinds.add(golden.object("event").text("type"));
            EpsilonBound now = new ExactAccountant().epsilon(event, 1e-5, Neighbours.ADD_REMOVE);
            if (golden.value("upper") instanceof String) {
                assertThat(now.upper()).as(text).isInfinite();
            } else {
                assertThat(now.upper()).as(text).isGreaterThanOrEqualTo(golden.number("lower"));
                if (now instanceof EpsilonBound.Between between) {
                    assertThat(between.lower()).as(text).isLessThanOrEqualTo(golden.number("upper"));
                }
            }
        }
        assertThat(EventJson.standard().types()).containsAll(kinds);
        assertThat(kinds).hasSize(12);
    }
}
