package dev.tacit.spark.cluster;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.SparkConf;

/**
 * What executors need of Tacit: its own jars and the mathematics below them. Spark sends them; readers of schemas, databases and
 * terminals stay at home.
 */
public final class ShippedJars {
    private static final List<String> NAMES = List.of(
            "tacit-", // all of it: a query may be written anywhere
            "commons-numbers",
            "commons-rng",
            "ejml",
            "blas",
            "lapack");

    private ShippedJars() {}

    /** Adds them to the settings. Classes in folders, as in a build, are found where they are. */
    public static SparkConf added(SparkConf conf) {
        Map<String, String> jars = new LinkedHashMap<>();
        for (String given : conf.get("spark.jars", "").split(",", -1)) {
            if (!given.isEmpty()) {
                jars.put(given, given);
            }
        }
        List<String> folders = new ArrayList<>();
        for (String entry : classPath()) {
            Path place = Path.of(entry);
            if (Files.isDirectory(place)) {
                folders.add(entry);
            } else if (NAMES.stream().anyMatch(place.getFileName().toString()::startsWith)) {
                jars.putIfAbsent(place.getFileName().toString(), place.toUri().toString());
            }
        }
        if (!jars.isEmpty()) {
            conf.set("spark.jars", String.join(",", jars.values()));
        }
        if (!folders.isEmpty()) {
            conf.set("spark.executor.extraClassPath", String.join(File.pathSeparator, folders));
        }
        return conf;
    }

    /** The class path of this process, with what its jars name in turn. */
    private static Set<String> classPath() {
        Set<String> entries = new LinkedHashSet<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            entries.add(entry);
            Path lib = Path.of(entry).resolveSibling("lib");
            if (entry.endsWith(".jar") && Files.isDirectory(lib)) {
                File[] inside = lib.toFile().listFiles((folder, name) -> name.endsWith(".jar"));
                for (File jar : inside == null ? new File[0] : inside) {
                    entries.add(jar.getPath());
                }
            }
        }
        return entries;
    }
}
