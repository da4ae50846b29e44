package dev.tacit.data.prepare;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The lines of a file as bytes: a line ends at a line feed or with the file, and nowhere else.
 *
 * <p>A carriage return is a character of its line, so that no document can become several. A line of more than
 * {@value #LONGEST_LINE} bytes counts as an empty one.
 */
final class Lines {
    static final int LONGEST_LINE = 1 << 26;
    private static final int BUFFER = 1 << 16;

    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER];
    private int position;
    private int end;
    private byte[] line = new byte[1 << 10];

    Lines(InputStream in) {
        this.in = in;
    }

    /** The next line without its line feed, or null at the end of the file. */
    byte[] next() throws IOException {
        int length = 0;
        boolean some = false;
        boolean tooLong = false;
        while (position < end || fill()) {
            some = true;
            int stop = position;
            while (stop < end && buffer[stop] != '\n') {
                stop++;
            }
            tooLong |= length + (stop - position) > LONGEST_LINE;
            if (!tooLong) {
                length = append(length, stop);
            }
            position = stop + 1;
            if (stop < end) {
                break;
            }
        }
        return some ? Arrays.copyOf(line, tooLong ? 0 : length) : null;
    }

    private int append(int length, int stop) {
        int size = stop - position;
        if (length + size > line.length) {
            line = Arrays.copyOf(line, Math.max(length + size, 2 * line.length));
        }
        System.arraycopy(buffer, position, line, length, size);
        return length + size;
    }

    private boolean fill() throws IOException {
        position = 0;
        end = Math.max(0, in.read(buffer, 0, buffer.length));
        return end > 0;
    }
}
