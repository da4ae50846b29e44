package dev.tacit.spark.cluster;

import dev.tacit.data.prepare.EngineException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import scala.Tuple2;

/**
 * The settings under which a cluster may see records, and the sentence for each that is not so.
 *
 * <p>What protects records is set here and cannot be set otherwise: processes know each other, everything they send and everything
 * they write to disks is encrypted, and nothing that shows sizes of parts is on. Whoever knows the key of a batch knows the batch, and
 * Spark sends it to executors and may write it to their disks: so encryption is a condition of an epsilon that counts on sampling.
 */
public final class ClusterRules {
    /** Values that are set, whatever is asked for. */
    private static final Map<String, String> FIXED = fixed();

    /** What must not be there at all: each sends facts about records elsewhere, or puts other code between them and us. */
    private static final List<String> FORBIDDEN = List.of(
            "spark.extraListeners",
            "spark.sql.queryExecutionListeners",
            "spark.sql.streaming.streamingQueryListeners",
            "spark.sql.extensions",
            "spark.plugins",
            "spark.plugins.defaultList",
            "spark.log.level",
            "spark.executor.syncLogLevel.enabled",
            "spark.log.structuredLogging.enabled",
            "spark.metrics.conf",
            "spark.metrics.conf.",
            "spark.driver.log.dfsDir",
            "spark.checkpoint.dir");

    /** Variables from which every Java process takes options, unseen by the rules for options. */
    private static final List<String> VARIABLES = List.of(".java_tool_options", ".jdk_java_options", "._java_options");

    /** Options of a Java process that write memory, and so records, to a file, let others in, or come from elsewhere. */
    private static final List<String> DUMPS = List.of(
            "heapdump",
            "flightrecord",
            "startflightrecording",
            "jdwp",
            "jmxremote",
            "-javaagent",
            "-agentlib",
            "-agentpath",
            "-xrun",
            "-xx:flags",
            "vmoptionsfile",
            "log4j",
            "onerror",
            "onoutofmemory");

    /** A file of options. */
    private static final Pattern OPTIONS_FILE = Pattern.compile("(^|[\\s\"'])@");

    private static final String CRYPTO = "spark.network.crypto.enabled";
    private static final String SECRET = "spark.authenticate.secret";
    private static final String OPTIONS = "spark.executor.extraJavaOptions";

    /**
     * An executor without memory ends, and its task is tried elsewhere. What a query throws is forgotten together with its unit
     * ({@link dev.tacit.door.sum.PartSums}), which must not happen because of what else an executor holds.
     */
    private static final String EXIT = "-XX:+ExitOnOutOfMemoryError";

    private ClusterRules() {}

    private static Map<String, String> fixed() {
        Map<String, String> fixed = new LinkedHashMap<>();
        fixed.put("spark.authenticate", "true");
        fixed.put(CRYPTO, "true");
        fixed.put("spark.network.crypto.saslFallback", "false");
        fixed.put("spark.io.encryption.enabled", "true");
        fixed.put("spark.io.encryption.keySizeBits", "256");
        fixed.put("spark.ui.enabled", "false");
        fixed.put("spark.ui.showConsoleProgress", "false");
        fixed.put("spark.eventLog.enabled", "false");
        fixed.put("spark.driver.log.persistToDfs.enabled", "false");
        fixed.put("spark.executor.processTreeMetrics.enabled", "false");
        fixed.put("spark.metrics.conf", "/dev/null"); // else a file of the installation is read
        fixed.put("spark.metrics.staticSources.enabled", "false");
        fixed.put("spark.metrics.executorMetricsSource.enabled", "false");
        fixed.put("spark.metrics.appStatusSource.enabled", "false");
        fixed.put("spark.plugins", QuietExecutor.class.getName());
        fixed.put("spark.submit.deployMode", "client");
        fixed.put("spark.yarn.maxAppAttempts", "1");
        fixed.put("spark.sql.caseSensitive", "true");
        fixed.put("spark.sql.files.ignoreCorruptFiles", "false");
        fixed.put("spark.sql.files.ignoreMissingFiles", "false");
        fixed.put("spark.sql.parquet.datetimeRebaseModeInRead", "CORRECTED"); // else old dates stop a fit
        fixed.put("spark.sql.parquet.int96RebaseModeInRead", "CORRECTED");
        fixed.put("spark.files.ignoreCorruptFiles", "false");
        fixed.put("spark.files.ignoreMissingFiles", "false");
        fixed.put("spark.serializer", "org.apache.spark.serializer.JavaSerializer");
        fixed.put("spark.shuffle.checksum.enabled", "true");
        return fixed;
    }

