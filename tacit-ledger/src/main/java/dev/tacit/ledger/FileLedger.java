package dev.tacit.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.Charge;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.ledger.filter.LedgerAccounting;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * A ledger in an append-only text file: one JSON object per line, chained by hashes, shared by processes and threads.
 *
 * <p><b>Charging.</b> Under an exclusive lock: read what others appended, ask the filter, append the charge, fsync,
 * append a line that confirms it, fsync, return. Only then may noise be drawn. A charge is spent as soon as its own
 * line is complete; the confirmation costs nothing and merely stands between the charge and the end of the file.
 *
 * <p><b>Never less recorded than released.</b> A release comes after the return, hence after the second fsync.
 * Whatever of the last line is lost then, even all of it, even because that fsync lied, the charge stands complete in
 * the line before, which an earlier fsync made durable: its cost is known and counted. A charge whose own line is
 * torn has no confirmation, so it has not returned and nothing was released for it; if its content is complete all
 * the same (only chain fields are missing) it is completed and counted, otherwise its bytes are cut off and a line
 * says so. The price is a second fsync per charge, which is small, because a run charges its whole plan once. The
 * announcements of {@link #advance} are one line and one fsync.
 *
 * <p><b>Failures.</b> A write that fails (full disk) is taken back and throws {@link LedgerUnavailable}: not charged,
 * not released. An fsync that fails throws too, but the line stays and counts: spent, not released.
 *
 * <p>Closing any channel of a file gives up the process's POSIX locks on it, so code of the same JVM must read a
 * ledger that is in use through {@link LedgerFile} or this class.
 */
public final class FileLedger implements AskedLedger {
    /** Opens the file; tests put failing disks here. */
    @FunctionalInterface
    interface Opener {
        FileChannel open(Path file, OpenOption... options) throws IOException;
    }

    @FunctionalInterface
    private interface Work<T, X extends Exception> {
        T run(FileChannel channel) throws IOException, X;
    }

    private static final String NOTHING_CHARGED = "so nothing was charged";
    private static final String CHARGE_STANDS = "so nothing more may be released; what was charged stands";

    private final Path file;
    private final LedgerAccounting accounting;
    private final Opener opener;
    private LedgerHistory history;
    private SpendingRule rule;
    private String lastHead;

    private FileLedger(Path file, LedgerAccounting accounting, Opener opener) {
        this.file = LedgerLocks.realPath(file);
        this.accounting = accounting;
        this.opener = opener;
    }

    /** Starts a ledger in a file that does not exist yet. */
    public static FileLedger create(Path file, LedgerTerms terms, LedgerAccounting accounting) {
        return create(file, terms, accounting, FileChannel::open);
    }

    /**
     * Continues a ledger, or starts it if there is none yet; of several processes that try, one starts it.
     *
     * @param terms of a ledger that is started; one that exists keeps its own, which {@link #terms} says
     */
    public static FileLedger openOrCreate(Path file, LedgerTerms terms, LedgerAccounting accounting) {
        start(file, terms, FileChannel::open);
        return open(file, accounting);
    }

    /** Continues a ledger; a line that a crash cut off is repaired. */
    public static FileLedger open(Path file, LedgerAccounting accounting) {
        return open(file, accounting, FileChannel::open);
    }

    static FileLedger create(Path file, LedgerTerms terms, LedgerAccounting accounting, Opener opener) {
        if (!start(file, terms, opener)) {
            throw new LedgerUnavailable("the ledger " + file + " cannot be created, because the file exists", null);
        }
        return open(file, accounting, opener);
    }

    /** Writes the first line under the lock that every writer takes; false if there is more than a torn one. */
    private static boolean start(Path file, LedgerTerms terms, Opener opener) {
        LedgerLocks.requireRegular(file);
        ReentrantLock lock = LedgerLocks.of(file);
        lock.lock();
        try (FileChannel channel =
                opener.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            channel.lock();
            if (!LedgerHistory.isTornHeader(LedgerFile.bytes(channel, 0))) {
                return false;
            }
            channel.truncate(0);
            write(channel, 0, LedgerHistory.headerLine(terms));
            channel.force(true);
            return true;
        } catch (IOException | OverlappingFileLockException e) {
            throw LedgerLocks.unavailable(file, "cannot be created", e);
        } finally {
            lock.unlock();
        }
    }

    static FileLedger open(Path file, LedgerAccounting accounting, Opener opener) {
        LedgerLocks.requireRegular(file);
        FileLedger ledger = new FileLedger(file, accounting, opener);
        ledger.locked(channel -> null);
        makeNameDurable(ledger.file);
        return ledger;
    }

    @Override
    public LedgerEntry charge(Charge charge) throws BudgetExhausted {
        return locked(channel -> {
            Optional<LedgerEntry> known = history.known(charge);
            if (known.isPresent()) {
                return known.get().confirmed() ? known.get() : confirm(channel, history.length(), known.get());
            }
            rule.check(history.entries(), charge.event());
            long start = history.length();
            append(channel, start, history.chargeLine(charge), NOTHING_CHARGED);
            return confirm(channel, start, history.lastEntry());
        });
    }

    @Override
    public void require(Charge charge) throws BudgetExhausted {
        locked(channel -> {
            if (history.known(charge).isEmpty()) {
                rule.check(history.entries(), charge.event());
            }
            return null;
        });
    }

    @Override
    public LedgerEntry advance(LedgerEntry entry, long released) {
        return advance(entry, released, () -> {});
    }

    /**
     * Announces a release if something holds at that very moment.
     *
     * @param requirement throws if it does not hold; it is asked while nobody else can write to the ledger, which it must not use
     */
    public LedgerEntry advance(LedgerEntry entry, long released, Runnable requirement) {
        return locked(channel -> {
            requirement.run();
            LedgerEntry advanced = history.advancing(entry, released);
            append(channel, history.length(), history.releasedLine(entry.sequence(), released), CHARGE_STANDS);
            return advanced;
        });
    }

    /** Records the SHA-256 of the statement that was published about an entry's run. */
    public void recordStatement(LedgerEntry entry, String sha256) {
        locked(channel -> {
            append(channel, history.length(), history.statementLine(entry, sha256), CHARGE_STANDS);
            return null;
        });
    }

    @Override
    public PrivacyUnit unit() {
        return rule.terms().unit();
    }

    /** What this ledger promises. */
    public LedgerTerms terms() {
        return rule.terms();
    }

    @Override
    public List<LedgerEntry> entries() {
        return locked(channel -> List.copyOf(history.entries()));
    }

    /** The entries with their shares, for reports. */
    public LedgerSummary summary() {
        return locked(channel -> rule.summary(history.entries()));
    }

    /**
     * A ledger at one moment.
     *
     * @param terms what it promises
     * @param entries everything charged, in order
     * @param hashes of all lines, the newest last
     */
    public record State(LedgerTerms terms, List<LedgerEntry> entries, List<String> hashes) {
        public State {
            entries = List.copyOf(entries);
            hashes = List.copyOf(hashes);
        }

        /** The hash of the last line. */
        public String head() {
            return hashes.get(hashes.size() - 1);
        }
    }

    /**
     * Does something while nobody else can write to the ledger, for example to keep a file beside it in step; the work
     * must not use this ledger, and must be short.
     */
    public <T> T exclusively(Function<State, T> work) {
        return locked(channel -> work.apply(new State(rule.terms(), history.entries(), history.hashes())));
    }

    /** The hash of the last line, to be kept elsewhere (see {@link LedgerFile}). */
    public String head() {
        return locked(channel -> history.head());
    }

    @Override
    public boolean durable() {
        return true;
    }

    /** Works under both locks on the newest state; closing the channel gives up its lock, before the JVM's. */
    private <T, X extends Exception> T locked(Work<T, X> work) throws X {
        ReentrantLock lock = LedgerLocks.of(file);
        lock.lock();
        try (FileChannel channel = opener.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            channel.lock();
            refresh(channel);
            return work.run(channel);
        } catch (IOException | OverlappingFileLockException e) {
            throw LedgerLocks.unavailable(file, "cannot be used", e);
        } finally {
            lock.unlock();
        }
    }

    /** Reads what other processes appended and repairs a torn last line. */
    private void refresh(FileChannel channel) throws IOException {
        boolean reload = history == null;
        if (reload) {
            history = new LedgerHistory(accounting.events());
        }
        byte[] known = history.lastLine();
        byte[] found = LedgerFile.bytes(channel, Math.min(channel.size(), history.length() - known.length));
        if (found.length < known.length || !Arrays.equals(known, Arrays.copyOf(found, known.length))) {
            throw new LedgerBroken(history.hashes().size(), "was changed or removed while the ledger was in use");
        }
        byte[] tail = history.acceptAll(Arrays.copyOfRange(found, known.length, found.length));
        if (history.hashes().isEmpty()) {
            throw LedgerHistory.withoutHeader(tail);
        }
        if (rule == null) {
            rule = new SpendingRule(history.terms(), accounting);
        } else if (reload && !history.hashes().contains(lastHead)) {
            throw new LedgerBroken(history.hashes().size(), "is not followed by lines that were there before");
        }
        if (tail.length > 0) {
            append(
                    channel,
                    history.length(),
                    history.completed(tail).orElseGet(() -> history.tornLine(tail.length)),
                    NOTHING_CHARGED);
        }
        lastHead = history.head();
    }

    private LedgerEntry confirm(FileChannel channel, long start, LedgerEntry entry) {
        append(channel, start, history.chargedLine(entry.sequence()), NOTHING_CHARGED);
        return Entries.confirmed(entry);
    }

    /** Appends one line and makes it durable; if the disk refuses it, everything from {@code start} on is undone. */
    private void append(FileChannel channel, long start, String line, String consequence) {
        try {
            channel.truncate(history.length());
            write(channel, history.length(), line);
        } catch (IOException e) {
            history = null;
            boolean undone = undo(channel, start);
            String problem = "could not be written, " + (undone ? consequence : "and this may count as spent");
            throw LedgerLocks.unavailable(file, problem, e);
        }
        try {
            channel.force(true);
        } catch (IOException e) {
            history = null;
            throw LedgerLocks.unavailable(
                    file, "could not be made durable, so this counts as spent but not as charged", e);
        }
        history.accept(line);
    }

    /** False if the rest of the line stays; it is repaired as a torn one. */
    private static boolean undo(FileChannel channel, long start) {
        try {
            channel.truncate(start);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static void write(FileChannel channel, long start, String line) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap((line + "\n").getBytes(UTF_8));
        while (buffer.hasRemaining()) {
            channel.write(buffer, start + buffer.position());
        }
    }

    /** A new file survives a crash only if its folder's entry does; Windows neither needs nor offers this step. */
    private static void makeNameDurable(Path file) {
        FileChannel folder;
        try {
            folder = FileChannel.open(file.getParent(), StandardOpenOption.READ);
        } catch (IOException e) {
            return;
        }
        try (folder) {
            folder.force(true);
        } catch (IOException e) {
            throw LedgerLocks.unavailable(file, "could not be made durable", e);
        }
    }
}
