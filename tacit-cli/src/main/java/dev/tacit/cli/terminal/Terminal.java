package dev.tacit.cli.terminal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * What a command's streams are, as far as it decides how things look.
 *
 * @param colouredOutput whether standard output takes colours
 * @param colouredErrors whether standard error takes colours
 * @param errors who reads standard error
 */
public record Terminal(boolean colouredOutput, boolean colouredErrors, Errors errors) {
    /** Who reads standard error. */
    public enum Errors {
        /** A terminal on which a line can be drawn again. */
        DRAWN,
        /** A file, a pipe, or a terminal that only prints. */
        WRITTEN,
        /** Nobody: the command runs within a program. */
        NOBODY
    }

    /** Streams within a program: plain text, and no progress. */
    public static Terminal none() {
        return new Terminal(false, false, Errors.NOBODY);
    }

    /** The streams of this process. */
    public static Terminal ofProcess() {
        return of(isTerminal(1), isTerminal(2), System.getenv());
    }

    /**
     * Colours if the stream is a terminal, {@code TERM} names one that has them, and {@code NO_COLOR} is not set
     * (https://no-color.org: to anything but an empty text).
     */
    public static Terminal of(boolean outputIsTerminal, boolean errorsAreTerminal, Map<String, String> environment) {
        String term = environment.getOrDefault("TERM", "");
        boolean capable = !term.isEmpty() && !term.equals("dumb");
        boolean coloured = capable && environment.getOrDefault("NO_COLOR", "").isEmpty();
        return new Terminal(
                coloured && outputIsTerminal,
                coloured && errorsAreTerminal,
                capable && errorsAreTerminal ? Errors.DRAWN : Errors.WRITTEN);
    }

    private static boolean isTerminal(int descriptor) {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }
}
