package dev.tacit.spark;

import dev.tacit.data.prepare.EngineException;
import dev.tacit.data.schema.ColumnSchema.NumberColumn;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.source.DataException;
import dev.tacit.data.source.RowLayout;
import dev.tacit.spark.read.CellType;
import dev.tacit.spark.read.PartReader;
import dev.tacit.spark.read.ScannedRows;
import dev.tacit.spark.read.StoredTypes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.parquet.hadoop.Footer;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.paths.SparkPath;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.FileSourceOptions;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.FileFormat;
import org.apache.spark.sql.execution.datasources.FilePartition;
import org.apache.spark.sql.execution.datasources.FileScanRDD;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.execution.datasources.parquet.ParquetToSparkSchemaConverter;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.Function1;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Files of typed columns, read by Spark's own readers and nothing above them: no query, no cast, no filter.
 *
 * <p>Spark's planner would order files by size; here parts are in the order of the table, files by name and ranges by offset.
 */
final class ScanTable {
    private static final Map<String, String> OPTIONS = options(false);

    /** @param batches whether rows are handed over column by column, many at once */
    private static Map<String, String> options(boolean batches) {
        return Map.of(
                "returning_batch",
                Boolean.toString(batches),
                "ignoreCorruptFiles",
                "false",
                "ignoreMissingFiles",
                "false");
    }

    private final SparkSession spark;
    private final List<FileStatus> files;
    private final FileFormat format;
    private final StructType schema;

    ScanTable(SparkSession spark, List<FileStatus> files, FileFormat format) {
        this(spark, files, format, schemaOf(spark, files, format));
    }

    /** Of a catalogue, which knows the columns and not how files store them. */
    static ScanTable catalogued(SparkSession spark, List<FileStatus> files, FileFormat format, StructType schema) {
        schemaOf(spark, files, format);
        return new ScanTable(spark, files, format, schema);
    }

    private ScanTable(SparkSession spark, List<FileStatus> files, FileFormat format, StructType schema) {
        this.spark = spark;
        this.files = files;
        this.format = format;
        this.schema = schema;
    }

    /** The columns of the first file, which all files must have. */
    private static StructType schemaOf(SparkSession spark, List<FileStatus> files, FileFormat format) {
        StructType first = null;
        for (FileStatus file : files) {
            StructType found = schemaOf(spark, file, format);
            if (first != null && !Arrays.equals(names(first), names(found))) {
                throw new DataException(
                        file.getPath().getName() + " has other columns than the first file of its table");
            }
            first = first == null ? found : first;
        }
        return first;
    }

    /** Read here and not by a job of Spark's, which would log bytes of a file that is not what its name says. */
    private static StructType schemaOf(SparkSession spark, FileStatus file, FileFormat format) {
        try {
            if (format instanceof ParquetFileFormat) {
                Configuration configuration = spark.sparkContext().hadoopConfiguration();
                try (ParquetFileReader reader =
                        ParquetFileReader.open(HadoopInputFile.fromStatus(file, configuration))) {
                    StoredTypes.require(reader.getFileMetaData());
                    return ParquetFileFormat.readSchemaFromFooter(
                            new Footer(file.getPath(), reader.getFooter()),
                            new ParquetToSparkSchemaConverter(SQLConf.get()));
                }
            }
            StructType found = format.inferSchema(spark, scala(OPTIONS), seq(List.of(file)))
                    .get();
            StoredTypes.require(found);
            return found;
        } catch (EngineException e) {
            throw e;
        } catch (Exception e) { // Scala throws checked exceptions without saying so
            throw unreadable(file);
        }
    }

    private static String[] names(StructType columns) {
        return Arrays.stream(columns.fields())
                .map(field -> field.name() + " " + field.dataType().simpleString())
                .toArray(String[]::new);
    }

    private static DataException unreadable(FileStatus file) {
        return new DataException(file.getPath().getName() + " cannot be read; is it a whole file of its format?");
    }

    long bytes() {
        return files.stream().mapToLong(FileStatus::getLen).sum();
    }

    /** Refuses columns that are missing, or of a type that engines do not read alike. */
    private int[] places(StructType read, RowLayout layout) {
        List<String> needed = layout.neededNames();
        int[] places = new int[needed.size()];
        for (int slot = 0; slot < places.length; slot++) {
            String name = needed.get(slot);
            if (!Arrays.asList(read.fieldNames()).contains(name)) {
                throw new DataException("the table has no column \"" + name + "\"");
            }
            places[slot] = read.fieldIndex(name);
            boolean person = slot == layout.width();
            boolean number = !person && layout.columns().get(slot) instanceof NumberColumn;
            CellType.of(read.fields()[places[slot]]).requireReadable(name, number, person);
        }
        return places;
    }

