package dev.tacit.federated.simulate;

import dev.tacit.federated.study.StudyException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One role as a process of its own, started again as often as it is killed. */
final class NodeProcess {
    private final String name;
    private final Path log;
    private final List<String> arguments;
    private Process process;
    private boolean ended;

    /**
     * @param name of the role
     * @param log where its sentences go
     * @param arguments of {@link StudyNode}
     */
    NodeProcess(String name, Path log, List<String> arguments) {
        this.name = name;
        this.log = log;
        this.arguments = List.copyOf(arguments);
    }

    String name() {
        return name;
    }

    /** Ends it if it runs, and for good. */
    synchronized void end() {
        ended = true;
        if (isRunning()) {
            process.destroyForcibly();
        }
    }

    /** Starts it with the Java and the classes of this process. */
    synchronized void start() {
        if (ended) {
            return;
        }
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-Xlog:disable",
                "-cp",
                System.getProperty("java.class.path"),
                StudyNode.class.getName()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.PIPE) // which ends with this process, however that ends
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new StudyException("cannot start a process for " + name, e);
        }
    }

    boolean isRunning() {
        return process != null && process.isAlive();
    }

    /** What it returned; only of one that ran and runs no more. */
    int exitCode() {
        return process.exitValue();
    }

    /** Ends it at whichever instruction it is. */
    void kill() {
        process.destroyForcibly();
        join(10_000);
    }

    /** Waits for its end. */
    boolean join(long millis) {
        try {
            return process.waitFor(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
