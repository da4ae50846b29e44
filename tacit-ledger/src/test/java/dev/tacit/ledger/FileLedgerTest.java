package dev.tacit.ledger;

import static dev.tacit.ledger.LedgerFixtures.ACCOUNTING;
import static dev.tacit.ledger.LedgerFixtures.gaussian;
import static dev.tacit.ledger.LedgerFixtures.rhoLimit;
import static dev.tacit.ledger.LedgerFixtures.terms;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.event.PrivacyProfile;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.Charge;
import dev.tacit.door.ledger.LedgerConflict;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.json.EventJson;
import dev.tacit.ledger.filter.ApproximateFilter;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.ledger.filter.RenyiFilter;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileLedgerTest {
    private static final PrivacyEvent EVENT = gaussian(1e-4).times(3);

    @TempDir(factory = MemoryFolder.class)
    private Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("people.ledger");
    }

    private FileLedger create() {
        return FileLedger.create(file, terms(1), ACCOUNTING);
    }

    private FileLedger open() {
        return FileLedger.open(file, ACCOUNTING);
    }

    private LedgerFile intact() {
        LedgerVerdict verdict = LedgerFile.verify(file, EventJson.standard());
        assertThat(verdict).isInstanceOf(LedgerVerdict.Intact.class);
        return ((LedgerVerdict.Intact) verdict).contents();
    }

    @Test
    void remembersEverythingExactly() throws BudgetExhausted {
        LedgerTerms odd = new LedgerTerms(
                new PrivacyUnit("patient \"Zoë\"\n", 12, Neighbours.REPLACE_ONE),
                new PrivacyBudget(0.1 + 0.2, 1e-300),
                new RenyiFilter(1 + 1e-3));
        LedgerTerms approximate =
                new LedgerTerms(LedgerFixtures.UNIT, new PrivacyBudget(1, 1e-5), new ApproximateFilter(1e-6, 1e-9));
        FileLedger.create(folder.resolve("odd"), odd, ACCOUNTING);
        FileLedger.create(folder.resolve("approximate"), approximate, ACCOUNTING);
        assertThat(FileLedger.open(folder.resolve("odd"), ACCOUNTING).terms()).isEqualTo(odd);
        assertThat(FileLedger.open(folder.resolve("approximate"), ACCOUNTING).terms())
                .isEqualTo(approximate);

        FileLedger ledger = create();
        LedgerEntry first = ledger.charge("a\nb\u0000\ud83d\ude00\ud83d", EVENT);
        LedgerEntry second =
                ledger.charge(Charge.of("", EVENT).forRun("r").at(Instant.parse("2026-11-15T03:04:05.123456789Z")));
        second = ledger.advance(second, 2);
        assertThat(open().entries()).containsExactly(first, second).isEqualTo(ledger.entries());
        assertThat(LedgerFixtures.spent(open())).isEqualTo(new PrivacyEvent.Sequence(List.of(EVENT, EVENT)));
        assertThat(open().summary()).isEqualTo(ledger.summary());
        assertThat(intact().entries()).containsExactly(first, second);
        assertThat(intact().head()).isEqualTo(ledger.head());
        assertThat(ledger.durable()).isTrue();
    }

    @Test
    void onlyAddsBytes() throws Exception {
        FileLedger ledger = create();
        byte[] before = Files.readAllBytes(file);
        LedgerEntry entry = ledger.charge("one", EVENT);
        for (int i = 1; i < 4; i++) {
            byte[] after = Files.readAllBytes(file);
            assertThat(Arrays.copyOf(after, before.length)).isEqualTo(before);
            before = after;
            entry = ledger.advance(entry, i);
        }
    }

    /** Asking refuses what charging refuses, and writes nothing; a run that was charged is not asked again. */
    @Test
    void askingIsNotCharging() throws Exception {
        FileLedger ledger = create();
        Charge run = Charge.of("one", EVENT).forRun("r");
        ledger.require(run);
        ledger.charge(run);
        byte[] before = Files.readAllBytes(file);
        PrivacyEvent tooMuch = gaussian(1e9).times(3);
        for (AskedLedger asked : List.of(ledger, new InMemoryLedger(terms(1), ACCOUNTING))) {
            assertThatThrownBy(() -> asked.require(Charge.of("two", tooMuch))).isInstanceOf(BudgetExhausted.class);
            assertThatThrownBy(() -> asked.charge("two", tooMuch)).isInstanceOf(BudgetExhausted.class);
        }
        ledger.require(run);
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    @Test
    void seesWhatOthersAppended() throws BudgetExhausted {
        FileLedger first = create();
        FileLedger second = open();
        LedgerEntry a = first.charge("a", EVENT);
        LedgerEntry b = second.charge("b", EVENT);
        assertThat(first.entries()).containsExactly(a, b);
        assertThat(first.charge("c", EVENT).sequence()).isEqualTo(5);
    }

    @Test
    void writesNothingWhenTheBudgetIsExhausted() throws Exception {
        FileLedger ledger = create();
        ledger.charge("most", gaussian(0.9 * rhoLimit(ledger.terms())));
        byte[] before = Files.readAllBytes(file);
        assertThatThrownBy(() -> ledger.charge("more", gaussian(0.2 * rhoLimit(ledger.terms()))))
                .isInstanceOf(BudgetExhausted.class);
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    @Test
    void aResumedRunIsNotChargedTwice() throws Exception {
        Charge charge = Charge.of("fit", EVENT).forRun("run-1");
        LedgerEntry entry = create().charge(charge);
        byte[] before = Files.readAllBytes(file);
        FileLedger again = open();
        assertThat(again.charge(charge)).isEqualTo(entry);
        assertThat(again.resume(entry.position())).isEqualTo(entry);
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
        assertThatThrownBy(() -> again.charge(Charge.of("fit", EVENT.times(2)).forRun("run-1")))
                .isInstanceOf(LedgerConflict.class)
                .hasMessageContaining("entry 1");
        LedgerEntry half = again.advance(entry, 2);
        assertThatThrownBy(() -> open().advance(entry, 3)).isInstanceOf(LedgerConflict.class);
        assertThat(open().charge(charge)).isEqualTo(half);
    }

    @Test
    void anInterruptedChargeIsConfirmedWhenItsRunIsResumed() throws Exception {
        Charge charge = Charge.of("fit", EVENT).forRun("run-1");
        create().charge(charge);
        String text = Files.readString(file);
        Files.writeString(file, text.substring(0, text.indexOf("{\"sequence\":2")));
        assertThat(open().entries()).singleElement().matches(entry -> !entry.confirmed());
        assertThat(open().charge(charge).confirmed()).isTrue();
        assertThat(Files.readString(file)).isEqualTo(text);
    }

    /** Wherever a crash cuts the file, all that was complete is spent, the ledger works on and its chain holds. */
    @Test
    void survivesACutAtEveryByte() throws Exception {
        FileLedger ledger = create();
        ledger.charge("one", EVENT);
        LedgerEntry two = ledger.charge(Charge.of("two", EVENT.times(2)).forRun("run"));
        ledger.advance(two, 1);
        ledger.charge("three", gaussian(1e-5));
        byte[] whole = Files.readAllBytes(file);
        int headerEnd = lineEnds(whole)[0];
        for (int cut = headerEnd; cut <= whole.length; cut++) {
            byte[] left = Arrays.copyOf(whole, cut);
            checkRecovery(left, entriesIn(left));
        }
    }

    /** A finished charge is spent whatever becomes of the last line, because that line is only its confirmation. */
    @Test
    void aTornLastLineIsAlwaysSpent() throws Exception {
        FileLedger ledger = create();
        ledger.charge("one", EVENT);
        ledger.charge("two", EVENT.times(2));
        byte[] whole = Files.readAllBytes(file);
        int[] ends = lineEnds(whole);
        int lastLine = ends[ends.length - 2];
        for (int cut = lastLine; cut <= whole.length; cut++) {
            checkRecovery(Arrays.copyOf(whole, cut), 2);
            for (String garbage : List.of("\0\0\0\0", "}", "\"", "x\u00ff", ",\"previous\":\"")) {
                byte[] bytes = Arrays.copyOf(whole, cut + garbage.length());
                System.arraycopy(garbage.getBytes(ISO_8859_1), 0, bytes, cut, garbage.length());
                checkRecovery(bytes, 2);
            }
        }
    }

    private void checkRecovery(byte[] bytes, int spentAtLeast) throws Exception {
        Files.write(file, bytes);
        int seen = intact().entries().size();
        assertThat(seen).as("cut at %d", bytes.length).isGreaterThanOrEqualTo(spentAtLeast);
        FileLedger ledger = open();
        assertThat(ledger.entries()).hasSize(seen);
        LedgerEntry next = ledger.charge("next", EVENT);
        assertThat(intact().tornBytes()).isZero();
        assertThat(intact().entries()).hasSize(seen + 1).last().isEqualTo(next);
    }

    /** Charges whose line is complete: counted by hand, from the text, not by the code under test. */
    private static int entriesIn(byte[] bytes) {
        int count = 0;
        int start = 0;
        for (int end : lineEnds(bytes)) {
            count += new String(bytes, start, end - start, UTF_8).contains("\"kind\":\"charge\"") ? 1 : 0;
            start = end;
        }
        return count;
    }

    private static int[] lineEnds(byte[] bytes) {
        return IntStream.range(0, bytes.length)
                .filter(i -> bytes[i] == '\n')
                .map(i -> i + 1)
                .toArray();
    }

    @Test
    void aTornHeaderIsCreatedAgain() throws IOException {
        create();
        byte[] whole = Files.readAllBytes(file);
        for (int cut = 0; cut < whole.length; cut++) {
            Files.write(file, Arrays.copyOf(whole, cut));
            assertThatThrownBy(this::open)
                    .isInstanceOf(LedgerBroken.class)
                    .hasMessageContaining("create the ledger again");
            create();
            assertThat(Files.readAllBytes(file)).isEqualTo(whole);
        }
    }

    @Test
    void neverOverwritesAFile() throws IOException {
        create();
        assertThatThrownBy(this::create).isInstanceOf(LedgerUnavailable.class).hasMessageContaining("exists");
        for (String content : List.of("x", "{\"other\":1}", "my only copy\n")) {
            Files.writeString(file, content);
            assertThatThrownBy(this::create).isInstanceOf(LedgerUnavailable.class);
            assertThat(Files.readString(file)).isEqualTo(content);
            assertThatThrownBy(this::open)
                    .isInstanceOf(LedgerBroken.class)
                    .hasMessageStartingWith("line 1 of the ledger");
        }
    }

    /** A full disk at every byte of a charge: a clear error, the file as before, and the next charge works. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFullDiskChargesNothing(boolean truncates) throws Exception {
        create().charge("one", EVENT);
        byte[] before = Files.readAllBytes(file);
        FileLedger probe = open();
        probe.charge("two", EVENT);
        int needed = (int) (Files.size(file) - before.length);
        for (int room = 0; room < needed; room++) {
            Files.write(file, before);
            long bytes = room;
            FileLedger ledger = FileLedger.open(
                    file,
                    ACCOUNTING,
                    (path, options) ->
                            new FailingChannel(FileChannel.open(path, options), bytes, Integer.MAX_VALUE, truncates));
            LedgerUnavailable failure =
                    catchThrowableOfType(LedgerUnavailable.class, () -> ledger.charge("two", EVENT));
            boolean mayBeSpent = failure.getMessage()
                    .endsWith("could not be written, and this may count as spent (No space left on device)");
            if (truncates) {
                assertThat(failure)
                        .hasMessageEndingWith("could not be written, so nothing was charged (No space left on device)");
                assertThat(Files.readAllBytes(file)).isEqualTo(before);
            }
            int seen = intact().entries().size();
            assertThat(mayBeSpent || seen == 1).isTrue();
            assertThat(seen).isBetween(1, truncates ? 1 : 2);
            assertThat(open().charge("three", EVENT)).isEqualTo(open().entries().get(seen));
            assertThat(intact().entries()).hasSize(seen + 1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aFailedFsyncIsSpentButNotCharged(int forces) throws BudgetExhausted {
        create();
        FileLedger ledger = FileLedger.open(
                file,
                ACCOUNTING,
                (path, options) -> new FailingChannel(FileChannel.open(path, options), Long.MAX_VALUE, forces, true));
        LedgerUnavailable failure = catchThrowableOfType(LedgerUnavailable.class, () -> ledger.charge("one", EVENT));
        assertThat(failure).hasMessageContaining("counts as spent");
        assertThat(open().entries()).hasSize(1);
        open().charge("two", EVENT);
        assertThat(ledger.entries()).hasSize(2);
    }

    @Test
    void aFullDiskWhileAnnouncingSaysThatTheChargeStands() throws BudgetExhausted {
        LedgerEntry entry = create().charge("one", EVENT);
        FileLedger ledger = FileLedger.open(
                file,
                ACCOUNTING,
                (path, options) -> new FailingChannel(FileChannel.open(path, options), 7, Integer.MAX_VALUE, true));
        assertThatThrownBy(() -> ledger.advance(entry, 1))
                .isInstanceOf(LedgerUnavailable.class)
                .hasMessageContaining("so nothing more may be released; what was charged stands")
                .hasMessageNotContaining("nothing was charged");
        assertThat(open().advance(entry, 1).released()).isEqualTo(1);
    }

    @Test
    void aFullDiskWhileCreatingLeavesRoomForAnotherTry() {
        assertThatThrownBy(() -> FileLedger.create(
                        file,
                        terms(1),
                        ACCOUNTING,
                        (path, options) ->
                                new FailingChannel(FileChannel.open(path, options), 40, Integer.MAX_VALUE, true)))
                .isInstanceOf(LedgerUnavailable.class)
                .hasMessageContaining("cannot be created (No space left on device)");
        create();
    }

    @Test
    void pathsThatCannotBeUsedAreNamedInOneSentence() {
        assertThatThrownBy(this::open)
                .isInstanceOf(LedgerUnavailable.class)
                .hasMessage("the ledger " + file + " cannot be used (there is no such file)");
        assertThatThrownBy(() -> FileLedger.create(folder, terms(1), ACCOUNTING))
                .isInstanceOf(LedgerUnavailable.class)
                .hasMessageContaining("is not a regular file");
        assertThatThrownBy(() -> FileLedger.create(folder.resolve("no/such/folder"), terms(1), ACCOUNTING))
                .isInstanceOf(LedgerUnavailable.class)
                .hasMessageContaining("has no folder to stand in");
        assertThatThrownBy(() -> FileLedger.create(Path.of("/proc/tacit.ledger"), terms(1), ACCOUNTING))
                .isInstanceOf(LedgerUnavailable.class);
        assertThatThrownBy(() -> LedgerFile.read(file))
                .isInstanceOf(LedgerUnavailable.class)
                .hasMessageContaining("cannot be read (there is no such file)");
    }

    @Test
    void theSameFileUnderAnotherNameIsTheSameLedger() throws Exception {
        FileLedger direct = create();
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        FileLedger linked = FileLedger.open(link, ACCOUNTING);
        direct.charge("one", EVENT);
        linked.charge("two", EVENT);
        assertThat(direct.entries()).hasSize(2);
    }

    @Test
    void changesBehindItsBackStopIt() throws Exception {
        FileLedger ledger = create();
        byte[] empty = Files.readAllBytes(file);
        ledger.charge("one", EVENT);
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, empty);
        assertThatThrownBy(() -> ledger.charge("two", EVENT))
                .isInstanceOf(LedgerBroken.class)
                .hasMessageContaining("was changed or removed while the ledger was in use");
        Files.write(file, whole);
        ledger.charge("two", EVENT);
        Files.writeString(file, "garbage\n", StandardOpenOption.APPEND);
        assertThatThrownBy(() -> ledger.charge("three", EVENT))
                .isInstanceOf(LedgerBroken.class)
                .hasMessageStartingWith("line 6 of the ledger");
        Files.delete(file);
        assertThatThrownBy(() -> ledger.charge("three", EVENT)).isInstanceOf(LedgerUnavailable.class);
    }

    /** A failed write makes the ledger forget what it read; it must still notice that the file was shortened. */
    @Test
    void changesBehindItsBackStopItAlsoAfterAFailedWrite() throws Exception {
        create().charge("one", EVENT);
        byte[] one = Files.readAllBytes(file);
        long[] room = {Long.MAX_VALUE};
        FileLedger ledger = FileLedger.open(
                file,
                ACCOUNTING,
                (path, options) ->
                        new FailingChannel(FileChannel.open(path, options), room[0], Integer.MAX_VALUE, true));
        ledger.charge("two", EVENT);
        room[0] = 10;
        assertThatThrownBy(() -> ledger.charge("three", EVENT)).isInstanceOf(LedgerUnavailable.class);
        room[0] = Long.MAX_VALUE;
        Files.write(file, one);
        assertThatThrownBy(() -> ledger.charge("three", EVENT))
                .isInstanceOf(LedgerBroken.class)
                .hasMessageContaining("lines that were there before");
    }

    @Test
    void anInterruptedThreadChargesNothingItDoesNotRecord() throws Exception {
        FileLedger ledger = create();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> ledger.charge("one", EVENT)).isInstanceOf(LedgerUnavailable.class);
        assertThat(Thread.interrupted()).isTrue();
        ledger.charge("two", EVENT);
        assertThat(intact().entries()).last().matches(entry -> entry.label().equals("two"));
    }

    @Test
    void refusesEventsThatWouldNotReadBack() throws IOException {
        FileLedger ledger = create();
        byte[] before = Files.readAllBytes(file);
        EventJson lossy = EventJson.standard().withLeaf("lossy", fields -> lossy(fields.number("value") + 1));
        LedgerAccounting accounting = new LedgerAccounting(ACCOUNTING.plans(), (event, order, neighbours) -> 0, lossy);
        PrivacyEvent event = new PrivacyEvent.Release(lossy(1));
        assertThatThrownBy(() -> FileLedger.open(file, accounting).charge("x", event))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ledger.charge("x", event)).isInstanceOf(Exception.class);
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    private static PrivacyProfile lossy(double value) {
        return new PrivacyProfile("lossy", Map.of("value", value));
    }
}
