package dev.tacit.spark;

import dev.tacit.data.prepare.EngineException;
import dev.tacit.data.prepare.PartEncoder;
import dev.tacit.data.prepare.Preparation;
import dev.tacit.data.prepare.RecordSketch;
import dev.tacit.data.prepare.TableEngine;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.source.SketchKey;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.sampling.SamplingScheme.FixedSizeSampling;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.spark.cluster.ClusterRules;
import dev.tacit.spark.cluster.QuietExecutor;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext$;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/** Tables on a Spark cluster. One is there in a process at a time. */
public final class SparkTableEngine implements TableEngine {
    /** Places of a batch of fixed size that every task draws. */
    private static final long LARGEST_FIXED_BATCH = 10_000_000;

    private final SparkSession spark;
    private final SparkTables tables;
    private final RollCall roll = RollCall.ofDriver();
    private final byte[] secret;

    SparkTableEngine(SparkConf conf, OptionalInt parts, byte[] secret) {
        this.spark = started(conf);
        QuietExecutor.silence(); // again, because spark-submit lets Spark set its own logging up late
        try {
            ClusterRules.requireKept(conf, spark.sparkContext().getConf());
            roll.require(spark.sparkContext());
        } catch (EngineException e) {
            spark.stop();
            throw e;
        }
        this.tables = new SparkTables(spark, parts);
        this.secret = secret.clone();
    }

    /** A new application: one that is there was started under settings that nobody checked. */
    private static SparkSession started(SparkConf conf) {
        if (SparkContext$.MODULE$.getActive().isDefined()) {
            throw EngineException.refused("an application of Spark already runs in this process, and Tacit starts its"
                    + " own; stop it first");
        }
        SparkConf withProperties = new SparkConf(true); // as the builder makes it
        for (Tuple2<String, String> setting : conf.getAll()) {
            withProperties.set(setting._1(), setting._2());
        }
        ClusterRules.requireKept(conf, withProperties);
        return SparkEngine.ran(
                "the cluster cannot be reached at " + conf.get("spark.master")
                        + "; check the address, that it runs Spark 4.1, and that its secret is the one in TACIT_SPARK_SECRET",
                () -> SparkSession.builder().config(conf).getOrCreate());
    }

    @Override
    public Preparation.Sketched openSketched(String data, Schema schema, SketchKey key, Optional<RecordSource> beside) {
        boolean persons = schema.unit().idColumn().isPresent();
        SparkEngine engine = engine(data, Wanted.of(Wanted.Purpose.FIT, schema, key, secret), schema);
        return new Preparation.Sketched(
                Preparation.dataset(engine, beside, schema),
                engine.sketch(key, persons).orElseThrow());
    }

    @Override
    public PrivateDataset open(String data, Schema schema) {
        return Preparation.dataset(
                engine(data, Wanted.of(Wanted.Purpose.FIT, schema, null, secret), schema), Optional.empty(), schema);
    }

    @Override
    public PrivateDataset openForBounds(String data, Schema schema) {
        return PrivateDataset.of(
                engine(data, Wanted.of(Wanted.Purpose.BOUNDS, schema, null, secret), schema),
                schema.privacyUnit(),
                schema.size());
    }

    private SparkEngine engine(String data, Wanted wanted, Schema schema) {
        int columns = schema.corpus().isPresent()
                ? schema.corpus().get().vocabulary().size()
                : wanted.encoder(schema).map(PartEncoder::shape).orElseThrow().columns();
        return new SparkEngine(tables.open(data, wanted), columns, roll);
    }

    @Override
    public RecordSketch sketch(String data, Schema schema, SketchKey key) {
        Wanted wanted = Wanted.of(Wanted.Purpose.SKETCH, schema, key, secret);
        SparkEngine sketching = new SparkEngine(tables.open(data, wanted), 0, roll);
        try {
            return sketching.sketch(key, schema.unit().idColumn().isPresent()).orElseThrow();
        } finally {
            sketching.close();
        }
    }

    @Override
    public void require(ReleasePlan plan) {
        for (ReleasePlan.Phase phase : plan.phases()) {
            if (phase.sampling() instanceof FixedSizeSampling fixed && fixed.batch() > LARGEST_FIXED_BATCH) {
                throw EngineException.refused(
                        "batches of fixed size have at most 10,000,000 records on a cluster; use smaller"
                                + " ones, or Poisson sampling");
            }
        }
    }

    /** The session of the cluster, for tests and benchmarks. */
    SparkSession session() {
        return spark;
    }

    @Override
    public void close() {
        spark.stop();
    }
}
