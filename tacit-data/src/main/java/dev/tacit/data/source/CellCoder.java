package dev.tacit.data.source;

import dev.tacit.data.schema.ColumnSchema;
import dev.tacit.data.schema.ColumnSchema.BinaryColumn;
import dev.tacit.data.schema.ColumnSchema.CategoryColumn;
import dev.tacit.data.schema.ColumnSchema.NumberColumn;
import dev.tacit.data.schema.FileFormat;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The code of a cell, from its text and the declared facts about its column.
 *
 * <p>A category is found by its text; if it has none there and is a number, by its value, so that a 1 in the schema
 * matches the 1.0 of a column of doubles.
 */
public final class CellCoder {
    private final boolean number;
    private final boolean whole;
    private final double[] missingNumbers;
    private final byte[][] markers;
    private final byte[][] texts;
    private final double[] textCodes;
    private final double[] numbers;
    private final double[] numberCodes;
    private final double codeOfOthers;
    private final int mask;
    private final int[] table;

    private CellCoder(
            boolean number,
            boolean whole,
            List<String> texts,
            List<Double> codes,
            double codeOfOthers,
            FileFormat format) {
        this.number = number;
        this.whole = whole;
        this.codeOfOthers = codeOfOthers;
        List<String> allTexts = new ArrayList<>(texts);
        List<Double> allCodes = new ArrayList<>(codes);
        for (String missing : format.missing()) {
            allTexts.add(missing);
            allCodes.add(Double.NaN);
        }
        this.markers = format.missing().stream()
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
        this.texts = new byte[allTexts.size()][];
        this.textCodes = new double[allTexts.size()];
        double[] values = new double[allTexts.size()];
        double[] valueCodes = new double[allTexts.size()];
        int count = 0;
        for (int i = 0; i < this.texts.length; i++) {
            this.texts[i] = allTexts.get(i).getBytes(StandardCharsets.UTF_8);
            this.textCodes[i] = allCodes.get(i);
            double value = DecimalReader.read(this.texts[i], 0, this.texts[i].length);
            if (!Double.isNaN(value)) {
                values[count] = value;
                valueCodes[count] = textCodes[i];
                count++;
            }
        }
        this.numbers = Arrays.copyOf(values, count);
        this.numberCodes = Arrays.copyOf(valueCodes, count);
        this.missingNumbers = number ? numbers : new double[0];
        int size = Integer.highestOneBit(4 * this.texts.length + 4);
        this.mask = size - 1;
        this.table = new int[size];
        fillTable();
    }

    public static CellCoder of(ColumnSchema column, FileFormat format) {
        if (column instanceof NumberColumn declared) {
            return new CellCoder(true, declared.count(), List.of(), List.of(), Double.NaN, format);
        }
        List<String> texts = new ArrayList<>();
        List<Double> codes = new ArrayList<>();
        if (column instanceof CategoryColumn category) {
            for (String text : category.categories()) {
                codes.add((double) texts.size());
                texts.add(text);
            }
            return new CellCoder(false, false, texts, codes, category.other() ? texts.size() : Double.NaN, format);
        }
        BinaryColumn binary = (BinaryColumn) column;
        for (String text : binary.positive()) {
            texts.add(text);
            codes.add(1.0);
        }
        for (String text : binary.negative()) {
            texts.add(text);
            codes.add(0.0);
        }
        return new CellCoder(false, false, texts, codes, binary.negative().isEmpty() ? 0 : Double.NaN, format);
    }

    private void fillTable() {
        Arrays.fill(table, -1);
        for (int i = 0; i < texts.length; i++) {
            int slot = hash(texts[i], 0, texts[i].length) & mask;
            while (table[slot] >= 0) {
                slot = (slot + 1) & mask;
            }
            table[slot] = i;
        }
    }

    private static int hash(byte[] text, int from, int to) {
        int hash = 0;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + text[i];
        }
        return hash ^ (hash >>> 15);
    }

    /** Whether the column holds numbers. */
    boolean isNumber() {
        return number;
    }

    /** The code of a number that needs no reading. */
    public double codeOf(double value) {
        for (double missing : missingNumbers) {
            if (value == missing) {
                return Double.NaN;
            }
        }
        return whole && value != Math.rint(value) ? Double.NaN : value;
    }

    /** Whether a cell is empty or one of the declared spellings of a missing one. */
    boolean isMissing(byte[] text, int from, int to) {
        boolean found = from >= to;
        for (byte[] marker : markers) {
            found |= Arrays.equals(marker, 0, marker.length, text, from, to);
        }
        double value = DecimalReader.read(text, from, Math.max(from, to));
        for (double missing : missingNumbers) {
            found |= value == missing;
        }
        return found;
    }

    /** The code of a cell; an empty one is missing. */
    double codeOf(byte[] text, int from, int to) {
        if (from >= to) {
            return Double.NaN;
        }
        if (number) {
            int start = from;
            int end = to;
            while (start < end && text[start] == ' ') {
                start++;
            }
            while (end > start && text[end - 1] == ' ') {
                end--;
            }
            return codeOf(DecimalReader.read(text, start, end));
        }
        int slot = hash(text, from, to) & mask;
        while (table[slot] >= 0) {
            byte[] candidate = texts[table[slot]];
            if (Arrays.equals(candidate, 0, candidate.length, text, from, to)) {
                return textCodes[table[slot]];
            }
            slot = (slot + 1) & mask;
        }
        return numbers.length == 0 ? codeOfOthers : codeByValue(DecimalReader.read(text, from, to));
    }

    private double codeByValue(double value) {
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] == value) {
                return numberCodes[i];
            }
        }
        return codeOfOthers;
    }
}
