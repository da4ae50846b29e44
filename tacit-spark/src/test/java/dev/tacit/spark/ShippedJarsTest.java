package dev.tacit.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.spark.cluster.ShippedJars;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes.Name;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShippedJarsTest {
    @TempDir
    Path folder;

    @Test
    void whatSubmittedJarsNameIsSentToo() throws IOException {
        Files.createDirectory(folder.resolve("lib"));
        jar("lib/tacit-door-1.jar", "");
        jar("lib/picocli-4.jar", "");
        Path program = jar("tacit.jar", "lib/tacit-door-1.jar lib/picocli-4.jar");
        SparkConf conf = new SparkConf(false).set("spark.jars", "file://" + program + ",hdfs://head/other.jar");
        assertThat(ShippedJars.added(conf).get("spark.jars").split(",", -1))
                .contains(
                        "file://" + program,
                        "hdfs://head/other.jar",
                        folder.resolve("lib/tacit-door-1.jar").toUri().toString())
                .noneMatch(sent -> sent.contains("picocli-4"));
    }

    @Test
    void jarsThatAreGivenTwiceAreSentOnce() throws IOException {
        Path door = jar("tacit-door-1.jar", "");
        Path program = jar("tacit.jar", "tacit-door-1.jar");
        SparkConf conf = new SparkConf(false).set("spark.jars", program + "," + door);
        assertThat(ShippedJars.added(conf).get("spark.jars").split(",", -1))
                .filteredOn(sent -> sent.contains("tacit-door-1"))
                .containsExactly(door.toString());
    }

    private Path jar(String name, String classPath) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Name.CLASS_PATH, classPath);
        Path place = folder.resolve(name);
        new JarOutputStream(Files.newOutputStream(place), manifest).close();
        return place;
    }
}
