package dev.tacit.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.session.SealedConflict;
import dev.tacit.door.session.SealedRelease;
import dev.tacit.door.session.SealedReleases;
import dev.tacit.file.LockedFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Sealed releases in a file that only its owner may read, locked for as long as it is open.
 *
 * <pre>
 *   entry = magic, index, l2Bound, noise standard deviation, dimension, integers, SHA-256 of run and all before
 * </pre>
 *
 * Version 0.1.0 wrote numbers (IEEE 754 bits) under another magic; they are read as the integers of their grid.
 *
 * <p>An entry is appended and forced to the disk before {@link #keep} returns. When the file is opened, entries count up to
 * the first that is not whole: what a crash tore, and entries of another run. If an entry cannot be written or forced,
 * nothing more is kept until the file is opened again, because whether it is there is then not known. Dropping releases
 * empties the file, once nothing newer is in it.
 */
public final class SealedFile implements SealedReleases, AutoCloseable {
    private static final int MAGIC = 0x54534C32;
    private static final int MAGIC_OF_NUMBERS = 0x54534C31;
    private static final int HEAD = Integer.BYTES + Long.BYTES + 2 * Double.BYTES + Integer.BYTES;
    private static final int DIGEST = 32;

    /** Integers are read and written in portions of so many bytes. */
    private static final int PORTION = 1 << 16;

    private final FileChannel channel;
    private final byte[] run;

    /** Where each entry begins, by index. */
    private final TreeMap<Long, Long> places = new TreeMap<>();

    private long end;
    private boolean failed;

    private SealedFile(FileChannel channel, String run) {
        this.channel = channel;
        this.run = run.getBytes(UTF_8);
    }

    /**
     * Opens a run's file, or creates it.
     *
     * @param run the run's own name; entries of another run do not count
     * @throws SealedConflict if it is open elsewhere
     */
    public static SealedFile open(Path file, String run) {
        return LockedFile.open(
                file,
                () -> new SealedConflict(
                        "another process makes the releases of " + file + " now; wait until it has ended"),
                channel -> loaded(channel, run));
    }

    private static SealedFile loaded(FileChannel channel, String run) {
        try {
            SealedFile opened = new SealedFile(channel, run);
            opened.load();
            return opened;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void load() throws IOException {
        long size = channel.size();
        while (size - end >= HEAD + DIGEST) {
            ByteBuffer head = read(end, HEAD);
            MessageDigest digest = digest();
            digest.update(head.duplicate());
            int magic = head.getInt();
            long index = head.getLong();
            head.position(HEAD - Integer.BYTES);
            int dimension = head.getInt();
            long body = (long) dimension * Long.BYTES;
            long next = end + HEAD + body + DIGEST;
            if ((magic != MAGIC && magic != MAGIC_OF_NUMBERS)
                    || dimension < 1
                    || next > size
                    || places.containsKey(index)) {
                break;
            }
            for (long done = 0; done < body; done += PORTION) {
                digest.update(read(end + HEAD + done, (int) Math.min(PORTION, body - done)));
            }
            byte[] expected = new byte[DIGEST];
            read(end + HEAD + body, DIGEST).get(expected);
            if (!MessageDigest.isEqual(digest.digest(), expected)) {
                break;
            }
            places.put(index, end);
            end = next;
        }
    }

    @Override
    public synchronized OptionalLong firstFrom(long index) {
        Long found = places.ceilingKey(index);
        return found == null ? OptionalLong.empty() : OptionalLong.of(found);
    }

    @Override
    public synchronized double l2Bound(long index) {
        try {
            return read(place(index), HEAD).getDouble(Integer.BYTES + Long.BYTES);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long place(long index) {
        Long place = places.get(index);
        if (place == null) {
            throw new IllegalStateException("release " + index + " is not kept");
        }
        return place;
    }

    @Override
    public synchronized SealedRelease read(long index, SumGrid grid) {
        long place = place(index);
        try {
            ByteBuffer head = read(place, HEAD);
            boolean numbers = head.getInt() == MAGIC_OF_NUMBERS;
            head.position(Integer.BYTES + Long.BYTES);
            double l2Bound = head.getDouble();
            double noiseStandardDeviation = head.getDouble();
            long[] integers = new long[head.getInt()];
            int perPortion = PORTION / Long.BYTES;
            for (int i = 0; i < integers.length; i += perPortion) {
                int count = Math.min(perPortion, integers.length - i);
                read(place + HEAD + (long) i * Long.BYTES, count * Long.BYTES)
                        .asLongBuffer()
                        .get(integers, i, count);
            }
            for (int i = 0; numbers && i < integers.length; i++) {
                integers[i] = (long) (Double.longBitsToDouble(integers[i]) / grid.granularity());
            }
            return new SealedRelease(index, l2Bound, noiseStandardDeviation, integers);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void keep(SealedRelease release) {
        if (failed || places.containsKey(release.index())) {
            throw new IllegalStateException(
                    failed ? "an entry could not be written; open the file again" : "a release is kept once");
        }
        failed = true;
        try {
            channel.truncate(end); // what a crash tore is no part of a later entry
            long length = append(release);
            channel.force(false);
            places.put(release.index(), end);
            end += length;
            failed = false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long append(SealedRelease release) throws IOException {
        MessageDigest digest = digest();
        ByteBuffer buffer = ByteBuffer.allocate(PORTION);
        buffer.putInt(MAGIC)
                .putLong(release.index())
                .putDouble(release.l2Bound())
                .putDouble(release.noiseStandardDeviation())
                .putInt(release.integers().length);
        long at = end;
        for (long integer : release.integers()) {
            if (buffer.remaining() < Long.BYTES) {
                at = write(buffer, at, digest);
            }
            buffer.putLong(integer);
        }
        at = write(buffer, at, digest);
        buffer.put(digest.digest());
        return write(buffer, at, digest) - end;
    }

    /** Writes what the buffer holds, empties it and returns where the file then ends. */
    private long write(ByteBuffer buffer, long at, MessageDigest digest) throws IOException {
        buffer.flip();
        digest.update(buffer.duplicate());
        long next = at;
        while (buffer.hasRemaining()) {
            next += channel.write(buffer, next);
        }
        buffer.clear();
        return next;
    }

    @Override
    public synchronized void dropBefore(long index) {
        if (failed || places.isEmpty() || places.lastKey() >= index) {
            return;
        }
        try {
            channel.truncate(0);
            places.clear();
            end = 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ByteBuffer read(long from, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, from + buffer.position()) < 0) {
                throw new IOException("the file was shortened while it was in use");
            }
        }
        return buffer.flip();
    }

    private MessageDigest digest() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(run);
            digest.update((byte) 0);
            return digest;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Gives up the lock; what is kept stays. */
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
