package dev.tacit.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes a file whole or not at all: a reader never sees half of it, and a crash leaves what was there before. */
final class AtomicFile {
    private AtomicFile() {}

    static void write(Path file, String text) {
        if (Files.isDirectory(file)) {
            throw new CommandFailure(
                    ExitCode.CONFIG, "cannot write " + file + " because it is a directory; name a file in it.");
        }
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new CommandFailure(
                    ExitCode.CONFIG,
                    "cannot write " + file + " because its folder does not exist; create the folder first.");
        }
        Path draft = folder.resolve(
                "." + file.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
        try {
            try {
                Files.writeString(draft, text, StandardCharsets.UTF_8);
                move(draft, file);
            } finally {
                Files.deleteIfExists(draft);
            }
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.CONFIG,
                    "cannot write " + file + "; choose a place where you may write and that has room.",
                    e);
        }
    }

    private static void move(Path draft, Path file) throws IOException {
        try {
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
