package dev.tacit.spark.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.Attributes.Name;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
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
        List<Path> places = new ArrayList<>();
        for (String given : conf.get("spark.jars", "").split(",", -1)) {
            if (!given.isEmpty()) {
                jars.putIfAbsent(given.substring(given.lastIndexOf('/') + 1), given);
                places.add(Path.of(given.replaceFirst("^file:/*", "/"))); // spark-submit puts them on no class path
            }
        }
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            places.add(Path.of(entry));
        }
        List<String> folders = new ArrayList<>();
        for (Path place : withNamed(places)) {
            String name = String.valueOf(place.getFileName());
            if (Files.isDirectory(place.resolve("dev/tacit"))) {
                folders.add(place.toString());
            } else if (NAMES.stream().anyMatch(name::startsWith)) {
                jars.putIfAbsent(name, place.toUri().toString());
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

    /** Places of classes, with those that their jars name in turn. */
    private static Set<Path> withNamed(List<Path> places) {
        Set<Path> all = new LinkedHashSet<>();
        for (Path place : places) {
            all.add(place);
            if (!Files.isRegularFile(place)) {
                continue;
            }
            try (JarFile jar = new JarFile(place.toFile())) {
                Manifest manifest = jar.getManifest();
                String named =
                        manifest == null ? null : manifest.getMainAttributes().getValue(Name.CLASS_PATH);
                for (String name : named == null ? new String[0] : named.strip().split(" +", -1)) {
                    all.add(Path.of(place.toUri().resolve(name)));
                }
            } catch (IOException | IllegalArgumentException | FileSystemNotFoundException e) {
                // no jar, or it names what is no file: nothing of ours
            }
        }
        return all;
    }
}
