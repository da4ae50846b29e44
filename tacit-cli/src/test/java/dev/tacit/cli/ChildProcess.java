package dev.tacit.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command in a JVM of its own. */
final class ChildProcess {
    private ChildProcess() {}

    /** A process that is not started yet; its standard error goes to a file. */
    static ProcessBuilder tacit(Path errors, List<String> args) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), "dev.tacit.cli.Tacit"));
        command.addAll(args);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
        builder.environment().remove("TACIT_DEBUG");
        builder.environment().put("LC_ALL", "C");
        return builder;
    }

    static int exitCode(Process process) throws InterruptedException {
        return process.waitFor();
    }
}