    /** The rows, in parts of about so many bytes. */
    PartSource<Object> rows(Wanted wanted, Schema declared, long partBytes) {
        RowLayout layout = wanted.layout(declared);
        StructType read = wanted.sketchKey().isPresent() ? schema : needed(layout);
        int[] places = places(read, layout);
        CellType[] types = Arrays.stream(read.fields()).map(CellType::of).toArray(CellType[]::new);
        Configuration configuration = new Configuration(spark.sparkContext().hadoopConfiguration());
        Map<String, String> options = options(format.supportBatch(spark, read));
        Function1<PartitionedFile, scala.collection.Iterator<InternalRow>> reader =
                format.buildReaderWithPartitionValues(
                        spark, schema, new StructType(), read, seq(List.of()), scala(options), configuration);
        JavaRDD<InternalRow> rows = new FileScanRDD(
                        spark,
                        reader,
                        seq(partitions(partBytes, configuration)),
                        read,
                        seq(List.of()),
                        scala(Map.of()),
                        new FileSourceOptions(scala(options)))
                .toJavaRDD();
        return new PartSource<>(rowsOrBatches(rows), new Scanned(types, places));
    }

    /** Spark calls batches of columns rows, too. */
    @SuppressWarnings("unchecked")
    private static JavaRDD<Object> rowsOrBatches(JavaRDD<? extends Object> rows) {
        return (JavaRDD<Object>) rows;
    }

    private StructType needed(RowLayout layout) {
        List<StructField> fields = new ArrayList<>();
        for (StructField field : schema.fields()) {
            if (layout.neededNames().contains(field.name())) {
                fields.add(field);
            }
        }
        return new StructType(fields.toArray(StructField[]::new));
    }

    /** How executors read rows. */
    private record Scanned(CellType[] types, int[] places) implements PartSource.Reading<Object> {
        @Override
        public PartReader of(Iterator<Object> handed, RowLayout layout) {
            return new ScannedRows(handed, layout, types, places);
        }
    }

    /** Ranges of files in their order, several small ones together. */
    private List<FilePartition> partitions(long partBytes, Configuration configuration) {
        List<FilePartition> partitions = new ArrayList<>();
        List<PartitionedFile> open = new ArrayList<>();
        long openBytes = 0;
        for (FileStatus file : files) {
            boolean whole = !format.isSplitable(spark, scala(OPTIONS), file.getPath());
            long step = whole ? Math.max(1, file.getLen()) : partBytes;
            for (long start = 0; start < file.getLen(); start += step) {
                long length = Math.min(step, file.getLen() - start);
                if (openBytes > 0 && openBytes + length > partBytes) {
                    partitions.add(new FilePartition(partitions.size(), open.toArray(PartitionedFile[]::new)));
                    open.clear();
                    openBytes = 0;
                }
                open.add(range(file, start, length, configuration));
                openBytes += length;
            }
        }
        if (!open.isEmpty()) {
            partitions.add(new FilePartition(partitions.size(), open.toArray(PartitionedFile[]::new)));
        }
        return partitions;
    }

    private static PartitionedFile range(FileStatus file, long start, long length, Configuration configuration) {
        return new PartitionedFile(
                InternalRow.empty(),
                SparkPath.fromPath(file.getPath()),
                start,
                length,
                hosts(file, start, length, configuration),
                file.getModificationTime(),
                file.getLen(),
                scala(Map.of()));
    }

    private static String[] hosts(FileStatus file, long start, long length, Configuration configuration) {
        try {
            BlockLocation[] blocks =
                    file.getPath().getFileSystem(configuration).getFileBlockLocations(file, start, length);
            return blocks == null || blocks.length == 0 ? new String[0] : blocks[0].getHosts();
        } catch (IOException e) {
            throw EngineException.unreachable(file.getPath().getName() + " cannot be found where it was a moment ago");
        }
    }

    private static <T> Seq<T> seq(List<T> list) {
        return CollectionConverters.asScala(list).toSeq();
    }

    private static <K, V> scala.collection.immutable.Map<K, V> scala(Map<K, V> map) {
        return scala.collection.immutable.Map$.MODULE$.from(CollectionConverters.asScala(map));
    }
}
