package dev.tacit.ledger;

import static dev.tacit.ledger.LedgerFixtures.ACCOUNTING;
import static dev.tacit.ledger.LedgerFixtures.gaussian;
import static dev.tacit.ledger.LedgerFixtures.terms;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.door.ledger.Charge;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.json.EventJson;
import dev.tacit.ledger.LedgerVerdict.Broken;
import dev.tacit.ledger.LedgerVerdict.Intact;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class LedgerFileTest {
    @TempDir(factory = MemoryFolder.class)
    private Path folder;

    private Path file;
    private FileLedger ledger;
    private byte[] bytes;
    private List<String> lines;

    @BeforeEach
    void write() throws Exception {
        file = folder.resolve("people.ledger");
        ledger = FileLedger.create(file, terms(1), ACCOUNTING);
        ledger.charge("one", gaussian(1e-5));
        LedgerEntry two =
                ledger.charge(Charge.of("two", gaussian(2e-5).times(10)).forRun("run"));
        ledger.advance(two, 10);
        bytes = Files.readAllBytes(file);
        lines = Files.readAllLines(file);
    }

    private LedgerVerdict verify() {
        return LedgerFile.verify(file, EventJson.standard());
    }

    private Broken verify(List<String> changed) throws IOException {
        Files.writeString(file, String.join("\n", changed) + "\n");
        assertThat(verify()).as(String.join("\n", changed)).isInstanceOf(Broken.class);
        return (Broken) verify();
    }

    /** A pipe would be waited for. */
    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void aDeviceIsNoLedger() {
        Path device = Path.of("/dev/null");
        for (ThrowingCallable use : List.<ThrowingCallable>of(
                () -> LedgerFile.verify(device, EventJson.standard()),
                () -> FileLedger.open(device, ACCOUNTING),
                () -> FileLedger.openOrCreate(device, terms(1), ACCOUNTING))) {
            assertThatThrownBy(use)
                    .isInstanceOf(LedgerUnavailable.class)
                    .hasMessage("the ledger /dev/null is not a regular file");
        }
    }

    @Test
    void anUntouchedLedgerIsIntact() {
        assertThat(verify()).isInstanceOf(Intact.class);
        LedgerFile contents = ((Intact) verify()).contents();
        assertThat(contents).isEqualTo(LedgerFile.read(file));
        assertThat(contents.lines()).isEqualTo(6);
        assertThat(contents.tornBytes()).isZero();
        assertThat(contents.terms()).isEqualTo(terms(1));
        assertThat(contents.entries()).isEqualTo(ledger.entries());
    }

    /**
     * One bit of every byte; only the very last line end can turn the last line into a torn one, which is reported
     * too.
     */
    @Test
    void everyChangedByteIsReported() throws IOException {
        long line = 1;
        for (int i = 0; i < bytes.length; i++) {
            byte[] changed = bytes.clone();
            changed[i] ^= (byte) (1 << (i % 8));
            Files.write(file, changed);
            if (verify() instanceof Broken broken) {
                assertThat(broken.line()).as("byte %d", i).isEqualTo(line);
                assertThat(broken.reason())
                        .startsWith("line " + line + " of the ledger ")
                        .doesNotContain("two");
            } else {
                assertThat(i).isEqualTo(bytes.length - 1);
                assertThat(((Intact) verify()).contents().tornBytes()).isPositive();
            }
            line += bytes[i] == '\n' ? 1 : 0;
        }
    }

    @Test
    void removedLinesAreReported() throws IOException {
        for (int i = 0; i < lines.size() - 1; i++) {
            List<String> changed = new ArrayList<>(lines);
            changed.remove(i);
            assertThat(verify(changed).line()).isEqualTo(i + 1);
        }
    }

    @Test
    void swappedLinesAreReported() throws IOException {
        for (int i = 0; i < lines.size(); i++) {
            for (int j = 0; j < i; j++) {
                List<String> changed = new ArrayList<>(lines);
                Collections.swap(changed, i, j);
                assertThat(verify(changed).line()).isEqualTo(j + 1);
            }
        }
    }

    @Test
    void insertedLinesAreReported() throws IOException {
        for (int i = 0; i <= lines.size(); i++) {
            for (String inserted : List.of("", "{}", "# note", lines.get(0), lines.get(2), lines.get(5))) {
                List<String> changed = new ArrayList<>(lines);
                changed.add(i, inserted);
                long line = i < lines.size() && inserted.equals(lines.get(i)) ? i + 2 : i + 1;
                assertThat(verify(changed).line()).isEqualTo(line);
            }
        }
    }

    @Test
    void shortenedLinesAreReported() throws IOException {
        for (int i = 0; i < lines.size(); i++) {
            for (int length = 0; length < lines.get(i).length(); length += 7) {
                List<String> changed = new ArrayList<>(lines);
                changed.set(i, lines.get(i).substring(0, length));
                assertThat(verify(changed).line()).isEqualTo(i + 1);
            }
        }
    }

    @Test
    void linesOfAnotherLedgerAreReported() throws Exception {
        Path other = folder.resolve("other.ledger");
        FileLedger.create(other, terms(2), ACCOUNTING).charge("one", gaussian(1e-5));
        List<String> changed = new ArrayList<>(lines);
        changed.set(1, Files.readAllLines(other).get(1));
        assertThat(verify(changed))
                .isEqualTo(new Broken(
                        2, "line 2 of the ledger does not follow line 1: a line was removed, inserted or moved here"));
    }

    @Test
    void aHeadKeptElsewhereShowsThatTheEndIsMissing() throws Exception {
        String head = ledger.head();
        EventJson json = EventJson.standard();
        assertThat(LedgerFile.verify(file, json, head)).isInstanceOf(Intact.class);
        ledger.charge("three", gaussian(1e-6));
        assertThat(LedgerFile.verify(file, json, head)).isInstanceOf(Intact.class);
        Files.writeString(file, String.join("\n", lines.subList(0, 3)) + "\n");
        assertThat(verify()).isInstanceOf(Intact.class);
        assertThat(LedgerFile.verify(file, json, head))
                .isInstanceOfSatisfying(
                        Broken.class,
                        broken -> assertThat(broken.reason()).contains("does not contain the given head"));
        Files.write(file, new byte[] {'x', '\n'});
        assertThat(LedgerFile.verify(file, json, head)).isInstanceOf(Broken.class);
    }

    @Test
    void textThatIsNoLedgerIsReported() throws IOException {
        for (String text :
                List.of("", "\n", "hello\n", "{}\n", "\ufeff" + lines.get(0) + "\n", lines.get(0) + "\r\n")) {
            Files.writeString(file, text);
            assertThat(verify()).as(text).isInstanceOf(Broken.class);
            assertThat(((Broken) verify()).line()).isEqualTo(1);
        }
        Files.write(file, new byte[] {(byte) 0xff, '\n'});
        assertThat(verify()).isInstanceOf(Broken.class);
    }
}
