package dev.tacit.cli.shell;

import dev.tacit.cli.terminal.Paint;
import dev.tacit.cli.terminal.Terminal;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** The three standard streams, in UTF-8 whatever the locale says. */
public final class Console {
    /** Standard output cannot be written any more. */
    public static final class OutputFailure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OutputFailure(IOException cause) {
            super(cause);
        }

        /** True if the reader went away, which is not an error worth a word. */
        public boolean readerWentAway() {
            String message = String.valueOf(getCause().getMessage()).toLowerCase(Locale.ROOT);
            return message.contains("broken pipe") || message.contains("pipe closed") || message.contains("epipe");
        }
    }

    private final InputStream input;
    private final Writer output;
    private final Writer errors;
    private final Terminal terminal;

    /** Streams within a program. */
    public Console(InputStream input, OutputStream output, OutputStream errors) {
        this(input, output, errors, Terminal.none());
    }

    public Console(InputStream input, OutputStream output, OutputStream errors, Terminal terminal) {
        this.terminal = terminal;
        this.input = input;
        this.output = new BufferedWriter(new OutputStreamWriter(output, StandardCharsets.UTF_8));
        this.errors = new OutputStreamWriter(errors, StandardCharsets.UTF_8);
    }

    InputStream input() {
        return input;
    }

    /** What the streams are. */
    public Terminal terminal() {
        return terminal;
    }

    /** Writes lines for people to standard output, headings and warnings painted where that shows. */
    public void text(List<String> lines) {
        lines.forEach(line -> line(terminal.colouredOutput() ? Paint.line(line) : line));
    }

    /** Writes a line to standard output. */
    public void line(String text) {
        try {
            output.write(text);
            output.write('\n');
        } catch (IOException e) {
            throw new OutputFailure(e);
        }
    }

    public void flush() {
        try {
            output.flush();
        } catch (IOException e) {
            throw new OutputFailure(e);
        }
    }

    /** Writes the one sentence of an error to standard error, on one line whatever names are in it. */
    public void complain(String sentence) {
        try {
            String name = terminal.colouredErrors() ? Paint.error("tacit:") : "tacit:";
            errors.write(name + " " + oneLine(sentence) + "\n");
            errors.flush();
        } catch (IOException e) {
            // There is nobody left to tell; the exit code still says it.
        }
    }

    /** Draws a line on standard error in place of the one that was drawn before; an empty one clears it. */
    public void draw(String line) {
        try {
            errors.write("\r" + oneLine(line) + "\u001b[K");
            errors.flush();
        } catch (IOException e) {
            // There is nobody left to draw for.
        }
    }

    /** Writes a line below an error, as it is. */
    public void point(String line) {
        try {
            errors.write(oneLine(line) + "\n");
            errors.flush();
        } catch (IOException e) {
            // There is nobody left to tell; the exit code still says it.
        }
    }

    /** What a name holds that would end a line or steer a terminal, as Java writes it. */
    public static String oneLine(String text) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            boolean control = Character.isISOControl(each) || each == '\u2028' || each == '\u2029';
            line.append(control ? String.format(Locale.ROOT, "\\u%04x", (int) each) : String.valueOf(each));
        }
        return line.toString();
    }

    /** True if standard error is known to be a terminal, so that progress may be drawn there. */
    static boolean errorsAreWatched() {
        return Terminal.ofProcess().errors() == Terminal.Errors.DRAWN;
    }
}
