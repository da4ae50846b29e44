package dev.tacit.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Function;
import java.util.function.Supplier;

/** Files that one process at a time writes to: created for their owner, and locked for as long as they are open. */
public final class LockedFile {
    private LockedFile() {}

    /**
     * Opens a file, or creates it, and reads it; if that fails, it is closed again.
     *
     * @param taken what is thrown if somebody else has it open
     * @param read makes something of the open file
     */
    public static <T> T open(
            Path file, Supplier<? extends RuntimeException> taken, Function<FileChannel, ? extends T> read) {
        FileChannel channel = null;
        try {
            channel = DurableFile.open(
                    file,
                    DurableFile.Access.OWNER,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
            if (!isLocked(channel)) {
                throw taken.get();
            }
            T opened = read.apply(channel);
            DurableFile.forceFolder(file.toAbsolutePath().getParent());
            return opened;
        } catch (IOException e) {
            close(channel);
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            close(channel);
            throw e;
        }
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    private static void close(FileChannel channel) {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                // what is wrong with the file is being reported already
            }
        }
    }
}
