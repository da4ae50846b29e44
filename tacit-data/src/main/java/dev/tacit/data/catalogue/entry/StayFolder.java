package dev.tacit.data.catalogue.entry;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/**
 * PhysioNet's folder of one text file an ICU stay, read as one long table.
 *
 * <p>The table has the header {@code RecordID,Time,Parameter,Value} and then each file's lines but the first, with the
 * record's number in front, records ascending. So a folder and its packed copy have the same checksum.
 */
final class StayFolder extends InputStream {
    private final Iterator<Path> stays;
    private byte[] bytes = "RecordID,Time,Parameter,Value\n".getBytes(StandardCharsets.UTF_8);
    private int position;

    private StayFolder(List<Path> stays) {
        this.stays = stays.iterator();
    }

    static InputStream asOneFile(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return new StayFolder(
                    files.filter(file -> file.getFileName().toString().matches("[0-9]+\\.txt"))
                            .sorted()
                            .toList());
        }
    }

    @Override
    public int read() throws IOException {
        return fill() ? bytes[position++] & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (!fill()) {
            return -1;
        }
        int count = Math.min(length, bytes.length - position);
        System.arraycopy(bytes, position, target, offset, count);
        position += count;
        return count;
    }

    /** Goes on to the next stay if all of this one is read; false at the end. */
    private boolean fill() throws IOException {
        while (position == bytes.length) {
            if (!stays.hasNext()) {
                return false;
            }
            bytes = numbered(stays.next());
            position = 0;
        }
        return true;
    }

    private static byte[] numbered(Path stay) throws IOException {
        String name = stay.getFileName().toString();
        String prefix = name.substring(0, name.length() - ".txt".length()) + ",";
        StringBuilder lines = new StringBuilder();
        List<String> text = Files.readAllLines(stay);
        for (String line : text.subList(Math.min(1, text.size()), text.size())) {
            lines.append(prefix).append(line).append('\n');
        }
        return lines.toString().getBytes(StandardCharsets.UTF_8);
    }
}
