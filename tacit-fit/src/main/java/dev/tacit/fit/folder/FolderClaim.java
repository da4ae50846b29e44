package dev.tacit.fit.folder;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tacit.file.DurableFile;
import dev.tacit.fit.base.FitException;
import dev.tacit.noise.SecureNoise;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * A fit's folder, held by one process from before the data are read until the run has ended.
 *
 * <p>The claim is a lock of the operating system on {@code sealed/lock}, which a killed process gives up. Unless the run
 * says that the folder is to be kept, what it wrote is removed in the end: the files that it may have written before
 * the charge, by name, and the folders that it created, if nothing else is in them. Nothing else is ever removed.
 */
public final class FolderClaim implements AutoCloseable {
    private final FitFolder folder;
    private final FileChannel lock;

    /** The innermost comes first. */
    private final Deque<Path> created;

    private boolean kept;

    private FolderClaim(FitFolder folder, FileChannel lock, Deque<Path> created, boolean kept) {
        this.folder = folder;
        this.lock = lock;
        this.created = created;
        this.kept = kept;
    }

    /** Creates the folder, or takes an empty one, for a run that begins. */
    public static FolderClaim fresh(FitFolder folder) {
        folder.requireFree();
        Deque<Path> created = new ArrayDeque<>();
        try {
            create(folder, created);
            FolderClaim claim = new FolderClaim(folder, locked(folder), created, false);
            try {
                folder.requireFree(); // nobody was faster
                folder.deleteDrafts();
                return claim;
            } catch (FitException e) {
                claim.kept = true; // it is somebody else's
                claim.close();
                throw e;
            }
        } catch (IOException e) {
            removeEmpty(created);
            throw new FitException(
                    FitException.Kind.CONFIGURATION,
                    "cannot create " + folder.path() + "; name a place where you may write with --out.",
                    e);
        }
    }

    /** Takes the folder of a run that goes on. */
    public static FolderClaim resumed(FitFolder folder) {
        try {
            return new FolderClaim(folder, locked(folder), new ArrayDeque<>(), true);
        } catch (IOException e) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION,
                    "cannot write to " + folder.sealed() + "; check its rights, then go on with --resume.",
                    e);
        }
    }

    private static void create(FitFolder folder, Deque<Path> created) throws IOException {
        if (!Files.isDirectory(folder.path())) {
            try {
                Files.createDirectory(folder.path());
                created.addFirst(folder.path());
            } catch (FileAlreadyExistsException e) {
                // somebody else was faster, and whether there is room for both the lock decides
            }
        }
        if (!Files.isDirectory(folder.sealed(), LinkOption.NOFOLLOW_LINKS)) {
            try {
                DurableFile.createOwnerFolder(folder.sealed());
                created.addFirst(folder.sealed());
            } catch (FileAlreadyExistsException e) {
                // as above
            }
        }
    }

    /** The lock file, locked, and still the one that others would find. */
    private static FileChannel locked(FitFolder folder) throws IOException {
        FileChannel channel = DurableFile.open(
                folder.lock(), DurableFile.Access.OWNER, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean mine = false;
        try {
            byte[] token = Long.toHexString(SecureNoise.create().nextLong()).getBytes(US_ASCII);
            mine = tryLock(channel) && write(channel, token) && isThere(folder.lock(), token);
        } finally {
            if (!mine) {
                channel.close();
            }
        }
        if (!mine) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION,
                    "another tacit is at work in " + folder.path()
                            + "; wait until it has ended, or name another place with --out.");
        }
        return channel;
    }

    private static boolean tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    private static boolean write(FileChannel channel, byte[] token) throws IOException {
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(token));
        return true;
    }

    /** Whoever had the lock before may have deleted the file in the meantime. */
    private static boolean isThere(Path file, byte[] token) {
        try {
            return Arrays.equals(Files.readAllBytes(file), token);
        } catch (IOException e) {
            return false;
        }
    }

    /** From here on something may be charged: whatever happens, the folder stays, so that the run can go on. */
    public void keep() {
        kept = true;
    }

    /** Whether something may be charged. */
    public boolean isKept() {
        return kept;
    }

    /** Takes {@link #keep} back: the ledger has said that nothing was charged. */
    public void release() {
        kept = false;
    }

    @Override
    public void close() {
        try (lock) {
            if (!kept) {
                folder.deleteDrafts();
                for (Path file : folder.writtenBeforeCharge()) {
                    Files.deleteIfExists(file);
                }
            }
            Files.deleteIfExists(folder.lock());
            if (!kept) {
                removeEmpty(created);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void removeEmpty(Deque<Path> folders) {
        for (Path each : folders) {
            try {
                Files.deleteIfExists(each);
            } catch (DirectoryNotEmptyException e) {
                return; // something of somebody else's
            } catch (IOException e) {
                return; // it may be used again as it is
            }
        }
    }
}
