package dev.tacit.spark;

import dev.tacit.data.prepare.EngineException;
import dev.tacit.data.prepare.TableEngine;
import dev.tacit.data.prepare.TableEngineProvider;
import dev.tacit.spark.cluster.ClusterRules;
import dev.tacit.spark.cluster.QuietExecutor;
import dev.tacit.spark.cluster.ShippedJars;
import dev.tacit.spark.cluster.TrialCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/**
 * Starts engines on Spark clusters.
 *
 * <pre>
 *   spark://head:7077, k8s://..., yarn      a cluster, whose secret is in the file that TACIT_SPARK_SECRET names
 *   submitted                               the application that spark-submit started this process for
 *   local[4]                                threads of this process
 * </pre>
 */
public final class SparkEngineProvider implements TableEngineProvider {
    /** Names the file that holds the cluster's secret. */
    static final String SECRET_FILE = "TACIT_SPARK_SECRET";

    private static final String SUBMITTED = "submitted";
    private static final String PARTS = "parts";

    private static final int LARGEST_PARTS = 1 << 20;

    @Override
    public boolean knows(String address) {
        return address.equals(SUBMITTED)
                || address.equals("yarn")
                || address.matches("(spark|k8s)://.+")
                || address.matches("local(-cluster)?\\[[0-9*,]+\\]");
    }

    @Override
    public TableEngine start(String address, Map<String, String> settings, byte[] secret) {
        Map<String, String> given = new TreeMap<>();
        if (address.equals(SUBMITTED)) {
            System.getProperties().stringPropertyNames().stream()
                    .filter(name -> name.startsWith("spark."))
                    .forEach(name -> given.put(name, System.getProperty(name)));
        }
        OptionalInt parts = OptionalInt.empty();
        String file = System.getenv(SECRET_FILE);
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            if (setting.getKey().equals(PARTS)) {
                parts = OptionalInt.of(parts(setting.getValue()));
            } else if (setting.getKey().equals(TrialCluster.SECRET_SETTING)) {
                file = setting.getValue();
            } else if (setting.getKey().startsWith("spark.")) {
                given.put(setting.getKey(), setting.getValue());
            } else {
                throw EngineException.refused(
                        setting.getKey() + " is no setting of Spark, whose names begin with spark.; the"
                                + " only others are " + PARTS + " and " + TrialCluster.SECRET_SETTING);
            }
        }
        return start(address, given, file == null ? "" : secretIn(Path.of(file)), parts, secret);
    }

    static SparkTableEngine start(
            String address, Map<String, String> given, String clusterSecret, OptionalInt parts, byte[] secret) {
        QuietExecutor.silence(); // before the first class of Spark speaks
        String master = address.equals(SUBMITTED) ? "" : address;
        return new SparkTableEngine(
                ShippedJars.added(ClusterRules.checked(master, given, clusterSecret)), parts, secret);
    }

    @Override
    public Trial trial(Path folder, String secret) {
        return TrialCluster.start(folder, secret);
    }

    private static int parts(String text) {
        try {
            int count = Integer.parseInt(text);
            if (count >= 1 && count <= LARGEST_PARTS) {
                return count;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw EngineException.refused(PARTS + " is a whole number from 1 to " + LARGEST_PARTS);
    }

    /** The secret of a cluster, which nobody but its owner may read. */
    static String secretIn(Path file) {
        try {
            Set<PosixFilePermission> rights = Files.getPosixFilePermissions(file);
            for (PosixFilePermission others : PosixFilePermission.values()) {
                boolean owner = others.name().startsWith("OWNER");
                if (!owner && rights.contains(others)) {
                    throw EngineException.refused(file
                            + " can be read or written by others; take their rights away (chmod 600) and, if they had"
                            + " them for long, give the cluster a new secret");
                }
            }
            String secret = Files.readString(file, StandardCharsets.UTF_8).strip();
            if (secret.length() < 16) {
                throw EngineException.refused(file + " holds a secret of fewer than 16 characters; make a longer one");
            }
            return secret;
        } catch (UnsupportedOperationException e) {
            throw EngineException.refused(
                    "this file system has no rights of owners, so no secret can be kept in " + file);
        } catch (IOException e) {
            throw EngineException.refused(file + ", which " + SECRET_FILE + " names, cannot be read");
        }
    }
}
