package dev.tacit.spark;

import dev.tacit.data.prepare.EngineException;
import dev.tacit.data.prepare.PartEncoder;
import dev.tacit.data.prepare.rows.RowShape;
import dev.tacit.data.schema.CorpusSchema;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.source.DataException;
import dev.tacit.data.source.DataLocation;
import dev.tacit.data.source.NoInputException;
import dev.tacit.data.source.RowLayout;
import dev.tacit.data.source.csv.CsvPart;
import dev.tacit.spark.read.TableFiles;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.zip.GZIPInputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias;
import org.apache.spark.sql.execution.datasources.FileFormat;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.execution.datasources.orc.OrcFileFormat;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Opens tables whose parts are the same whenever they are read: files of Parquet, ORC or delimited text, and tables of a catalogue
 * that are nothing but such files.
 *
 * <p>The rows of views, joins, samples and limits can come back in another number or order when a lost part is computed again
 * (SPARK-23207, SPARK-38160, SPARK-51016 and others). Then a retried task would see another table, so they are refused by a look at
 * the plan; whoever wants one writes it to Parquet first.
 */
final class SparkTables {
    static final String CATALOGUE = "table:";

    /** How many bytes encoded records of a part take, about: small enough that a lost one is soon read again. */
    private static final long PART_BYTES = 64L << 20;

    private static final long LEAST_RANGE = 1L << 20;

    /** Rows whose length is not declared. */
    private static final RowShape SOME = new RowShape(32, 32, false, true);

    private final SparkSession spark;
    private final JavaSparkContext context;
    private final OptionalInt parts;

    /**
     * @param parts how many parts a table has, about; from declared sizes if left out
     */
    SparkTables(SparkSession spark, OptionalInt parts) {
        this.spark = spark;
        this.context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        this.parts = parts;
    }

    /** Encoded parts of a table in their order, or parts that are sketches only; nothing is read yet. */
    JavaRDD<EncodedPart> open(String data, Wanted wanted) {
        Schema schema = wanted.schema();
        if (schema.corpus().isPresent()) {
            return documents(data, wanted, schema.corpus().get());
        }
        if (data.startsWith(CATALOGUE)) {
            ScanTable table = catalogued(data.substring(CATALOGUE.length()));
            return encoded(table.rows(wanted, schema, rangeBytes(table.bytes(), wanted, schema)), wanted, schema);
        }
        TableFiles files = TableFiles.of(data, configuration());
        long range = rangeBytes(files.bytes(), wanted, schema);
        return switch (files.format()) {
            case PARQUET -> encoded(scan(files, new ParquetFileFormat()).rows(wanted, schema, range), wanted, schema);
            case ORC -> encoded(scan(files, new OrcFileFormat()).rows(wanted, schema, range), wanted, schema);
            case TEXT -> encoded(text(files, wanted, schema, range), wanted, schema);
        };
    }

    private ScanTable scan(TableFiles files, FileFormat format) {
        return new ScanTable(spark, files.files(), format);
    }

    private <T> JavaRDD<EncodedPart> encoded(PartSource<T> source, Wanted wanted, Schema schema) {
        boolean persons = schema.unit().idColumn().isPresent() && wanted.purpose() != Wanted.Purpose.SKETCH;
        return persons
                ? PersonShuffle.persons(source, wanted, schema, partCount(wanted, schema))
                : source.parts().mapPartitions(new EncodeTask<>(source.reading(), wanted), true);
    }

    /** About how many parts: enough for the executors, and so many that none is large. From declared sizes, which are public. */
    private int partCount(Wanted wanted, Schema schema) {
        if (parts.isPresent()) {
            return parts.getAsInt();
        }
        RowShape shape = schema.corpus().isPresent()
                ? SOME
                : wanted.encoder(schema).map(PartEncoder::shape).orElse(SOME);
        double rowBytes = Double.BYTES * (1.0 + shape.entries() * (shape.sparse() ? 1.5 : 1));
        double bytes = rowBytes * schema.size() * schema.unit().maxRecords();
        return (int) Math.min(1 << 20, Math.max(context.defaultParallelism(), Math.ceil(bytes / PART_BYTES)));
    }

    private long rangeBytes(long fileBytes, Wanted wanted, Schema schema) {
        long range = Math.max(1, (fileBytes + partCount(wanted, schema) - 1) / partCount(wanted, schema));
        return parts.isPresent() ? range : Math.max(LEAST_RANGE, range);
    }

