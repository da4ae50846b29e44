package dev.tacit.ledger;

import static dev.tacit.ledger.LedgerFixtures.ACCOUNTING;
import static dev.tacit.ledger.LedgerFixtures.UNIT;
import static dev.tacit.ledger.LedgerFixtures.gaussian;
import static dev.tacit.ledger.LedgerFixtures.terms;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.Charge;
import dev.tacit.door.ledger.LedgerConflict;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.json.EventJson;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.ledger.filter.RenyiFilter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerFormatTest {
    private static final String HASH = "0123456789abcdef".repeat(4);

    @TempDir(factory = MemoryFolder.class)
    private Path folder;

    private LedgerTerms withoutLimit() {
        return LedgerTerms.withoutLimit(UNIT, 1e-6, gaussian(0.01), LedgerFixtures::divergence);
    }

    /** A ledger of two fits, written before ledgers had odometers, names and statements. */
    private Path firstFormat() throws IOException {
        Path file = folder.resolve("first-format.ledger");
        try (InputStream golden = LedgerFormatTest.class.getResourceAsStream("/ledger/first-format.ledger")) {
            Files.write(file, golden.readAllBytes());
        }
        return file;
    }

    @Test
    void theFirstFormatIsReadVerifiedAndContinued() throws Exception {
        Path file = firstFormat();
        assertThat(LedgerFile.verify(file, EventJson.standard())).isInstanceOf(LedgerVerdict.Intact.class);
        FileLedger ledger =
                FileLedger.open(file, new LedgerAccounting(new ExactAccountant(), new RenyiAccountant()::divergence));
        assertThat(ledger.terms().limit().orElseThrow())
                .isEqualTo(new SpendingLimit(new PrivacyBudget(3, 1e-6), new RenyiFilter(8.926)));
        assertThat(ledger.terms().id()).isEmpty();
        assertThat(ledger.head()).isEqualTo("e432b091afcfb6e4e0c0d8910ae8d6633e412e2da7357a91d5f68cda78e7d505");
        assertThat(ledger.entries()).hasSize(2).allSatisfy(entry -> {
            assertThat(entry.released()).isEqualTo(9);
            assertThat(entry.analyst()).isEmpty();
            assertThat(entry.statement()).isEmpty();
        });
        // 0.7207 if both had been planned at once; the limit of 3 is not what they cost.
        assertThat(ledger.summary().holds().upper()).isBetween(0.7207, 0.88);
        LedgerEntry third = ledger.charge(Charge.of("third", gaussian(1e-4)).by("Ada"));
        ledger.recordStatement(third, HASH);
        assertThat(FileLedger.open(file, new LedgerAccounting(new ExactAccountant(), new RenyiAccountant()::divergence))
                        .entries()
                        .get(2)
                        .statement())
                .contains(HASH);
    }

    @Test
    void aLedgerWithoutLimitRefusesNothingAndRemembersItsTerms() throws BudgetExhausted {
        Path file = folder.resolve("people.ledger");
        LedgerTerms terms = withoutLimit().identified("6f1e");
        FileLedger ledger = FileLedger.openOrCreate(file, terms, ACCOUNTING);
        assertThat(ledger.terms()).isEqualTo(terms);
        ledger.charge("large", gaussian(50));
        ledger.charge("larger", gaussian(5000));
        LedgerSummary summary =
                FileLedger.openOrCreate(file, terms(1), ACCOUNTING).summary();
        assertThat(summary.terms()).isEqualTo(terms);
        assertThat(summary.holds().upper()).isBetween(5000.0, 10_000.0);
        assertThat(summary.lines().get(0).share()).isEmpty();
    }

    /** Nobody loosens a limit by opening: who asks for other terms gets the ledger's own, with all that was spent. */
    @Test
    void aLedgerThatExistsKeepsItsLimitWhateverItIsOpenedWith() throws BudgetExhausted {
        Path file = folder.resolve("people.ledger");
        FileLedger first = FileLedger.openOrCreate(file, terms(1), ACCOUNTING);
        double most = LedgerFixtures.rhoLimit(first.terms());
        first.charge("nearly all", gaussian(0.9 * most));
        for (LedgerTerms other : List.of(terms(100), withoutLimit())) {
            FileLedger again = FileLedger.openOrCreate(file, other, ACCOUNTING);
            assertThat(again.terms()).isEqualTo(first.terms());
            assertThat(again.entries()).hasSize(1);
            assertThatThrownBy(() -> again.charge("too much", gaussian(0.2 * most)))
                    .isInstanceOf(BudgetExhausted.class);
        }
        assertThat(first.entries()).hasSize(1);
    }

    @Test
    void aChargeSaysWhenByWhomAndWhatWasPublished() throws BudgetExhausted {
        Path file = folder.resolve("people.ledger");
        FileLedger ledger = FileLedger.create(file, withoutLimit(), ACCOUNTING);
        Instant time = Instant.parse("2026-11-16T12:00:00Z");
        LedgerEntry entry = ledger.charge(
                Charge.of("late payments", gaussian(0.01)).at(time).by("Ada \"A\" Lovelace"));
        ledger.recordStatement(entry, HASH);
        ledger.recordStatement(entry, HASH.replace('0', '1'));
        LedgerEntry read = LedgerFile.read(file).entries().get(0);
        assertThat(read.time()).contains(time);
        assertThat(read.analyst()).contains("Ada \"A\" Lovelace");
        assertThat(read.statement()).contains(HASH.replace('0', '1'));
        assertThatThrownBy(() -> ledger.recordStatement(entry, "none")).isInstanceOf(IllegalArgumentException.class);
        LedgerEntry strange = new InMemoryLedger(withoutLimit(), ACCOUNTING).charge("x", gaussian(0.01));
        LedgerEntry elsewhere = new LedgerEntry(
                99,
                strange.hash(),
                strange.label(),
                strange.event(),
                strange.run(),
                strange.time(),
                strange.analyst(),
                true,
                0,
                strange.statement());
        assertThatThrownBy(() -> ledger.recordStatement(elsewhere, HASH)).isInstanceOf(LedgerConflict.class);
        assertThat(LedgerFile.verify(file, EventJson.standard())).isInstanceOf(LedgerVerdict.Intact.class);
    }

    @Test
    void manyThreadsCreateOneLedger() throws Exception {
        Path file = folder.resolve("people.ledger");
        CyclicBarrier together = new CyclicBarrier(8);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<LedgerEntry>> charges = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                String label = "thread " + i;
                charges.add(threads.submit(() -> {
                    together.await();
                    return FileLedger.openOrCreate(file, withoutLimit().identified(label), ACCOUNTING)
                            .charge(label, gaussian(0.01));
                }));
            }
            for (Future<LedgerEntry> charge : charges) {
                assertThat(charge.get().confirmed()).isTrue();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(LedgerFile.read(file).entries()).hasSize(8);
    }

    /** A file whose line ends were lost may hold charges: it is not called empty, and creating does not erase it. */
    @Test
    void aLedgerWithoutLineEndsIsNotTakenForAnEmptyOne() throws Exception {
        Path file = folder.resolve("people.ledger");
        FileLedger.create(file, withoutLimit(), ACCOUNTING).charge("spent", gaussian(0.01));
        for (String end : List.of("\r", "", " ")) {
            String changed = Files.readString(file).replace("\n", end);
            Path other = Files.writeString(folder.resolve("changed" + end.length() + end.hashCode()), changed);
            assertThat(LedgerFile.verify(other, EventJson.standard()))
                    .isInstanceOfSatisfying(
                            LedgerVerdict.Broken.class,
                            broken -> assertThat(broken.reason())
                                    .contains("may hold charges")
                                    .doesNotContain("create the ledger again"));
            assertThatThrownBy(() -> FileLedger.openOrCreate(other, withoutLimit(), ACCOUNTING))
                    .isInstanceOf(LedgerBroken.class)
                    .hasMessageContaining("may hold charges");
            assertThat(Files.readString(other)).isEqualTo(changed);
        }
    }

    /** What a crash leaves of the first line is still called that, and is written again. */
    @Test
    void aTornFirstLineIsAnEmptyLedger() throws Exception {
        Path file = folder.resolve("people.ledger");
        FileLedger.create(file, withoutLimit(), ACCOUNTING);
        String line = Files.readString(file);
        for (int length = 0; length < line.length(); length += 9) {
            Path torn = Files.writeString(folder.resolve("torn" + length), line.substring(0, length));
            assertThat(((LedgerVerdict.Broken) LedgerFile.verify(torn, EventJson.standard())).reason())
                    .contains("create the ledger again");
            assertThat(FileLedger.openOrCreate(torn, withoutLimit(), ACCOUNTING).entries())
                    .isEmpty();
        }
    }
}
