package dev.tacit.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Writes a file whole or not at all, and durably.
 *
 * <p>The text goes to a draft beside the file, the draft is forced to the disk, renamed over the file, and the folder is
 * forced, so that a reader never sees half of it, and a crash or a loss of power leaves what was there before or all of
 * the new text.
 */
public final class DurableFile {
    /** Who may read a file that is written. */
    public enum Access {
        /** Its owner only, whatever the process's mask says. */
        OWNER,
        /** Whoever the process's mask lets. */
        SHARED
    }

    private DurableFile() {}

    /** Replaces a file by a text; when this returns, the text survives a loss of power. */
    public static void write(Path file, byte[] text, Access access) throws IOException {
        Path draft = draft(file);
        try {
            Files.deleteIfExists(draft);
            try (FileChannel channel = open(draft, access, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = ByteBuffer.wrap(text);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            move(draft, file);
        } finally {
            Files.deleteIfExists(draft);
        }
        forceFolder(file.toAbsolutePath().getParent());
    }

    /** Where a file is drafted by this process. */
    private static Path draft(Path file) {
        return file.resolveSibling(
                "." + file.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
    }

    /** Whether a name is that of a draft of a file, left by whichever process was killed while it wrote it. */
    public static boolean isDraft(String name, String ofFile) {
        return name.startsWith("." + ofFile + ".") && name.endsWith(".tmp");
    }

    private static void move(Path draft, Path file) throws IOException {
        try {
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** Opens a file; if it is created, for whom {@code access} says. */
    public static FileChannel open(Path file, Access access, OpenOption... options) throws IOException {
        return FileChannel.open(file, Set.of(options), attributes(file, access, "rw-------"));
    }

    /** Creates a folder that only its owner may enter. */
    public static void createOwnerFolder(Path folder) throws IOException {
        Files.createDirectory(folder, attributes(folder, Access.OWNER, "rwx------"));
        forceFolder(folder.toAbsolutePath().getParent());
    }

    private static FileAttribute<?>[] attributes(Path file, Access access, String mode) {
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        return access == Access.OWNER && posix
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))}
                : new FileAttribute<?>[0];
    }

    /** Makes new names in a folder durable; Windows neither needs nor offers this step. */
    public static void forceFolder(Path folder) throws IOException {
        FileChannel channel;
        try {
            channel = FileChannel.open(folder, StandardOpenOption.READ);
        } catch (IOException e) {
            return;
        }
        try (channel) {
            channel.force(true);
        }
    }
}
