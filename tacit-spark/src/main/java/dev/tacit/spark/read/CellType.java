package dev.tacit.spark.read;

import dev.tacit.data.prepare.EngineException;
import dev.tacit.data.source.ContentText;
import java.io.Serializable;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * How a cell of a column is read: its number, its text, and what it adds to the record's content, as the engine of one machine
 * reads them.
 *
 * <p>Spark casts nothing here. Its casts fail on a cell that does not fit and name the cell.
 *
 * @param kind of the column
 * @param precision digits of a decimal
 * @param scale digits of a decimal behind the point
 */
public record CellType(Kind kind, int precision, int scale) implements Serializable {
    /** Decimals of up to this many digits are whole numbers of 64 bits, with a point in them. */
    private static final int LONG_DIGITS = 18;

    private static final long EXACT = 1L << 53;

    private static final Set<Kind> NUMBERS =
            Set.of(Kind.BYTE, Kind.SHORT, Kind.INT, Kind.LONG, Kind.FLOAT, Kind.DOUBLE, Kind.DECIMAL);

    /** Types of columns that both engines read alike. */
    public enum Kind {
        BYTE,
        SHORT,
        INT,
        LONG,
        FLOAT,
        DOUBLE,
        DECIMAL,
        BOOLEAN,
        DATE,
        TIMESTAMP,
        TEXT,
        BINARY
    }

    /** Of a column, or a sentence that asks for another one. */
    public static CellType of(StructField column) {
        DataType type = column.dataType();
        if (type instanceof DecimalType decimal) {
            return new CellType(Kind.DECIMAL, decimal.precision(), decimal.scale());
        }
        if (type instanceof StringType) {
            return new CellType(Kind.TEXT, 0, 0);
        }
        Kind kind = type.equals(DataTypes.ByteType)
                ? Kind.BYTE
                : type.equals(DataTypes.ShortType)
                        ? Kind.SHORT
                        : type.equals(DataTypes.IntegerType)
                                ? Kind.INT
                                : type.equals(DataTypes.LongType)
                                        ? Kind.LONG
                                        : type.equals(DataTypes.FloatType)
                                                ? Kind.FLOAT
                                                : type.equals(DataTypes.DoubleType) ? Kind.DOUBLE : other(column);
        return new CellType(kind, 0, 0);
    }

    private static Kind other(StructField column) {
        DataType type = column.dataType();
        if (type.equals(DataTypes.BooleanType)) {
            return Kind.BOOLEAN;
        }
        if (type.equals(DataTypes.DateType)) {
            return Kind.DATE;
        }
        if (type.equals(DataTypes.TimestampType) || type.equals(DataTypes.TimestampNTZType)) {
            return Kind.TIMESTAMP;
        }
        if (type.equals(DataTypes.BinaryType)) {
            return Kind.BINARY;
        }
        throw EngineException.refused("column \"" + column.name() + "\" is of type " + type.simpleString()
                + ", which is not read on a cluster; stage the table as Parquet without it");
    }

    /** Whether a cell is a number that needs no reading. */
    boolean isNumber() {
        return NUMBERS.contains(kind);
    }

    /** Whether a cell is a binary number with a fraction, which is written as such into a record's content. */
    boolean hasFraction() {
        return kind == Kind.FLOAT || kind == Kind.DOUBLE;
    }

    /**
     * Refuses a column that is needed and that engines would not read alike.
     *
     * @param number whether a number is wanted
     * @param person whether it tells persons apart
     */
    public void requireReadable(String name, boolean number, boolean person) {
        boolean wide = kind == Kind.DECIMAL && precision > LONG_DIGITS && number;
        boolean fraction = person && hasFraction();
        if (wide || fraction || kind == Kind.TIMESTAMP || kind == Kind.BINARY) {
            throw EngineException.refused("column \"" + name + "\" is "
                    + (fraction
                            ? "a number with a fraction, which tells no persons apart"
                            : wide ? "a decimal of more than 18 digits" : "a point in time or bytes")
                    + "; stage the table as Parquet with it as " + (wide ? "DOUBLE" : "text or a whole number"));
        }
    }

