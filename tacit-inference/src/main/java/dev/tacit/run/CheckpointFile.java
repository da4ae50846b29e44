package dev.tacit.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * A checkpoint in a file that is replaced as a whole: written beside it, made durable, renamed over it; and a log of the
 * releases since, one line each.
 *
 * <p>A crash leaves either the old checkpoint or the new one. A process that is killed leaves every line of the log; a
 * machine that loses its power may take those of the last second, whose releases are then lost and stay spent. A last
 * line without its end does not count.
 */
public final class CheckpointFile implements Checkpoint.Store {
    private final Path file;

    /** Where releases since the newest checkpoint are noted. */
    private final Path log;

    private static final long SECOND = 1_000_000_000;

    private final LongSupplier nanoseconds;
    private long forced;

    /**
     * In a file.
     *
     * @param nanoseconds a clock, by which the log is forced to the disk no more than once a second
     */
    public CheckpointFile(Path file, LongSupplier nanoseconds) {
        this.file = file;
        this.nanoseconds = nanoseconds;
        this.forced = nanoseconds.getAsLong() - SECOND;
        this.log = file.resolveSibling(file.getFileName() + ".log");
    }

    @Override
    public boolean append(ReleaseEntry release) {
        try (FileChannel channel =
                FileChannel.open(log, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            // What a crash left of a line is overwritten.
            channel.truncate(endOfLastLine(channel));
            channel.position(channel.size());
            write(channel, release.toJson());
            long now = nanoseconds.getAsLong();
            if (now - forced >= SECOND) {
                channel.force(true);
                forced = now;
            }
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long endOfLastLine(FileChannel channel) throws IOException {
        ByteBuffer last = ByteBuffer.allocate(1);
        long end = channel.size();
        while (end > 0) {
            last.clear();
            channel.read(last, end - 1);
            if (last.get(0) == '\n') {
                return end;
            }
            end--;
        }
        return 0;
    }

    private static void write(FileChannel channel, String line) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /** Lines that the newest checkpoint already contains do not count: a crash may leave them. */
    @Override
    public List<ReleaseEntry> appended() {
        long known = load().map(Checkpoint::released).orElse(0L);
        List<ReleaseEntry> entries = new ArrayList<>();
        if (!Files.exists(log)) {
            return entries;
        }
        try {
            String text = Files.readString(log, UTF_8);
            for (String line :
                    text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
                ReleaseEntry entry = ReleaseEntry.fromJson(line);
                if (entry.released() > known) {
                    known = entry.released();
                    entries.add(entry);
                }
            }
            return entries;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void save(Checkpoint checkpoint) {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        try (FileChannel channel = FileChannel.open(
                next, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            write(channel, checkpoint.toJson());
            channel.force(true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            Files.deleteIfExists(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Optional<Checkpoint> load() {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Checkpoint.fromJson(Files.readString(file, UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
