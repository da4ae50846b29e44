package dev.tacit.data.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.data.source.DataException;
import dev.tacit.door.record.RecordSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
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
    private static final int CHUNK = 1 << 20;
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

    private static final Schema LINES = declaring("quote: none, comment: \"#\"");
    private static final Schema COMMENTED = declaring("comment: \"#\"");
    private static final Schema ESCAPED = declaring("escape: backslash");

    private static Schema declaring(String format) {
        return SchemaYaml.read(SchemaYaml.write(SCHEMA).replace("columns:", "format: {" + format + "}\ncolumns:"));
    }

    /** What lines may hold if every line is a record. */
    private static List<byte[]> oddLines() {
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
                "5\r6\r7",
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
    void oddLinesOfATextFileWithoutQuotes() throws IOException {
        String before = "7,v,0\n3,\"u,1\n2,w\",1\n".repeat(3);
        String after = "8,u,1\n4,v,0\n6,3.5\",0\n,,\n".repeat(3);
        changesItself(LINES, before, oddLines(), after);
    }

    /** A quoted cell has line ends and everything else, up to and beyond what fits into a buffer. */
    @Test
    void oddRecordsOfATextFile() throws IOException {
        String before = "7,v,0\n3,\"u\",1\n2,\"w,\nw\",1\n".repeat(3);
        String after = "8,u,1\n4,v,0\n\"6\",\"v\",\"0\"\n,,\n\"#\",v,\"3.5\"\"\"\n".repeat(3);
        List<byte[]> odd = new ArrayList<>();
        String lines = "5,u,1\n".repeat(200_000);
        for (String text : List.of(
                "\"" + lines + "\",u,1",
                "5,\"" + lines + "\",1",
                "5,u,1,\"" + lines + "\"",
                "#,\"" + lines + "\",1",
                "#5,\"u\n5,u,1\n5,u,1\",1",
                "\"#5\",\"\n#\n\",1",
                "\"\"\"\",\"\"\"\n\"\"\",\"\n\"",
                "5,\"\r\n\r\n\",1\r",
                "\"5\"\t , \"u\" ,1",
                "\"" + "\n".repeat(CHUNK) + "\",u,1",
                "x".repeat(CHUNK) + ",\"\n\",1",
                "\"\"")) {
            odd.add(text.getBytes(StandardCharsets.UTF_8));
        }
        changesItself(COMMENTED, before, odd, after);
    }

    @Test
    void oddRecordsOfATextFileWithBackslashes() throws IOException {
        String before = "7,v,0\n3,\"u\",1\n2,\"w\\\",\nw\\\\\",1\n".repeat(3);
        String after = "8,u,1\n4,\\,0\n\"6\",\"\\v\",\"0\"\n".repeat(3);
        List<byte[]> odd = new ArrayList<>();
        for (String text : List.of(
                "\"\\\"\n5,u,1\n\\\"\",\"x\\\\\",1",
                "5,\"" + "\\\"\n5,u,1".repeat(200_000) + "\",1",
                "5,\\N,\\",
                "\"\\\n\",\"\\\\\\\"\",1")) {
            odd.add(text.getBytes(StandardCharsets.UTF_8));
        }
        changesItself(ESCAPED, before, odd, after);
    }

    /** More bytes than a record may have, with line ends and quotes to the end; about 70 MB are read. */
    @Test
    void aRecordThatIsTooLongIsFollowedToItsEnd() throws IOException {
        byte[] lines = "5,\"\"u\"\",1\n".repeat(1 << 16).getBytes(StandardCharsets.UTF_8);
        Path file = folder.resolve("long.csv");
        try (OutputStream out = Files.newOutputStream(file)) {
            out.write("a,b,y\n7,v,0\n5,u,\"".getBytes(StandardCharsets.UTF_8));
            for (long written = 0; written <= 1L << 26; written += lines.length) {
                out.write(lines);
            }
            out.write("\"\n8,u,1\n".getBytes(StandardCharsets.UTF_8));
        }
        List<List<Double>> rows = Tables.rows(file, SCHEMA);
        assertThat(rows).isEqualTo(Tables.rows(Tables.write(folder, "t.csv", "a,b,y\n7,v,0\n8,u,1\n"), SCHEMA));
    }

    /** What no correct writer produces stops reading, wherever it stands, and nothing is said of what stands there. */
    @Test
    void brokenQuotingIsRefusedWithWhatToDeclare() throws IOException {
        String quotes = "declare format: {quote: none} if a line is a record, or format: {escape: backslash} if quotes "
                + "within quotes are escaped by a backslash";
        String inside = "a quote inside a cell that is not in quotes";
        String after = "text after the closing quote of a cell";
        String open = "a quote that is open at its end";
        String[][] faults = {
            {"5,u\"v,1", inside},
            {"5,u,1,3.5\"", inside},
            {"5\",u,1", inside},
            {"#5\",u,1", inside},
            {"5,\"u\"x,1", after},
            {"5,u,\"1\"\r\r", after},
            {"5,\"\\\"u\\\"\",1", after},
            {"5,\"\\\"u\n5,u,1\n\\\"\",1", after},
            {"5,u,1,,\"x\" y", after},
            {"5,\"u,1", open},
            {"\"", open},
            {"5,u,\"\"\"", open}
        };
        String good = "7,v,0\n3,\"u\",1\n2,\"w,\nw\",1\n";
        for (String[] fault : faults) {
            for (int place = 0; place < 3; place++) {
                String text = "a,b,y\n" + good.repeat(place == 0 ? 0 : 30_000) + fault[0] + "\n"
                        + (fault[1].equals(open) ? "7,v,0\n" : good).repeat(place == 1 ? 30_000 : 0);
                Path file = Tables.write(folder, "t.csv", text);
                assertThatThrownBy(() -> Tables.rows(file, COMMENTED))
                        .as(fault[0])
                        .isInstanceOf(DataException.class)
                        .hasMessage("t.csv has " + fault[1] + ", which a correct writer of its format never writes; "
                                + quotes);
            }
        }
        Path header = Tables.write(folder, "t.csv", "a,b\"b,y\n7,v,0\n");
        assertThatThrownBy(() -> Tables.rows(header, SCHEMA)).hasMessageContaining(inside);
        Path doubled = Tables.write(folder, "t.csv", "a,b,y\n7,\"\"\"v\"\"\",0\n");
        assertThatThrownBy(() -> Tables.rows(doubled, ESCAPED))
                .hasMessageContaining("leave out escape: backslash if quotes within quotes are doubled");
    }

    /** Before the header there is no record, so a comment there is a line, whatever it holds. */
    @Test
    void commentsBeforeTheHeaderAreLines() throws IOException {
        Path file = Tables.write(
                folder, "t.csv", "# it's 5\" long, \"\n\n#\"\na,b,y\n7,v,0\n# and, \"one\nmore\"\n8,u,1\n");
        assertThat(Tables.rows(file, COMMENTED)).hasSize(2);
    }

    /** In a file of one column an empty line is an empty cell; under replace-one it keeps its place, as a comment does. */
    @Test
    void whatARecordHoldsDoesNotDecideWhetherItIsOne() throws IOException {
        Schema one = SchemaYaml.read(
                "unit: record\nsize: 3\ncolumns: {a: {type: number, bounds: [0, 1], missing: category}}\n");
        assertThat(Tables.rows(Tables.write(folder, "t.csv", "a\n1\n\n\"\"\n"), one))
                .hasSize(3);
        Schema tabs = SchemaYaml.read(SchemaYaml.write(SCHEMA));
        assertThat(Tables.rows(Tables.write(folder, "t.tsv", "a\tb\ty\n\t\t\n5\tu\t1\n"), tabs))
                .hasSize(2);
        Schema replaced = SchemaYaml.read(
                SchemaYaml.write(COMMENTED).replace("neighbours: add-remove", "neighbours: replace-one"));
        assertThat(Tables.rows(Tables.write(folder, "t.csv", "a,b,y\n5,u,1\n#5,u,1\n"), replaced))
                .hasSize(2);
        assertThat(Tables.rows(Tables.write(folder, "t.csv", "a,b,y\n5,u,1\n#5,u,1\n"), COMMENTED))
                .hasSize(1);
    }

    private void changesItself(Schema schema, String before, List<byte[]> oddRecords, String after) throws IOException {
        List<List<Double>> without = rows(schema, before, null, after);
        int place = rows(schema, before, null, "").size();
        for (byte[] odd : oddRecords) {
            List<List<Double>> with = rows(schema, before, odd, after);
            String shown = new String(odd, 0, Math.min(60, odd.length), StandardCharsets.ISO_8859_1);
            assertThat(with.size() - without.size())
                    .as("seed %d: %s", SEED, shown)
                    .isBetween(0, 1);
            if (with.size() > without.size()) {
                with.remove(place);
            }
            assertThat(with).as("seed %d: %s", SEED, shown).isEqualTo(without);
        }
    }

    private List<List<Double>> rows(Schema schema, String before, byte[] odd, String after) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write("a,b,y\n".getBytes(StandardCharsets.UTF_8));
        bytes.write(before.getBytes(StandardCharsets.UTF_8));
        if (odd != null) {
            bytes.write(odd);
            bytes.write('\n');
        }
        bytes.write(after.getBytes(StandardCharsets.UTF_8));
        Path file = Files.write(folder.resolve("t.csv"), bytes.toByteArray());
        return Tables.rows(file, schema);
    }

    /** What a correct writer of JSON can write for a record, whose structure is whole. */
    private static List<String> oddObjects() {
        return List.of(
                "{\"a\": 5}",
                "{}",
                "{\"a\": {\"x\": 1}, \"b\": [1], \"y\": true}",
                "[1]",
                "5",
                "null",
                "secret",
                "\"}, {\"",
                "{\"a\": 1, \"a\": 2}",
                "{\"a\": 1e999}",
                "{\"a\": \"\\ud800\"}",
                "{\"b\": \"\\udc00\\ud800x\", \"z\": \"\\uD83D\\uDE00\"}",
                "{\"z\": \"\\q\"}",
                "{\"z\": \"\\u12\"}",
                "{\"a\": NaN, \"y\": -Infinity}",
                "{\"a\": \"\0\u001f\t\r\"}",
                "{\"b\": \"]}, {\\\"a\\\": 1}, [\"}",
                "{\"b\": \"\\\\\", \"z\": \"\\\\\\\"\"}",
                "[".repeat(100_000) + "]".repeat(100_000),
                "{\"z\": ".repeat(50_000) + "1" + "}".repeat(50_000),
                "{\"b\": \"" + "x".repeat(3_000_000) + "\"}");
    }

    @Test
    void oddRecordsOfFilesOfJson() throws IOException {
        String before = "{\"a\": 7, \"b\": \"v\", \"y\": 0}";
        String after = "{\"a\": 8, \"b\": \"\\u0075\", \"\\u0079\": 1}";
        List<List<Double>> without = Tables.rows(Tables.write(folder, "t.ndjson", before + "\n" + after), SCHEMA);
        assertThat(without).hasSize(2);
        List<byte[]> objects = new ArrayList<>();
        oddObjects().forEach(odd -> objects.add(odd.getBytes(StandardCharsets.UTF_8)));
        objects.add("{\"b\": \"?\", \"?\": 1}".replace('?', '\u00ff').getBytes(StandardCharsets.ISO_8859_1));
        for (byte[] odd : objects) {
            jsonChangesItself("t.json", "[" + before + ",\n", odd, "\n,  " + after + "]", without);
            jsonChangesItself("t.ndjson", before + "\n", odd, "\r\n" + after, without);
        }
        for (String line :
                List.of("{bad", "{", "\"", "{} {}", "{\"a\": \"", "]", "}}}}", "{\"a\" 1}", "{\"a\": 1,}", "\0")) {
            jsonChangesItself("t.ndjson", before + "\n", line.getBytes(StandardCharsets.UTF_8), "\n" + after, without);
        }
    }

    private void jsonChangesItself(String name, String before, byte[] odd, String after, List<List<Double>> without)
            throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(before.getBytes(StandardCharsets.UTF_8));
        bytes.write(odd);
        bytes.write(after.getBytes(StandardCharsets.UTF_8));
        List<List<Double>> rows = Tables.rows(Files.write(folder.resolve(name), bytes.toByteArray()), SCHEMA);
        String shown = name + " " + new String(odd, 0, Math.min(60, odd.length), StandardCharsets.ISO_8859_1);
        assertThat(rows.size()).as(shown).isBetween(2, 3);
        assertThat(List.of(rows.get(0), rows.get(rows.size() - 1))).as(shown).isEqualTo(without);
    }

    /** Records of more bytes than one may have; about 140 MB are read. */
    @Test
    void aJsonRecordThatIsTooLongIsFollowedToItsEnd() throws IOException {
        byte[] inside = "}, {\\\"a\\\": 5}, [\\n".repeat(1 << 16).getBytes(StandardCharsets.UTF_8);
        for (boolean array : new boolean[] {true, false}) {
            Path file = folder.resolve(array ? "long.json" : "long.ndjson");
            String between = array ? ",\n" : "\n";
            try (OutputStream out = Files.newOutputStream(file)) {
                String first = (array ? "[" : "") + "{\"a\": 7}" + between + "{\"a\": 5, \"b\": \"";
                out.write(first.getBytes(StandardCharsets.UTF_8));
                for (long written = 0; written <= 1L << 26; written += inside.length) {
                    out.write(inside);
                }
                out.write(("\"}" + between + "{\"a\": 8}" + (array ? "]" : "\n")).getBytes(StandardCharsets.UTF_8));
            }
            List<List<Double>> rows = Tables.rows(file, SCHEMA);
            assertThat(rows).hasSize(2);
            assertThat(rows.get(0).get(0)).isEqualTo(0.7);
            assertThat(rows.get(1).get(0)).isEqualTo(0.8);
        }
    }

    /** An array that no correct writer writes. */
    @Test
    void anArrayThatIsNotClosedIsRefused() throws IOException {
        for (String broken : List.of(
                "[{\"a\": 7}, {\"a\": 5}",
                "[{\"a\": 7}, {\"a\": \"5}]",
                "[{\"a\": 7}, {\"a\": \"x\"y\"}, {\"a\": \"z\"w\"}]",
                "[{\"a\": 7}} , {\"a\": 5}]",
                "[{\"a\": [7}, {\"a\": 5]}]",
                "[{\"a\": 7} {\"a\": 5}]",
                "[{\"a\": 7},]",
                "[{\"a\": 7}] {\"a\": 5}",
                "[{\"a\" 7}]",
                "[{a: 7}]",
                "[")) {
            Path file = Tables.write(folder, "t.json", broken);
            assertThatThrownBy(() -> Tables.rows(file, SCHEMA))
                    .as(broken)
                    .isInstanceOf(DataException.class)
                    .hasMessage("t.json is not one JSON array with all its brackets and strings closed, as every "
                            + "correct writer of JSON writes it; write it again, or one object a line in a file named "
                            + ".ndjson");
        }
    }

    /** Text that is not UTF-8 and text of many megabytes in columns of Parquet, used and not. */
    @Test
    void oddRecordsOfAParquetFile() throws IOException {
        Schema schema = SchemaYaml.read("""
                unit: record
                size: 10
                columns:
                  a: {type: number, bounds: [0, 10], missing: category}
                  b: {type: category, categories: [u, v], missing: category}
                """);
        OddRecord good = record("7", new byte[] {'v'}, "z");
        List<List<Double>> without = parquet(schema, List.of(good, good));
        assertThat(without).hasSize(2);
        byte[] large = new byte[40_000_000];
        for (byte[] odd :
                List.of(new byte[] {(byte) 0xff, (byte) 0xc3}, large, new byte[] {(byte) 0xed, (byte) 0xa0})) {
            List<List<Double>> used = parquet(schema, List.of(good, record("5", odd, "z"), good));
            assertThat(used.size()).isEqualTo(odd == large ? 2 : 3);
            assertThat(List.of(used.get(0), used.get(used.size() - 1))).isEqualTo(without);
            List<byte[]> cells = new ArrayList<>(good.cells());
            cells.set(0, odd);
            assertThat(parquet(schema, List.of(good, new OddRecord(cells, 0), good)))
                    .hasSize(3);
        }
    }

    private static OddRecord record(String a, byte[] b, String other) {
        byte[] text = other.getBytes(StandardCharsets.UTF_8);
        return new OddRecord(List.of(text, a.getBytes(StandardCharsets.UTF_8), b, text, text, text), 0);
    }

    private List<List<Double>> parquet(Schema schema, List<OddRecord> records) throws IOException {
        return Tables.rows(Files.write(folder.resolve("t.parquet"), ParquetFile.of(records)), schema);
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
