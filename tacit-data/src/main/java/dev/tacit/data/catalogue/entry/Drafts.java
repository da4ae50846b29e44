package dev.tacit.data.catalogue.entry;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * Files being written next to where they belong, and moved there only when all of them are complete: a failure or a
 * crash leaves the output folder as it was.
 */
public final class Drafts implements AutoCloseable {
    private final Path target;
    private final Path folder;
    private final List<String> names = new ArrayList<>();

    private Drafts(Path target, Path folder) {
        this.target = target;
        this.folder = folder;
    }

    static Drafts beside(Path target) throws IOException {
        Path absolute = target.toAbsolutePath().normalize();
        Path parent = absolute.getParent();
        if (parent == null) {
            throw new IOException("the root of a file system cannot be an output folder");
        }
        Files.createDirectories(parent);
        if (Files.exists(absolute) && !Files.isDirectory(absolute)) {
            throw new IOException("a file has the name of the output folder");
        }
        return new Drafts(absolute, Files.createTempDirectory(parent, "." + absolute.getFileName() + "."));
    }

    /** A text file with line feeds, compressed if its name ends in {@code .gz}. */
    public Writer text(String name) throws IOException {
        names.add(name);
        OutputStream stream = Files.newOutputStream(folder.resolve(name));
        if (name.endsWith(".gz")) {
            stream = new GZIPOutputStream(stream, 1 << 16);
        }
        return new BufferedWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), 1 << 16);
    }

    public void text(String name, String content) throws IOException {
        try (Writer writer = text(name)) {
            writer.write(content);
        }
    }

    /** Moves everything to the output folder and says what is there now. */
    List<Path> publish() throws IOException {
        if (!Files.exists(target)) {
            Files.createDirectory(target);
        }
        for (String name : names) {
            move(folder.resolve(name), target.resolve(name));
        }
        return names.stream().map(target::resolve).toList();
    }

    private static void move(Path draft, Path file) throws IOException {
        try {
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    @Override
    public void close() throws IOException {
        List<Path> left;
        try (Stream<Path> files = Files.list(folder)) {
            left = files.toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        for (Path file : left) {
            Files.delete(file);
        }
        Files.delete(folder);
    }
}
