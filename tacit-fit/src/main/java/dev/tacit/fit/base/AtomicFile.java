package dev.tacit.fit.base;

import dev.tacit.file.DurableFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes a file that somebody named, whole or not at all and durably, or says why it cannot be written. */
public final class AtomicFile {
    private AtomicFile() {}

    public static void write(Path file, String text) {
        if (Files.isDirectory(file)) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION,
                    "cannot write " + file + " because it is a directory; name a file in it.");
        }
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION,
                    "cannot write " + file + " because its folder does not exist; create the folder first.");
        }
        try {
            DurableFile.write(file, text.getBytes(StandardCharsets.UTF_8), DurableFile.Access.SHARED);
        } catch (IOException e) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION,
                    "cannot write " + file + "; choose a place where you may write and that has room.",
                    e);
        }
    }
}
