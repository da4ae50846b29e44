package dev.tacit.data.prepare;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes a Parquet file of columns of text, which need not be UTF-8: one row group, one plain page a column, not
 * compressed. Metadata are Thrift's compact protocol.
 */
final class ParquetFile {
    private static final int I32 = 5;
    private static final int I64 = 6;
    private static final int BINARY = 8;
    private static final int LIST = 9;
    private static final int STRUCT = 12;
    private static final int BYTE_ARRAY = 6;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private int lastField;

    private ParquetFile() {}

    static byte[] of(List<OddRecord> records) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes(OddRecord.bytes("PAR1"));
        int columns = OddRecord.NAMES.size();
        long[] starts = new long[columns];
        long[] sizes = new long[columns];
        for (int column = 0; column < columns; column++) {
            starts[column] = file.size();
            byte[] page = page(records, column);
            file.writeBytes(pageHeader(page.length, records.size()));
            file.writeBytes(page);
            sizes[column] = file.size() - starts[column];
        }
        byte[] footer = footer(records.size(), starts, sizes);
        file.writeBytes(footer);
        file.writeBytes(int32(footer.length));
        file.writeBytes(OddRecord.bytes("PAR1"));
        return file.toByteArray();
    }

    private static byte[] int32(int value) {
        return ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(value)
                .array();
    }

    private static byte[] page(List<OddRecord> records, int column) {
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        for (OddRecord record : records) {
            page.writeBytes(int32(record.cells().get(column).length));
            page.writeBytes(record.cells().get(column));
        }
        return page.toByteArray();
    }

    private static byte[] pageHeader(int size, int values) {
        ParquetFile header = new ParquetFile();
        header.field(1, I32).number(0);
        header.field(2, I32).number(size);
        header.field(3, I32).number(size);
        header.field(5, STRUCT);
        int outer = header.begin();
        header.field(1, I32).number(values);
        header.field(2, I32).number(0);
        header.field(3, I32).number(3);
        header.field(4, I32).number(3);
        header.end(outer);
        header.out.write(0);
        return header.out.toByteArray();
    }

    private static byte[] footer(int rows, long[] starts, long[] sizes) {
        ParquetFile footer = new ParquetFile();
        footer.field(1, I32).number(1);
        footer.field(2, LIST).list(OddRecord.NAMES.size() + 1, STRUCT);
        int outer = footer.begin();
        footer.field(4, BINARY).text("schema");
        footer.field(5, I32).number(OddRecord.NAMES.size());
        footer.end(outer);
        for (String name : OddRecord.NAMES) {
            outer = footer.begin();
            footer.field(1, I32).number(BYTE_ARRAY);
            footer.field(3, I32).number(0);
            footer.field(4, BINARY).text(name);
            footer.field(6, I32).number(0);
            footer.end(outer);
        }
        footer.field(3, I64).number(rows);
        footer.field(4, LIST).list(1, STRUCT);
        outer = footer.begin();
        long total = 0;
        footer.field(1, LIST).list(starts.length, STRUCT);
        for (int column = 0; column < starts.length; column++) {
            int group = footer.begin();
            footer.field(2, I64).number(starts[column]);
            footer.field(3, STRUCT);
            int chunk = footer.begin();
            footer.field(1, I32).number(BYTE_ARRAY);
            footer.field(2, LIST).list(1, I32).number(0);
            footer.field(3, LIST).list(1, BINARY).text(OddRecord.NAMES.get(column));
            footer.field(4, I32).number(0);
            footer.field(5, I64).number(rows);
            footer.field(6, I64).number(sizes[column]);
            footer.field(7, I64).number(sizes[column]);
            footer.field(9, I64).number(starts[column]);
            footer.end(chunk);
            footer.end(group);
            total += sizes[column];
        }
        footer.field(2, I64).number(total);
        footer.field(3, I64).number(rows);
        footer.end(outer);
        footer.out.write(0);
        return footer.out.toByteArray();
    }

    private ParquetFile field(int id, int type) {
        out.write((id - lastField) << 4 | type);
        lastField = id;
        return this;
    }

    private int begin() {
        int outer = lastField;
        lastField = 0;
        return outer;
    }

    private void end(int outer) {
        out.write(0);
        lastField = outer;
    }

    private ParquetFile list(int size, int type) {
        out.write(size << 4 | type);
        return this;
    }

    private ParquetFile number(long value) {
        varint(value << 1 ^ value >> 63);
        return this;
    }

    private void text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        varint(bytes.length);
        out.writeBytes(bytes);
    }

    private void varint(long value) {
        long rest = value;
        while (rest > 127) {
            out.write((int) ((rest & 127) | 128));
            rest >>>= 7;
        }
        out.write((int) rest);
    }
}
