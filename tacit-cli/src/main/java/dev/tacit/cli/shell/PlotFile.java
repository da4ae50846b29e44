package dev.tacit.cli.shell;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** Where a plot goes; the ending of its name says whether it is a page or a picture. */
public record PlotFile(Path path, boolean page) {
    /** The file of this name, if it ends in .html or .svg. */
    public static Optional<PlotFile> of(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (!lower.endsWith(".html") && !lower.endsWith(".svg")) {
            return Optional.empty();
        }
        try {
            return Optional.of(new PlotFile(Path.of(name), lower.endsWith(".html")));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}
