package dev.tacit.spark.read;

import dev.tacit.data.prepare.EngineException;
import java.util.Map;
import org.apache.parquet.hadoop.metadata.FileMetaData;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Refuses columns by how a file stores them, before a row is read, if Spark's readers throw at some of their cells.
 *
 * <p>Spark counts microseconds in 64 bits. A point in time that is stored otherwise is multiplied by a unit or moved between
 * calendars, and stops a fit if the result does not fit: one record would decide whether there is a release. Types are public.
 */
public final class StoredTypes {
    private StoredTypes() {}

    /** Of a Parquet file, from its footer: points in time only as whole microseconds, and not of a program with the old calendar. */
    public static void require(FileMetaData file) {
        Map<String, String> notes = file.getKeyValueMetaData();
        boolean oldCalendar = notes.containsKey("org.apache.spark.legacyDateTime")
                || notes.getOrDefault("org.apache.spark.version", "3").matches("[12]\\..*");
        for (Type column : file.getSchema().getFields()) {
            if (!column.isPrimitive()) {
                continue;
            }
            boolean otherwise = column.getLogicalTypeAnnotation() instanceof TimestampLogicalTypeAnnotation time
                    && (oldCalendar || time.getUnit() != TimeUnit.MICROS);
            if (otherwise || column.asPrimitiveType().getPrimitiveTypeName() == PrimitiveTypeName.INT96) {
                throw refused(column.getName(), "with microseconds (TIMESTAMP_MICROS)");
            }
        }
    }

    /** Of an ORC file, which stores points in time as seconds and a fraction. */
    public static void require(StructType orc) {
        for (StructField column : orc.fields()) {
            if (column.dataType().equals(DataTypes.TimestampType)
                    || column.dataType().equals(DataTypes.TimestampNTZType)) {
                throw refused(column.name(), "as Parquet with microseconds (TIMESTAMP_MICROS)");
            }
        }
    }

    private static EngineException refused(String column, String way) {
        return EngineException.refused(
                "column \"" + column + "\" stores points in time in a way in which not every cell"
                        + " can be read; stage the table " + way + ", or leave the column out of it");
    }
}