    private Configuration configuration() {
        return spark.sparkContext().hadoopConfiguration();
    }

    private PartSource<TextSplit> text(TableFiles files, Wanted wanted, Schema schema, long range) {
        RowLayout layout = wanted.layout(schema);
        List<TextSplit> splits = new ArrayList<>();
        for (FileStatus file : files.files()) {
            DataLocation location = DataLocation.of(file.getPath().toString());
            try (FSDataInputStream in = open(file)) {
                InputStream plain = location.compressed() ? new GZIPInputStream(in, 1 << 16) : in;
                CsvPart.Form form = CsvPart.form(plain, location, layout);
                TextSplit whole = new TextSplit(
                        location.address(), form.firstRecord(), file.getLen(), form.names(), location.compressed());
                if (CsvPart.linesAreRecords(location, layout)) {
                    splits.addAll(TextSplit.cut(in, whole, range));
                } else {
                    splits.add(whole);
                }
            } catch (IOException e) {
                throw new DataException(location.name() + " cannot be read to its end");
            }
        }
        return new PartSource<>(parallel(splits), new TextSplit.Records(serializable()));
    }

    private FSDataInputStream open(FileStatus file) throws IOException {
        return file.getPath().getFileSystem(configuration()).open(file.getPath());
    }

    private SerializableConfiguration serializable() {
        return new SerializableConfiguration(configuration());
    }

    private <T> JavaRDD<T> parallel(List<T> splits) {
        return context.parallelize(splits, Math.max(1, splits.size()));
    }

    private JavaRDD<EncodedPart> documents(String data, Wanted wanted, CorpusSchema corpus) {
        if (corpus.format() == CorpusSchema.Format.DOCWORD) {
            throw EngineException.refused(
                    "the lines of a document in docword may stand anywhere, so they are read on one"
                            + " machine only; write the documents as lda-c or text");
        }
        TableFiles files = TableFiles.of(data, configuration());
        long range = rangeBytes(files.bytes(), wanted, wanted.schema());
        List<TextSplit> splits = new ArrayList<>();
        for (FileStatus file : files.files()) {
            DataLocation location = DataLocation.of(file.getPath().toString());
            TextSplit whole = new TextSplit(location.address(), 0, file.getLen(), List.of(), location.compressed());
            try (FSDataInputStream in = open(file)) {
                splits.addAll(location.compressed() ? List.of(whole) : TextSplit.cut(in, whole, range));
            } catch (IOException e) {
                throw new DataException(location.name() + " cannot be read to its end");
            }
        }
        return parallel(splits).mapPartitions(new DocumentTask(serializable(), wanted), true);
    }

    /** A table of the catalogue, if it is nothing but files. */
    private ScanTable catalogued(String name) {
        LogicalPlan plan;
        try {
            plan = ((org.apache.spark.sql.classic.Dataset<?>) spark.table(name))
                    .queryExecution()
                    .analyzed();
        } catch (Exception e) { // Scala throws checked exceptions without saying so
            throw new NoInputException("there is no table " + name + " in the catalogue, or it cannot be read");
        }
        return plain(plan, name);
    }

    ScanTable plain(LogicalPlan plan, String name) {
        LogicalPlan inner = plan;
        while (inner instanceof SubqueryAlias alias) {
            inner = alias.child();
        }
        if (inner instanceof LogicalRelation scan
                && scan.relation() instanceof HadoopFsRelation relation
                && !scan.isStreaming()
                && relation.partitionSchema().isEmpty()
                && (relation.fileFormat() instanceof ParquetFileFormat
                        || relation.fileFormat() instanceof OrcFileFormat)) {
            List<FileStatus> files = new ArrayList<>();
            for (String file : relation.location().inputFiles()) {
                try {
                    Path path =
                            org.apache.spark.paths.SparkPath.fromUrlString(file).toPath();
                    files.add(path.getFileSystem(configuration()).getFileStatus(path));
                } catch (IOException e) {
                    throw new NoInputException("a file of the table " + name + " cannot be found");
                }
            }
            files.sort(Comparator.comparing(file -> file.getPath().toString()));
            return ScanTable.catalogued(spark, files, relation.fileFormat(), relation.dataSchema());
        }
        throw EngineException.refused(name + " is not a plain table of Parquet or ORC files but "
                + inner.nodeName() + ", whose rows may come back otherwise after a failure; stage it as Parquet:"
                + " write it to files and fit those");
    }
}
