package dev.tacit.data.source.csv;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.data.schema.FileFormat;
import dev.tacit.data.source.EightBytes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Records and cells are the same wherever a file is cut into chunks. */
class CsvSplitterTest {
    private static final long SEED = 11;
    private static final int LONGEST = 1 << 26;
    private static final String PIECES = "ab,,,,\"\"\"\"\"\n\n\r \\\t#";

    private static final List<CsvDialect> DIALECTS = new ArrayList<>();

    static {
        for (int choice = 0; choice < 8; choice++) {
            FileFormat format = new FileFormat(
                    true,
                    Optional.empty(),
                    Optional.of('#'),
                    List.of(),
                    (choice & 1) > 0,
                    (choice & 2) > 0,
                    (choice & 4) > 0);
            DIALECTS.add(CsvDialect.of(format, ','));
        }
    }

    /** Bytes that come a few at a time, cut at the given place. */
    private static InputStream cutAt(byte[] bytes, int cut) {
        return new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] to, int from, int most) {
                int left = pos < cut ? cut - pos : 7;
                return super.read(to, from, Math.min(most, left));
            }
        };
    }

    /** The cells of all records, or the fault that was found. */
    private static String cells(InputStream in, CsvDialect dialect, int chunkSize, int longest) throws IOException {
        StringBuilder found = new StringBuilder();
        try {
            CsvSplitter splitter = new CsvSplitter(in, dialect, chunkSize, longest);
            CsvCursor cursor = new CsvCursor(dialect);
            for (CsvSplitter.Chunk chunk = splitter.next(); chunk != null; chunk = splitter.next()) {
                found.append(chunk.isTooLong() ? "(too long)\n" : "");
                cursor.open(chunk);
                while (cursor.nextRecord()) {
                    found.append(cursor.isComment() ? "comment" : cursor.isBlank() ? "blank" : "record");
                    while (cursor.nextCell()) {
                        cursor.readCell();
                        found.append('<')
                                .append(new String(
                                        cursor.text(),
                                        cursor.from(),
                                        cursor.to() - cursor.from(),
                                        StandardCharsets.ISO_8859_1))
                                .append('>');
                    }
                    found.append('\n');
                }
            }
            return found.toString();
        } catch (CsvFault e) {
            return e.getMessage();
        }
    }

    /** The same by walking over records one by one, which counts no quotes. */
    private static String cellsByRecord(byte[] bytes, CsvDialect dialect, int longest) throws IOException {
        StringBuilder found = new StringBuilder();
        try {
            CsvSplitter splitter = new CsvSplitter(new ByteArrayInputStream(bytes), dialect, 16, longest);
            for (CsvSplitter.Chunk record = splitter.nextRecord(); record != null; record = splitter.nextRecord()) {
                String one = record.isTooLong()
                        ? "(too long)\n"
                        : cells(new ByteArrayInputStream(withLineEnd(record.bytes())), dialect, 1 << 20, LONGEST);
                found.append(one);
            }
            return found.toString();
        } catch (CsvFault e) {
            return e.getMessage();
        }
    }

    private static byte[] withLineEnd(byte[] record) {
        byte[] line = java.util.Arrays.copyOf(record, record.length + 1);
        line[record.length] = '\n';
        return line;
    }

    @Test
    void everyCutGivesTheSameRecords() throws IOException {
        Random random = new Random(SEED);
        int faults = 0;
        int whole = 0;
        for (int file = 0; file < 2000; file++) {
            byte[] bytes = new byte[random.nextInt(60)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) PIECES.charAt(random.nextInt(PIECES.length()));
            }
            CsvDialect dialect = DIALECTS.get(file % DIALECTS.size());
            int longest = file % 3 == 0 ? 12 : LONGEST;
            String expected = cells(new ByteArrayInputStream(bytes), dialect, 1 << 20, longest);
            String shown = "seed " + SEED + ", " + dialect + ": " + new String(bytes, StandardCharsets.ISO_8859_1);
            for (int cut = 0; cut <= bytes.length; cut++) {
                int chunk = 1 + random.nextInt(20);
                assertThat(cells(cutAt(bytes, cut), dialect, chunk, longest))
                        .as("chunk %d, %s", chunk, shown)
                        .isEqualTo(expected);
            }
            assertThat(cellsByRecord(bytes, dialect, longest)).as(shown).isEqualTo(expected);
            faults += expected.endsWith("\n") || expected.isEmpty() ? 0 : 1;
            whole += expected.contains("><") ? 1 : 0;
        }
        assertThat(faults).isGreaterThan(300);
        assertThat(whole).isGreaterThan(500);
    }

    @Test
    void quotesAreCountedEightAtATime() {
        Random random = new Random(SEED);
        for (int i = 0; i < 1000; i++) {
            byte[] bytes = new byte[random.nextInt(40)];
            int expected = 0;
            int from = bytes.length == 0 ? 0 : random.nextInt(bytes.length);
            for (int j = 0; j < bytes.length; j++) {
                bytes[j] = (byte) (random.nextBoolean() ? '"' : random.nextInt(256));
                expected += j >= from && bytes[j] == '"' ? 1 : 0;
            }
            assertThat(EightBytes.count(bytes, from, bytes.length, (byte) '"')).isEqualTo(expected);
        }
    }
}
