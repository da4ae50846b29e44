package dev.tacit.cli.shell;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * How far this process has read a file, from {@code /proc} (proc(5), fdinfo): the code that reads records says nothing, and need not
 * be asked.
 */
final class OpenFiles {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final Path POSITIONS = Path.of("/proc/self/fdinfo");
    private static final String POSITION = "pos:";

    private OpenFiles() {}

    /** The furthest position of a descriptor of the file; empty if it is not open, or if the system does not say. */
    static OptionalLong position(Path file) {
        OptionalLong furthest = OptionalLong.empty();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(DESCRIPTORS)) {
            Path wanted = file.toRealPath();
            for (Path descriptor : descriptors) {
                OptionalLong found = position(descriptor, wanted);
                if (found.isPresent() && found.getAsLong() >= furthest.orElse(0)) {
                    furthest = found;
                }
            }
        } catch (IOException | UnsupportedOperationException e) {
            return OptionalLong.empty();
        }
        return furthest;
    }

    private static OptionalLong position(Path descriptor, Path wanted) {
        try {
            if (!Files.readSymbolicLink(descriptor).equals(wanted)) {
                return OptionalLong.empty();
            }
            Path name = descriptor.getFileName();
            return Files.readAllLines(POSITIONS.resolve(name.toString())).stream()
                    .filter(line -> line.startsWith(POSITION))
                    .mapToLong(line ->
                            Long.parseLong(line.substring(POSITION.length()).strip()))
                    .findFirst();
        } catch (IOException e) {
            return OptionalLong.empty(); // closed since it was listed
        }
    }
}
