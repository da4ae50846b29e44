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
import java.util.Optional;

/**
 * A checkpoint in a file that is replaced as a whole: written beside it, made durable, renamed over it.
 *
 * <p>A crash leaves either the old checkpoint or the new one.
 */
public final class CheckpointFile implements Checkpoint.Store {
    private final Path file;

    public CheckpointFile(Path file) {
        this.file = file;
    }

    @Override
    public void save(Checkpoint checkpoint) {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        try (FileChannel channel = FileChannel.open(
                next, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer bytes = ByteBuffer.wrap((checkpoint.toJson() + "\n").getBytes(UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
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
