package dev.tacit.federated.store;

import dev.tacit.federated.crypto.ContentHash;
import dev.tacit.file.LockedFile;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A journal of envelopes in a file that only its owner may read, each entry chained to all before it, locked while it is open.
 *
 * <pre>
 *   entry = length | envelope | chain,   chain = SHA-256(chain of the entry before, envelope)
 *           ~length in place of length, if it was written together with the entry before
 * </pre>
 *
 * Entries are written and forced to the disk before {@link #append} returns. When the file is opened, entries count up to the first that is
 * not whole: what a crash tore was never acted on. If an entry that is not whole has others behind it that were written later, no crash did
 * that, and the log is not written to, because they would be lost. If entries cannot be written or forced, nothing more is written until the file is opened
 * again, because whether they are there is then not known.
 */
public final class EnvelopeLog implements Journal, AutoCloseable {
    private static final byte[] START = new byte[ContentHash.BYTES];
    private static final int LARGEST_ENTRY = Integer.MAX_VALUE - 1024;

    /** Version and study, with which every envelope of a study begins. */
    private static final int ALIKE_BYTES = 1 + ContentHash.BYTES;

    /** How far behind damage is searched. */
    private static final long MOST_SEARCHED = 1 << 26;

    private record Place(long start, int length) {}

    private final FileChannel channel;
    /** Where entries begin and how long they are; they are read when somebody asks. */
    private final List<Place> places = new ArrayList<>();

    private byte[] head = START;
    private long end;
    private boolean failed;

    /** Whether entries that were written later come behind the first that is not whole. */
    private boolean damaged;

    private EnvelopeLog(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Opens a log, or creates it.
     *
     * @throws LogTaken if it is open elsewhere
     * @throws LogDamaged if it was changed in its middle
     */
    public static EnvelopeLog open(Path file) {
        EnvelopeLog log = LockedFile.open(
                file,
                () -> new LogTaken("another process writes " + file + " now; wait until it has ended"),
                EnvelopeLog::loaded);
        if (log.damaged) {
            log.close();
            throw new LogDamaged(file + " is damaged after message " + log.places.size()
                    + ", and whole messages come behind; nothing was written to it, so that these are not lost. A coordinator's log can be moved away and"
                    + " made again by coordinator rebuild");
        }
        return log;
    }

    private static EnvelopeLog loaded(FileChannel channel) {
        try {
            EnvelopeLog log = new EnvelopeLog(channel);
            log.load();
            return log;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * What a log holds.
     *
     * @param entries those that are whole
     * @param bytesBehind how many bytes come after them, and are no entry
     * @param damaged whether entries that were written later are among these bytes, so that no crash left them
     */
    public record Content(List<byte[]> entries, long bytesBehind, boolean damaged) {
        public Content {
            entries = List.copyOf(entries);
        }
    }

    /** Reads a log without locking it: for audits. */
    public static Content read(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            EnvelopeLog log = loaded(channel);
            return new Content(log.entries(), channel.size() - log.end, log.damaged);
        }
    }

    private void load() throws IOException {
        channel.position(0);
        // The stream is not closed: that would close the channel.
        DataInputStream in = new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel)));
        try {
            while (true) {
                int length = length(in.readInt());
                if (length > LARGEST_ENTRY || length > channel.size() - end) {
                    break;
                }
                byte[] entry = in.readNBytes(length);
                byte[] chain = in.readNBytes(ContentHash.BYTES);
                if (!Arrays.equals(chain, chained(head, entry))) {
                    break;
                }
                places.add(new Place(end + Integer.BYTES, length));
                head = chain;
                end += Integer.BYTES + (long) length + ContentHash.BYTES;
            }
        } catch (EOFException torn) {
            // what a crash tore is no entry
        }
        damaged = isWrittenOnBehind();
    }

    private static int length(int written) {
        return written < 0 ? ~written : written;
    }

    /**
     * Whether behind the first entry that is not whole there is one that another append began: a whole entry whose chain follows from the
     * 32 bytes before it. Entries of one log begin alike, with the version and the study, which is how one is found behind a length that
     * was changed.
     */
    private boolean isWrittenOnBehind() throws IOException {
        byte[] behind = new byte[(int) Math.min(MOST_SEARCHED, channel.size() - end)];
        if (behind.length < Integer.BYTES) {
            return false;
        }
        read(ByteBuffer.wrap(behind), end);
        byte[] first = new byte[ALIKE_BYTES];
        read(ByteBuffer.wrap(first, 0, (int) Math.min(ALIKE_BYTES, channel.size() - Integer.BYTES)), Integer.BYTES);
        long next = 2L * Integer.BYTES + length(ByteBuffer.wrap(behind).getInt()) + ContentHash.BYTES;
        byte[] second = next + ALIKE_BYTES <= behind.length
                ? Arrays.copyOfRange(behind, (int) next, (int) next + ALIKE_BYTES)
                : first;
        for (int at = Integer.BYTES + ContentHash.BYTES; at + Integer.BYTES + ALIKE_BYTES <= behind.length; at++) {
            int body = at + Integer.BYTES;
            if ((startsWith(behind, body, first) || startsWith(behind, body, second)) && isWhole(behind, at)) {
                return true;
            }
        }
        return false;
    }

    private static boolean startsWith(byte[] bytes, int from, byte[] alike) {
        return Arrays.equals(bytes, from, from + alike.length, alike, 0, alike.length);
    }

    /** Whether at a place there is a whole entry, the first of its append, that is chained to the 32 bytes before. */
    private static boolean isWhole(byte[] bytes, int at) {
        int length = ByteBuffer.wrap(bytes).getInt(at);
        int body = at + Integer.BYTES;
        if (length < 0 || length > bytes.length - body - ContentHash.BYTES) {
            return false;
        }
        byte[] before = Arrays.copyOfRange(bytes, at - ContentHash.BYTES, at);
        byte[] chain = Arrays.copyOfRange(bytes, body + length, body + length + ContentHash.BYTES);
        return Arrays.equals(chain, chained(before, Arrays.copyOfRange(bytes, body, body + length)));
    }

    /** The chain of an entry after another. */
    static byte[] chained(byte[] before, byte[] entry) {
        return ContentHash.of("chain", before, entry);
    }

    /** The chain of no entry. */
    static byte[] start() {
        return START.clone();
    }

    @Override
    public synchronized List<byte[]> entries() {
        List<Place> now = List.copyOf(places);
        return new AbstractList<>() {
            @Override
            public byte[] get(int index) {
                return read(now.get(index));
            }

            @Override
            public int size() {
                return now.size();
            }
        };
    }

    private byte[] read(Place place) {
        ByteBuffer buffer = ByteBuffer.allocate(place.length);
        try {
            read(buffer, place.start);
            return buffer.array();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(ByteBuffer buffer, long start) throws IOException {
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, start + buffer.position()) < 0) {
                throw new IOException("the log was shortened while it was in use");
            }
        }
    }

    @Override
    public synchronized void append(List<byte[]> added) {
        if (failed) {
            throw new IllegalStateException("an entry could not be written; open the log again");
        }
        failed = true;
        try {
            channel.truncate(end);
            long at = end;
            byte[] chain = head;
            List<Place> written = new ArrayList<>();
            for (byte[] entry : added) {
                chain = chained(chain, entry);
                ByteBuffer buffer = ByteBuffer.allocate(Integer.BYTES + entry.length + ContentHash.BYTES)
                        .putInt(written.isEmpty() ? entry.length : ~entry.length)
                        .put(entry)
                        .put(chain)
                        .flip();
                written.add(new Place(at + Integer.BYTES, entry.length));
                while (buffer.hasRemaining()) {
                    at += channel.write(buffer, at);
                }
            }
            channel.force(false);
            places.addAll(written);
            head = chain;
            end = at;
            failed = false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized byte[] head() {
        return head.clone();
    }

    /** Gives up the lock; what is written stays. */
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
