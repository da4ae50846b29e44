package dev.tacit.fit.plan;

/**
 * What a fit takes on so many cores, from constants that were measured: how they were, and again how to, is in
 * docs/notes/spark.md.
 *
 * <pre>
 *   load    = rows · (READ + CELL · columns) / cores
 *   release = start of a job + tasks · dispatch + what is computed / cores + tasks · bytes of a sum / network
 *   full pass: rows · (PASS + PASS_CELL · columns)         sampled: drawn rows · DRAWN + rows / 8192 · start of a stream
 * </pre>
 *
 * One machine is the same with no jobs and no network. The numbers are for regressions on dense rows, and good for a factor of two.
 *
 * @param loadSeconds reading, coding, encoding, sketching and keeping the records
 * @param releaseSeconds one release
 * @param wholeSeconds all of it
 * @param keptBytes encoded records in memory, all machines together
 * @param movedBytes sums that travel for a release
 */
public record EngineCost(
        double loadSeconds, double releaseSeconds, double wholeSeconds, double keptBytes, double movedBytes) {
    /** Processor seconds a row and a cell of reading Parquet: by DuckDB here, by Spark's reader there. */
    private static final double READ = 0.5e-6;

    private static final double LOCAL_CELL = 0.085e-6;
    private static final double CLUSTER_CELL = 0.07e-6;

    /** Processor seconds a row and a cell of a full pass. */
    private static final double PASS = 10e-9;

    private static final double PASS_CELL = 2.5e-9;

    /** Processor seconds a drawn row of a sampled pass, which is in no cache, and the start of a stream of a batch. */
    private static final double DRAWN = 900e-9;

    private static final double STREAM = 5e-6;
    private static final double STREAM_UNITS = 8192;

    /** Seconds of a job, and of the driver for a task: assumed for a cluster that is not busy. */
    private static final double JOB = 0.15;

    private static final double TASK = 0.004;

    /** Bytes a second between machines: assumed for 10 Gbit/s. */
    private static final double NETWORK = 1e9;

    private static final int TASKS_PER_CORE = 3;

    /** From here on one machine takes longer than people wait, and many are worth their jobs. */
    private static final double LONG_SECONDS = 1800;

    /**
     * What is asked for.
     *
     * @param rows records
     * @param columns encoded numbers of a record
     * @param releases how many there are
     * @param samplingRate of a release; 1 for a full pass
     * @param dimension numbers of a release
     */
    public record Work(double rows, double columns, double releases, double samplingRate, double dimension) {}

    /** On this many cores of one machine. */
    public static EngineCost local(Work work, int cores) {
        return of(work, cores, LOCAL_CELL, 0, 0);
    }

    /** On this many cores of a cluster. */
    public static EngineCost cluster(Work work, int cores) {
        double tasks = (double) TASKS_PER_CORE * cores;
        double moved = tasks * Double.BYTES * work.dimension();
        return of(work, cores, CLUSTER_CELL, JOB + tasks * TASK + moved / NETWORK, moved);
    }

    private static EngineCost of(Work work, int cores, double cell, double overhead, double moved) {
        double load = work.rows() * (READ + cell * work.columns()) / cores;
        double pass = PASS + PASS_CELL * work.columns();
        double computed = work.samplingRate() >= 1
                ? work.rows() * pass
                : work.rows() * work.samplingRate() * Math.max(pass, DRAWN) + work.rows() / STREAM_UNITS * STREAM;
        double release = overhead + computed / cores;
        double kept = work.rows() * Double.BYTES * (work.columns() + 1);
        return new EngineCost(load, release, load + work.releases() * release, kept, moved);
    }

    /** Whether one machine with this memory would take so long that a cluster is worth its while. */
    public static boolean outgrown(Work work, int cores, long memoryBytes) {
        EngineCost here = local(work, cores);
        // Records that are not in memory are read from a file at every release, about as fast as they are summed.
        boolean spilled = here.keptBytes() > memoryBytes;
        return (spilled ? 2 : 1) * here.wholeSeconds() > LONG_SECONDS;
    }
}
