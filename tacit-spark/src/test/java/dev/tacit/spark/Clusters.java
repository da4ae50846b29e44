package dev.tacit.spark;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/** Clusters in this process and beside it. */
final class Clusters {
    static final byte[] SECRET =
            "0123456789abcdef0123456789abcdef".getBytes(java.nio.charset.StandardCharsets.US_ASCII);

    private Clusters() {}

    /** Threads of this process. */
    static SparkTableEngine threads(int parts) {
        return SparkEngineProvider.start(
                "local[2]",
                Map.of(
                        "spark.sql.warehouse.dir",
                        Path.of(System.getenv("SPARK_LOCAL_DIRS"), "warehouse").toString()),
                "",
                OptionalInt.of(parts),
                SECRET);
    }

    /** Two workers whose executors are processes of their own; logs are in {@code SPARK_HOME/work}, and what is spilled in {@code SPARK_LOCAL_DIRS}. */
    static SparkTableEngine processes(int parts, Map<String, String> settings) {
        Path home = Path.of(System.getenv("SPARK_HOME"));
        makeHome(home);
        Map<String, String> given = new TreeMap<>(settings);
        given.putIfAbsent("spark.executor.memory", "600m");
        given.put("spark.driver.host", "127.0.0.1");
        given.put("spark.driver.bindAddress", "127.0.0.1");
        return SparkEngineProvider.start(
                "local-cluster[2,1,700]", given, "a secret of this test only", OptionalInt.of(parts), SECRET);
    }

    /** A folder as a distribution of Spark has it, of links to the jars of this class path. */
    static void makeHome(Path home) {
        try {
            Path jars = Files.createDirectories(home.resolve("jars"));
            Files.writeString(home.resolve("RELEASE"), "");
            for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
                Path jar = Path.of(entry);
                if (Files.isRegularFile(jar)) {
                    link(jars.resolve(jar.getFileName()), jar);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void link(Path link, Path jar) throws IOException {
        try {
            Files.createSymbolicLink(link, jar);
        } catch (FileAlreadyExistsException e) {
            // from an earlier run
        }
    }

    /** Processes that this one started, directly or not, and that run executors. */
    static long[] executors() {
        return ProcessHandle.current()
                .descendants()
                .filter(process -> process.info().commandLine().orElse("").contains("CoarseGrainedExecutorBackend"))
                .mapToLong(ProcessHandle::pid)
                .toArray();
    }
}