    /** The number of a cell that is not missing. */
    double number(InternalRow row, int place) {
        return switch (kind) {
            case BYTE -> row.getByte(place);
            case SHORT -> row.getShort(place);
            case INT -> row.getInt(place);
            case LONG -> row.getLong(place);
            case FLOAT -> row.getFloat(place);
            case DOUBLE -> row.getDouble(place);
            case DECIMAL -> number(row.getDecimal(place, precision, scale).toUnscaledLong());
            default -> throw new IllegalStateException("not a number");
        };
    }

    /**
     * The numbers of a column, not a number where one is missing.
     *
     * @param to takes them from its beginning on
     */
    void numbers(ColumnarBatch batch, int place, int from, int count, double[] to) {
        ColumnVector column = batch.column(place);
        if (kind == Kind.DOUBLE && !column.hasNull()) {
            for (int row = 0; row < count; row++) {
                to[row] = column.getDouble(from + row);
            }
            return;
        }
        for (int row = 0; row < count; row++) {
            to[row] = column.isNullAt(from + row) ? Double.NaN : number(batch.getRow(from + row), place);
        }
    }

    /** As DuckDB computes it: exact up to one rounding, or, beyond 2^53, whole part and fraction apart. */
    private double number(long unscaled) {
        double power = Math.pow(10, scale);
        if (Math.abs(unscaled) <= EXACT || scale == 0) {
            return unscaled / power;
        }
        long whole = (long) power;
        long integral = unscaled / whole;
        return integral + (unscaled % whole) / power;
    }

    /** The text of a cell that is not missing, in UTF-8. */
    byte[] text(InternalRow row, int place) {
        return kind == Kind.TEXT
                ? wellFormed(row.getUTF8String(place).getBytes())
                : plain(row, place).getBytes(StandardCharsets.UTF_8);
    }

    /** Bytes that are not UTF-8 are replaced. */
    private static byte[] wellFormed(byte[] bytes) {
        for (byte b : bytes) {
            if (b < 0) {
                return new String(bytes, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8);
            }
        }
        return bytes;
    }

    private String plain(InternalRow row, int place) {
        return switch (kind) {
            case BYTE -> Byte.toString(row.getByte(place));
            case SHORT -> Short.toString(row.getShort(place));
            case INT -> Integer.toString(row.getInt(place));
            case LONG -> Long.toString(row.getLong(place));
            case FLOAT -> Float.toString(row.getFloat(place));
            case DOUBLE -> Double.toString(row.getDouble(place));
            case DECIMAL -> decimal(row, place).toPlainString();
            case BOOLEAN -> Boolean.toString(row.getBoolean(place));
            case DATE -> LocalDate.ofEpochDay(row.getInt(place)).toString();
            case TIMESTAMP -> Long.toString(row.getLong(place));
            case TEXT, BINARY -> throw new IllegalStateException("not plain");
        };
    }

    private BigDecimal decimal(InternalRow row, int place) {
        return row.getDecimal(place, precision, scale).toJavaBigDecimal().setScale(scale);
    }

    /** Adds a cell to what its record holds, and does not end it. */
    void addTo(ContentText content, InternalRow row, int place) {
        if (!row.isNullAt(place)) {
            switch (kind) {
                case TEXT -> {
                    byte[] text = text(row, place);
                    content.addText(text, 0, text.length);
                }
                case BINARY -> {
                    byte[] bytes = row.getBinary(place);
                    content.addText(bytes, 0, bytes.length);
                }
                case FLOAT -> content.addNumber(row.getFloat(place));
                case DOUBLE -> content.addNumber(row.getDouble(place));
                case BYTE -> content.addWhole(row.getByte(place));
                case SHORT -> content.addWhole(row.getShort(place));
                case INT -> content.addWhole(row.getInt(place));
                case LONG -> content.addWhole(row.getLong(place));
                default -> content.addPlain(plain(row, place));
            }
        }
    }
}
