package dev.tacit.cli.shell;

import dev.tacit.cli.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Timer;
import java.util.TimerTask;
import java.util.function.Supplier;

/**
 * Says on standard error how far a table is read, to whoever runs the command: a line that is drawn again on a terminal, a line every
 * few seconds elsewhere, nothing for a table that is read at once.
 *
 * <p>What it says is how many bytes of the file were read, and how many it has. That is no release: whoever runs the command holds
 * the file and sees its size in every listing, and no cell plays a part. It is not public either, for the size of a file follows from
 * how many records there are and how long they are. So it goes to standard error alone, never to standard output, which may be published,
 * and never to a file of the fit; and lines come with the clock, not with records.
 */
public final class ReadingProgress implements AutoCloseable {
    private static final long FIRST_DRAWN = 1_000;
    private static final long NEXT_DRAWN = 200;
    private static final long BETWEEN_LINES = 5_000;

    private final Console console;
    private final String name;
    private final Supplier<OptionalLong> position;
    private final OptionalLong size;
    private final Timer clock = new Timer("reading-progress", true);
    private final boolean drawn;
    private boolean shown;
    private boolean closed;

    ReadingProgress(Console console, String name, OptionalLong size, Supplier<OptionalLong> position) {
        this.console = console;
        this.name = name;
        this.size = size;
        this.position = position;
        this.drawn = console.terminal().errors() == Terminal.Errors.DRAWN;
    }

    /** Of a file, or of a table elsewhere, from now until it is closed. */
    public static ReadingProgress of(Console console, String data) {
        ReadingProgress progress = ofTable(console, data);
        progress.start();
        return progress;
    }

    private static ReadingProgress ofTable(Console console, String data) {
        Path file;
        try {
            file = Path.of(data);
        } catch (InvalidPathException e) {
            return new ReadingProgress(console, "the table", OptionalLong.empty(), OptionalLong::empty);
        }
        boolean local = Files.isRegularFile(file);
        String name = local && file.getFileName() != null ? file.getFileName().toString() : "the table";
        return new ReadingProgress(
                console,
                name,
                local ? size(file) : OptionalLong.empty(),
                () -> local ? OpenFiles.position(file) : OptionalLong.empty());
    }

    /** What reading a table gives, with its progress meanwhile. */
    public static <T> T during(Console console, String data, Supplier<T> reading) {
        try (ReadingProgress progress = ofTable(console, data)) {
            progress.start();
            return reading.get();
        }
    }

    private static OptionalLong size(Path file) {
        try {
            return OptionalLong.of(Files.size(file));
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    private void start() {
        if (console.terminal().errors() != Terminal.Errors.NOBODY) {
            TimerTask tick = new TimerTask() {
                @Override
                public void run() {
                    show();
                }
            };
            clock.schedule(tick, drawn ? FIRST_DRAWN : BETWEEN_LINES, drawn ? NEXT_DRAWN : BETWEEN_LINES);
        }
    }

    /** Says where reading is. */
    synchronized void show() {
        if (closed) {
            return;
        }
        String line = "reading " + name + far();
        shown = true;
        if (drawn) {
            console.draw(line);
        } else {
            console.point("tacit: " + line + " ...");
        }
    }

    /** Nothing where the system does not say, or where a file is read out of order. */
    private String far() {
        OptionalLong read = position.get();
        if (read.isEmpty() || size.isEmpty() || read.getAsLong() == 0 || size.getAsLong() == 0) {
            return "";
        }
        return String.format(
                Locale.ROOT,
                ": %.0f of %.0f MB (%d%%)",
                read.getAsLong() / 1e6,
                size.getAsLong() / 1e6,
                Math.min(100, 100 * read.getAsLong() / size.getAsLong()));
    }

    @Override
    public synchronized void close() {
        if (!closed && shown && drawn) {
            console.draw("");
        }
        closed = true;
        clock.cancel();
    }
}
