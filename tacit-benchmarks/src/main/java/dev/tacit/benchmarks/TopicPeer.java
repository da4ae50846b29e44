package dev.tacit.benchmarks;

import dev.tacit.json.Json;
import dev.tacit.json.JsonFields;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Another library that learns topics, in a process of its own.
 *
 * <p>It finds the documents in a folder and gets the folder, the numbers of documents, words, entries, topics and passes and
 * the size of a batch as arguments. It writes topics there and prints {@code version}, {@code seconds} of CPU time up to
 * each of the topics, and {@code megabytes}.
 */
interface TopicPeer {
    String name();

    /** Its answer, or empty if it is not installed. */
    Optional<JsonFields> run(Path folder, List<Object> arguments) throws IOException;

    /** scikit-learn, online, by the first interpreter that has it. */
    record Scikit() implements TopicPeer {
        private static final List<String> PYTHONS = List.of("python3", "/usr/bin/python3");

        @Override
        public String name() {
            return "scikit-learn, online";
        }

        @Override
        public Optional<JsonFields> run(Path folder, List<Object> arguments) {

            for (String python : PYTHONS) {
                try {
                    return Optional.of(BesideNumpy.pythonAt(python, "topics.py", arguments.toArray()));
                } catch (IOException e) {
                    // the next one may have it
                }
            }
            return Optional.empty();
        }
    }

    /**
     * Spark MLlib, online, on one local thread, with the options that Spark's own start script gives to the JVM.
     *
     * @param classes the class path of {@code tacit-benchmarks/spark}, if it was built
     */
    record Spark(Optional<String> classes) implements TopicPeer {
        private static final List<String> OPENED = List.of(
                "java.lang",
                "java.lang.invoke",
                "java.lang.reflect",
                "java.io",
                "java.net",
                "java.nio",
                "java.util",
                "java.util.concurrent",
                "java.util.concurrent.atomic",
                "sun.nio.ch",
                "sun.nio.cs",
                "sun.security.action",
                "sun.util.calendar");

        @Override
        public String name() {
            return "Spark MLlib, online";
        }

        @Override
        public Optional<JsonFields> run(Path folder, List<Object> arguments) throws IOException {
            if (classes.isEmpty()) {
                return Optional.empty();
            }
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx1g",
                    "-XX:+UseSerialGC",
                    "--add-modules=jdk.incubator.vector",
                    "-Djdk.reflect.useDirectMethodHandle=false",
                    "-Dio.netty.tryReflectionSetAccessible=true",
                    "-Djava.io.tmpdir=" + folder));
            OPENED.forEach(name -> command.add("--add-opens=java.base/" + name + "=ALL-UNNAMED"));
            command.addAll(List.of("-cp", classes.get(), "dev.tacit.benchmarks.spark.SparkTopics"));
            arguments.forEach(argument -> command.add(argument.toString()));
            Path log = folder.resolve("log");
            Process process =
                    new ProcessBuilder(command).redirectError(log.toFile()).start();
            String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (answer.isBlank()) {
                List<String> lines = Files.readAllLines(log);
                throw new IOException("Spark ended without an answer: " + (lines.isEmpty() ? "" : lines.get(0)));
            }
            return Optional.of(JsonFields.of(Json.read(answer), ""));
        }
    }
}
