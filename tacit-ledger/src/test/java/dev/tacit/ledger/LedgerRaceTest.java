package dev.tacit.ledger;

import static dev.tacit.ledger.LedgerFixtures.ACCOUNTING;
import static dev.tacit.ledger.LedgerFixtures.gaussian;
import static dev.tacit.ledger.LedgerFixtures.rhoLimit;
import static dev.tacit.ledger.LedgerFixtures.terms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.ledger.LedgerWriter.Mode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever comes second for the last of a budget gets nothing. */
class LedgerRaceTest {
    private static final int RACES = 20;

    @TempDir
    private Path folder;

    /** A ledger with a tenth of its budget left, where each contender asks for 0.06. */
    private Path almostSpent(int number) throws BudgetExhausted {
        Path file = folder.resolve("race-" + number);
        FileLedger ledger = FileLedger.create(file, terms(1), ACCOUNTING);
        ledger.charge("before", gaussian(0.9 * rhoLimit(ledger.terms())));
        return file;
    }

    @Test
    void ofTwoProcessesOneWins() throws Exception {
        try (LedgerProcess first = LedgerProcess.start(Mode.RACE, folder, "first");
                LedgerProcess second = LedgerProcess.start(Mode.RACE, folder, "second")) {
            assertThat(List.of(first.heard(), second.heard())).containsOnly("ready");
            for (int race = 0; race < RACES; race++) {
                Path file = almostSpent(race);
                first.tell(file.toString());
                second.tell(file.toString());
                assertThat(List.of(first.heard(), second.heard())).containsExactlyInAnyOrder("won", "lost");
                assertThat(LedgerFile.read(file).entries()).hasSize(2);
            }
        }
    }

    @Test
    void ofManyThreadsOneWins() throws Exception {
        int threads = 8;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            for (int race = 0; race < RACES; race++) {
                Path file = almostSpent(race);
                FileLedger shared = FileLedger.open(file, ACCOUNTING);
                CyclicBarrier start = new CyclicBarrier(threads);
                List<Callable<Boolean>> contenders = new ArrayList<>();
                for (int i = 0; i < threads; i++) {
                    FileLedger ledger = i % 2 == 0 ? shared : FileLedger.open(file, ACCOUNTING);
                    contenders.add(() -> {
                        start.await();
                        return wins(ledger);
                    });
                }
                int winners = 0;
                for (Future<Boolean> result : pool.invokeAll(contenders)) {
                    winners += result.get() ? 1 : 0;
                }
                assertThat(winners).isEqualTo(1);
                assertThat(LedgerFile.read(file).entries()).hasSize(2);
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private static boolean wins(FileLedger ledger) {
        try {
            ledger.charge("contender", gaussian(0.06 * rhoLimit(ledger.terms())));
            return true;
        } catch (BudgetExhausted e) {
            return false;
        }
    }

    /** Two processes charge one ledger as fast as they can: nothing is lost and the chain holds. */
    @Test
    void interleavedChargesAllCount() throws Exception {
        Path file = folder.resolve("busy");
        FileLedger ledger = FileLedger.create(file, terms(1e6), ACCOUNTING);
        List<String> released = new ArrayList<>();
        try (LedgerProcess first = LedgerProcess.start(Mode.CHARGE_FIRST, file, "first");
                LedgerProcess second = LedgerProcess.start(Mode.CHARGE_FIRST, file, "second")) {
            assertThat(List.of(first.heard(), second.heard())).containsOnly("ready");
            for (int i = 0; i < 30; i++) {
                ledger.charge("parent-" + i, gaussian(1e-6));
                released.add("parent-" + i);
                released.add(first.heard());
                released.add(second.heard());
            }
            released.addAll(first.kill());
            released.addAll(second.kill());
        }
        assertThat(ReleaseCheck.unpaid(released, LedgerFile.read(file).entries()))
                .isEmpty();
    }
}