    /**
     * The settings of an application.
     *
     * @param master of the cluster, or empty if an application was submitted and knows it
     * @param given settings that were asked for, or that came with the submission
     * @param secret shared by all processes of the cluster; empty if the cluster manager deals secrets out itself
     */
    public static SparkConf checked(String master, Map<String, String> given, String secret) {
        given.forEach(ClusterRules::require);
        SparkConf conf = new SparkConf(false).setAppName("tacit");
        given.forEach(conf::set);
        FIXED.forEach(conf::set);
        if (!master.isEmpty()) {
            conf.setMaster(master);
        }
        if (!conf.contains("spark.master")) {
            throw EngineException.refused(
                    "no master is known; start with spark-submit --master, or name the engine by its" + " address");
        }
        if (!secret.isEmpty()) {
            conf.set(SECRET, secret);
        } else if (needsSecret(conf.get("spark.master"))) {
            throw EngineException.refused(
                    "the cluster's secret is missing; put it into a file that only you may read and name"
                            + " that file in TACIT_SPARK_SECRET");
        }
        conf.setIfMissing("spark.ui.liveUpdate.period", "-1"); // facts about tasks for a page that is not there
        String options = conf.get(OPTIONS, "");
        if (!options.contains("-XX:+Use")) {
            // Blocks of records are larger than half a region of the standard collector, which would waste a third of
            // the memory.
            options += " -XX:+UseParallelGC";
        }
        conf.set(OPTIONS, (options + " " + EXIT).strip());
        return conf;
    }

    /**
     * Refuses an application whose settings are not the checked ones: system properties of this process, or an application that was
     * there before, bring in others.
     *
     * @param asked from {@link #checked}
     * @param found in an application, or what one would be started with
     */
    public static void requireKept(SparkConf asked, SparkConf found) {
        FIXED.forEach((name, value) -> requireSame(name, value, found.get(name, "")));
        String options = found.get(OPTIONS, "");
        String kept = asked.get(OPTIONS); // Spark puts options of its own in front
        requireSame(OPTIONS, kept, options.substring(Math.max(0, options.length() - kept.length())));
        require(OPTIONS, options.substring(0, options.length() - kept.length()));
        requireSame(SECRET, asked.get(SECRET, ""), asked.contains(SECRET) ? found.get(SECRET, "") : "");
        for (Tuple2<String, String> setting : found.getAll()) {
            String name = setting._1();
            boolean checked = FIXED.containsKey(name) || name.equals(SECRET) || name.equals(OPTIONS);
            if (!checked && !setting._2().equals(asked.get(name, null))) {
                require(name, setting._2());
            }
        }
    }

    private static void requireSame(String name, String asked, String found) {
        if (!asked.equals(found)) {
            throw EngineException.refused(name + " is not what Tacit set; look for another setting of it, such as a"
                    + " system property of this process, and leave it out");
        }
    }

    /** YARN and one process make secrets of their own. */
    private static boolean needsSecret(String master) {
        return !(master.equals("yarn") || master.matches("local(\\[[^\\]]*\\])?"));
    }

    private static void require(String name, String value) {
        String lower = name.toLowerCase(Locale.ROOT);
        for (String forbidden : FORBIDDEN) {
            if (lower.equals(forbidden.toLowerCase(Locale.ROOT))
                    || (forbidden.endsWith(".") && lower.startsWith(forbidden.toLowerCase(Locale.ROOT)))) {
                throw EngineException.refused(
                        name + " may not be set: it could show facts about records to others; leave it out");
            }
        }
        if (VARIABLES.stream().anyMatch(lower::endsWith)) {
            throw EngineException.refused(
                    name + " may not be set: options of Java that it holds are not seen; leave it out");
        }
        if (lower.equals(SECRET) || lower.startsWith("spark.redaction")) {
            throw EngineException.refused(
                    name + " may not be given here, where others can read it; put the secret into a file"
                            + " and name that file in TACIT_SPARK_SECRET");
        }
        String fixed = FIXED.get(name);
        if (fixed != null && !fixed.equals(value)) {
            throw EngineException.refused(
                    name + " must be " + fixed + " wherever records are; leave it out, and Tacit sets it");
        }
        if (lower.endsWith("javaoptions")) {
            String options = value.toLowerCase(Locale.ROOT);
            for (String dump : DUMPS) {
                if (options.contains(dump)) {
                    throw EngineException.refused(
                            name + " may not have an option that writes memory to files or lets others" + " in (" + dump
                                    + "); leave it out");
                }
            }
            if (OPTIONS_FILE.matcher(options).find()) {
                throw EngineException.refused(name + " may not name a file of options (@); write them out");
            }
        }
    }
}
