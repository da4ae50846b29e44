package dev.tacit.federated.store;

import dev.tacit.file.DurableFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Secrets as files of a folder that only their owner may enter, one for each name.
 *
 * <p>A secret that is erased is overwritten before its file is removed. A disk that moves what it writes may keep an old copy all the same;
 * the secrets of a round are worth nothing once the round is opened.
 */
public final class SecretFile implements Secrets {
    private final Path folder;

    private SecretFile(Path folder) {
        this.folder = folder;
    }

    /** Opens a folder, or creates it. */
    public static SecretFile in(Path folder) {
        try {
            if (!Files.isDirectory(folder)) {
                DurableFile.createOwnerFolder(folder);
            }
            SecretFile secrets = new SecretFile(folder);
            secrets.eraseDrafts();
            return secrets;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a process was writing when it was killed. */
    private void eraseDrafts() throws IOException {
        try (DirectoryStream<Path> drafts = Files.newDirectoryStream(folder, ".*.tmp")) {
            for (Path draft : drafts) {
                erase(draft);
            }
        }
    }

    private Path file(String name) {
        if (!name.matches("[a-z0-9-]{1,64}")) {
            throw new IllegalArgumentException("a secret is called by small letters, digits and hyphens");
        }
        return folder.resolve(name);
    }

    @Override
    public void keep(String name, byte[] secret) {
        erase(name); // what a crash left of an earlier one
        try {
            DurableFile.write(file(name), secret, DurableFile.Access.OWNER);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Optional<byte[]> read(String name) {
        try {
            return Optional.of(Files.readAllBytes(file(name)));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void erase(String name) {
        Path file = file(name);
        try {
            if (Files.exists(file)) {
                erase(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void erase(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            ByteBuffer zeros = ByteBuffer.allocate((int) channel.size());
            while (zeros.hasRemaining()) {
                channel.write(zeros);
            }
            channel.force(false);
        }
        Files.deleteIfExists(file);
        DurableFile.forceFolder(folder);
    }
}
