package dev.tacit.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.json.EventJson;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A ledger as it stands in its file, read without accountants and without changing it.
 *
 * <p>The chain of hashes shows every line that was changed, inserted, removed or moved, except one thing: if the last
 * lines are removed as a whole, what remains is a valid shorter ledger. Against that, keep {@link #head} in another
 * place (it is one line of text) and give it to {@link #verify(Path, EventJson, String)}: a ledger that has grown
 * since still contains it, a shortened one does not. The chain has no key, so whoever may write the file can also
 * write a new chain; a head kept elsewhere shows that too.
 *
 * @param terms what the ledger promises
 * @param entries everything charged, in order, a torn last line included if its content is complete
 * @param head the hash of the last line
 * @param lines how many complete lines there are, the header included
 * @param tornBytes how many bytes of a line that a crash cut off stand at the end
 */
public record LedgerFile(LedgerTerms terms, List<LedgerEntry> entries, String head, long lines, long tornBytes) {
    public LedgerFile {
        entries = List.copyOf(entries);
    }

    /** How many bytes {@link #begins} looks at. */
    public static final int BEGINNING = LedgerHistory.MAGIC.length();

    /** Whether a file with these first bytes is meant to be a ledger. */
    public static boolean begins(byte[] bytes) {
        return new String(bytes, UTF_8).startsWith(LedgerHistory.MAGIC);
    }

    /** Reads a ledger, or throws {@link LedgerBroken} or {@link LedgerUnavailable}. */
    public static LedgerFile read(Path file, EventJson events) {
        return contents(history(file, events));
    }

    /** Reads a ledger that holds only the leaves that Tacit ships. */
    public static LedgerFile read(Path file) {
        return read(file, EventJson.standard());
    }

    /** Checks every line. */
    public static LedgerVerdict verify(Path file, EventJson events) {
        try {
            return new LedgerVerdict.Intact(read(file, events));
        } catch (LedgerBroken e) {
            return new LedgerVerdict.Broken(e.line(), e.getMessage());
        }
    }

    /** Checks every line, and that a head kept elsewhere is among them. */
    public static LedgerVerdict verify(Path file, EventJson events, String expectedHead) {
        try {
            Loaded loaded = history(file, events);
            return loaded.history().hashes().contains(expectedHead)
                    ? new LedgerVerdict.Intact(contents(loaded))
                    : new LedgerVerdict.Broken(
                            0, "the ledger does not contain the given head: its end was removed, or it was replaced");
        } catch (LedgerBroken e) {
            return new LedgerVerdict.Broken(e.line(), e.getMessage());
        }
    }

    private record Loaded(LedgerHistory history, long lines, long tornBytes) {}

    private static LedgerFile contents(Loaded loaded) {
        LedgerHistory history = loaded.history();
        return new LedgerFile(history.terms(), history.entries(), history.head(), loaded.lines(), loaded.tornBytes());
    }

    private static Loaded history(Path file, EventJson events) {
        LedgerHistory history = new LedgerHistory(events);
        byte[] tail = history.acceptAll(bytes(file));
        long lines = history.hashes().size();
        if (lines == 0) {
            throw LedgerHistory.withoutHeader(tail);
        }
        Optional<String> completed = history.completed(tail);
        completed.ifPresent(history::accept);
        return new Loaded(history, lines, tail.length);
    }

    /**
     * Reads under the lock that writers take, so that a charge in progress is not taken for a torn one. Closing any
     * channel of a file gives up the process's POSIX locks on it, so this JVM's lock is held until after the close.
     */
    private static byte[] bytes(Path file) {
        LedgerLocks.requireRegular(file);
        ReentrantLock lock = LedgerLocks.of(file);
        lock.lock();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            lockShared(channel);
            return bytes(channel, 0);
        } catch (IOException e) {
            throw LedgerLocks.unavailable(file, "cannot be read", e);
        } finally {
            lock.unlock();
        }
    }

    /** A file system without locks can still be read: a charge in progress then merely looks torn. */
    private static void lockShared(FileChannel channel) {
        try {
            channel.lock(0, Long.MAX_VALUE, true);
        } catch (IOException | OverlappingFileLockException e) {
            // read without the lock
        }
    }

    /** Everything from a position on. */
    static byte[] bytes(FileChannel channel, long start) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(channel.size() - start));
        while (buffer.hasRemaining() && channel.read(buffer, start + buffer.position()) >= 0) {
            // reads until full
        }
        return buffer.array();
    }
}
