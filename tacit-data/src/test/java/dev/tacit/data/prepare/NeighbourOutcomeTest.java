package dev.tacit.data.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.privacy.data.RecordSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One more record, however odd, changes neither whether a file can be read nor what becomes of the other records. */
class NeighbourOutcomeTest {
    private static final long SEED = 3;
    private static final Schema SCHEMA = SchemaYaml.read("""
            unit: record
            size: 10
            target: y
            columns:
              a: {type: number, bounds: [0, 10], missing: category}
              b: {type: category, categories: [u, v], missing: category}
              y: {type: binary, positive: 1, missing: {constant: 1}}
            """);

    @TempDir
    Path folder;

    private static List<byte[]> oddRecords() {
        List<byte[]> odd = new ArrayList<>();
        for (String text : List.of(
                "5,u,1",
                "",
                ",",
                "5",
                "5,u,1,7,8,,,,",
                "\"5,u,1",
                "5,\"u,1",
                "5,u,\"1",
                "5,\"u\"x,1",
                "5,u\"v,1",
                "\"\",\"\",\"\"",
                "\"",
                "\"\"\"",
                "5,\"\"\"",
                "1e308,u,1",
                "-1e999,u,1",
                "NaN,NaN,NaN",
                "inf,inf,inf",
                "5\0,\0,1",
                "5,u,1\r",
                "\r",
                "\ufeff5,u,1",
                "PAR1",
                "a,b,y",
                "#5",
                "|",
                "\\",
                "\\\",\\\"",
                "5,\uffff\u0000,1",
                "x".repeat(3_000_000),
                "5,\"" + "x".repeat(2_000_000) + "\",1",
                "5," + "9".repeat(400) + ",1",
                "9".repeat(400) + ",u,1",
                "{}",
                "null",
                "[",
                "é,ü,1")) {
            odd.add(text.getBytes(StandardCharsets.UTF_8));
        }
        odd.add(new byte[] {(byte) 0xff, (byte) 0xfe, ',', (byte) 0x80, ',', '1'});
        Random random = new Random(SEED);
        for (int i = 0; i < 60; i++) {
            byte[] bytes = new byte[random.nextInt(40)];
            for (int j = 0; j < bytes.length; j++) {
                byte b = (byte) (i % 2 == 0 ? random.nextInt(256) : ",,,\"\"\" \t\r15u.e-".charAt(random.nextInt(15)));
                bytes[j] = b == '\n' ? (byte) ' ' : b;
            }
            odd.add(bytes);
        }
        return odd;
    }

    @Test
    void oddRecordsOfATextFile() throws IOException {
        String before = "7,v,0\n3,\"u\",1\n2,\"w,\nw\",1\n".repeat(3);
        String after = "8,u,1\n4,v,0\n\"6\",\"v\",\"0\"\n,,\n".repeat(3);
        List<List<Double>> without = rows("a,b,y\n".getBytes(StandardCharsets.UTF_8), before, new byte[0], after);
        for (byte[] odd : oddRecords()) {
            List<List<Double>> with = rows("a,b,y\n".getBytes(StandardCharsets.UTF_8), before, odd, after);
            String shown = new String(odd, 0, Math.min(60, odd.length), StandardCharsets.ISO_8859_1);
            assertThat(with.size() - without.size())
                    .as("seed %d: %s", SEED, shown)
                    .isBetween(0, 1);
            if (with.size() > without.size()) {
                with.remove(9);
            }
            assertThat(with).as("seed %d: %s", SEED, shown).isEqualTo(without);
        }
    }

    private List<List<Double>> rows(byte[] header, String before, byte[] odd, String after) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(header);
        bytes.write(before.getBytes(StandardCharsets.UTF_8));
        bytes.write(odd);
        bytes.write('\n');
        bytes.write(after.getBytes(StandardCharsets.UTF_8));
        Path file = Files.write(folder.resolve("t.csv"), bytes.toByteArray());
        return Tables.rows(file, SCHEMA);
    }

    @Test
    void oddRecordsOfAFileOfJsonLines() throws IOException {
        String before = "{\"a\": 7, \"b\": \"v\", \"y\": 0}\n";
        String after = "{\"a\": 8, \"b\": \"u\", \"y\": 1}\n";
        for (String odd : List.of(
                "{\"a\": 5}",
                "{\"a\": {\"x\": 1}, \"b\": [1], \"y\": true}",
                "{bad",
                "[1]",
                "5",
                "null",
                "{\"a\": 1, \"a\": 2}",
                "{\"a\": 1e999}",
                "{\"a\": \"\\ud800\"}",
                "{\"a\": NaN}",
                "\"",
                "{\"a\": \"\0\"}",
                "{} {}",
                "{\"b\": \"" + "x".repeat(100_000) + "\"}")) {
            Path file = Tables.write(folder, "t.ndjson", before + odd + "\n" + after);
            List<List<Double>> rows = Tables.rows(file, SCHEMA);
            assertThat(rows.size())
                    .as(odd.substring(0, Math.min(60, odd.length())))
                    .isBetween(2, 3);
            assertThat(rows.get(0).get(0)).isEqualTo(0.7);
            assertThat(rows.get(rows.size() - 1).get(0)).isEqualTo(0.8);
        }
    }

    /** A record at the seam of two chunks is read once, with and without quotes in the file. */
    @Test
    void recordsAtTheSeamsOfChunksAreWhole() throws IOException {
        for (String quote : List.of("", "\"")) {
            StringBuilder csv = new StringBuilder("a,b,y,text\n");
            int count = 120_000;
            for (int row = 0; row < count; row++) {
                csv.append(row % 10)
                        .append(',')
                        .append(quote)
                        .append("u")
                        .append(quote)
                        .append(",1,")
                        .append(quote)
                        .append("x".repeat(row % 97))
                        .append(quote.isEmpty() || row % 5 > 0 ? "" : "\n,,\n")
                        .append(quote)
                        .append('\n');
            }
            Path file = Tables.write(folder, "seams.csv", csv.toString());
            try (RecordSource records = Tables.records(file, SCHEMA, 1 << 28)) {
                assertThat(records.rows()).isEqualTo(count);
                List<List<Double>> rows = Tables.rows(records);
                int wrong = 0;
                for (int row = 0; row < count; row++) {
                    wrong += rows.get(row).get(0) == (row % 10) / 10.0 ? 0 : 1;
                }
                assertThat(wrong).isZero();
            }
        }
    }
}
