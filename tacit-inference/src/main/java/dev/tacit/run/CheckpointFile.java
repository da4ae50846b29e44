package dev.tacit.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tacit.door.session.SealedReleases;
import dev.tacit.file.DurableFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * A checkpoint in a file that is replaced as a whole, and that only its owner may read.
 *
 * <p>A crash leaves either the old checkpoint or the new one. Releases that a durable checkpoint contains need not stay
 * sealed, so the run's sealed releases are told.
 */
public final class CheckpointFile implements Checkpoint.Store {
    private final Path file;
    private final SealedReleases sealed;

    /**
     * In a file.
     *
     * @param sealed the run's sealed releases, {@link SealedReleases#NONE} if it has none
     */
    public CheckpointFile(Path file, SealedReleases sealed) {
        this.file = Objects.requireNonNull(file, "file");
        this.sealed = Objects.requireNonNull(sealed, "sealed");
    }

    @Override
    public void save(Checkpoint checkpoint) {
        try {
            DurableFile.write(file, (checkpoint.toJson() + "\n").getBytes(UTF_8), DurableFile.Access.OWNER);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        sealed.dropBefore(checkpoint.released());
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
