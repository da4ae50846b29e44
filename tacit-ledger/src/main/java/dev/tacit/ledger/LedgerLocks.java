package dev.tacit.ledger;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** One lock per ledger file for the threads of this JVM, because a file lock only keeps out other processes. */
final class LedgerLocks {
    private static final Map<Path, ReentrantLock> LOCKS = new ConcurrentHashMap<>();

    private LedgerLocks() {}

    /** The lock of a file, whatever path leads to it. */
    static ReentrantLock of(Path file) {
        return LOCKS.computeIfAbsent(realPath(file), path -> new ReentrantLock());
    }

    /** The real path of a file that may not exist yet. */
    static Path realPath(Path file) {
        try {
            return file.toRealPath();
        } catch (IOException missing) {
            try {
                Path absolute = file.toAbsolutePath();
                return absolute.getParent().toRealPath().resolve(absolute.getFileName());
            } catch (IOException e) {
                throw unavailable(file, "has no folder to stand in", e);
            }
        }
    }

    /** Refuses pipes and devices, which would be waited for. */
    static void requireRegular(Path file) {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new LedgerUnavailable("the ledger " + file + " is not a regular file", null);
        }
    }

    /** One sentence for whatever the file system says. */
    static LedgerUnavailable unavailable(Path file, String problem, Exception cause) {
        String reason = cause.getMessage();
        if (cause instanceof NoSuchFileException) {
            reason = "there is no such file";
        } else if (cause instanceof AccessDeniedException) {
            reason = "permission denied";
        } else if (cause instanceof FileSystemException system && system.getReason() != null) {
            reason = system.getReason();
        } else if (reason == null) {
            reason = cause.getClass().getSimpleName();
        }
        return new LedgerUnavailable("the ledger " + file + " " + problem + " (" + reason + ")", cause);
    }
}
