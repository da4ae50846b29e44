package dev.tacit.cli.shell;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Lines of UTF-8 text, each of limited length, so that memory stays constant whatever comes in. */
public final class LineReader {
    static final int MOST_BYTES = 16 << 20;

    /** One line; a line that cannot be read says why instead. */
    public record Line(long number, String text, String problem) {}

    private final InputStream input;
    private long number;

    public LineReader(InputStream input) {
        this.input = new BufferedInputStream(input, 1 << 16);
    }

    /** The next line, or null at the end. */
    public Line next() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
        boolean tooLong = false;
        int next = input.read();
        if (next < 0) {
            return null;
        }
        number++;
        while (next >= 0 && next != '\n') {
            if (bytes.size() < MOST_BYTES) {
                bytes.write(next);
            } else {
                tooLong = true;
            }
            next = input.read();
        }
        if (tooLong) {
            return new Line(number, "", "the line is longer than 16 MiB; split the request.");
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
            return new Line(number, text, null);
        } catch (CharacterCodingException e) {
            return new Line(number, "", "the line is not UTF-8 text.");
        }
    }
}
