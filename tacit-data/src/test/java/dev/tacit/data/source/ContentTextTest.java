package dev.tacit.data.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.data.schema.SchemaYaml;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ContentTextTest {
    private static final SketchKey KEY = new SketchKey(new byte[SketchKey.BYTES]);
    private static final RowLayout LAYOUT = new RowLayout(
            SchemaYaml.read("unit: record\nsize: 10\ncolumns:\n  x: {type: count, bounds: [0, 20]}\n"),
            List.of(),
            Optional.empty(),
            Optional.of(KEY));

    /** Java's own text of a double in base 16, as C writes it. */
    private static String asC(double number) {
        String java = Double.toHexString(number);
        if (number == 0) {
            return java.startsWith("-") ? "-0x0p+0" : "0x0p+0";
        }
        if (Double.isNaN(number) || Double.isInfinite(number)) {
            return Double.isNaN(number) ? "nan" : number < 0 ? "-inf" : "inf";
        }
        return java.replace(".0p", "p").replaceFirst("p(?=\\d)", "p+");
    }

    /** A record of many numbers has the mark of their text by Java's own means; every power of two is among them. */
    @Test
    void numbersAreWrittenAsCWritesThem() throws Exception {
        List<Double> numbers =
                new ArrayList<>(List.of(0.0, -0.0, Double.NaN, Double.MIN_VALUE, Double.MAX_VALUE, 0.1, -1234.5));
        numbers.add(Double.NEGATIVE_INFINITY);
        for (int power = -1074; power <= 1023; power++) {
            numbers.add(Math.scalb(1.0, power));
            numbers.add(-Math.scalb(1 + 1.0 / (power + 3000), power));
        }
        ContentText text = new ContentText();
        StringBuilder expected = new StringBuilder();
        for (double number : numbers) {
            text.addNumber(number);
            text.endCell();
            expected.append(expected.isEmpty() ? "" : ",").append(asC(number));
        }
        assertMarked(text, expected.toString());
    }

    @Test
    void wholeNumbersAreWrittenAsSqlWritesThem() throws Exception {
        ContentText text = new ContentText();
        List<String> expected = new ArrayList<>();
        for (long number : new long[] {0, 1, 9, 10, 99, 100, -1, -10, Long.MAX_VALUE, Long.MIN_VALUE}) {
            text.addWhole(number);
            text.endCell();
            expected.add(Long.toString(number));
        }
        assertMarked(text, String.join(",", expected));
    }

    private static void assertMarked(ContentText text, String expected) throws Exception {
        CodedRows written = new CodedRows(LAYOUT, 1);
        text.mark(new ContentMark(Optional.of(KEY)), written, written.beginRow());
        byte[] hash = HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(expected.getBytes(StandardCharsets.US_ASCII)))
                .getBytes(StandardCharsets.US_ASCII);
        CodedRows wanted = new CodedRows(LAYOUT, 1);
        ContentMark mark = new ContentMark(Optional.of(KEY));
        mark.cell(hash, 0, hash.length);
        mark.mark(wanted, wanted.beginRow());
        assertThat(written.contentHalf(0, 0)).isEqualTo(wanted.contentHalf(0, 0));
        assertThat(written.contentHalf(0, 1)).isEqualTo(wanted.contentHalf(0, 1));
    }
}
