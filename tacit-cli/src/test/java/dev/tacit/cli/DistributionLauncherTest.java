package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The script that starts {@code tacit} where it was unpacked, with Java runtimes that only say how they were called. */
@EnabledOnOs({OS.LINUX, OS.MAC})
@Timeout(120)
class DistributionLauncherTest {
    @TempDir
    private Path folder;

    private Path home;
    private Path command;

    @BeforeEach
    void unpack() throws IOException {
        home = Files.createDirectories(folder.resolve("where it is")).toRealPath();
        command = home.resolve("bin/tacit");
        Files.createDirectories(command.getParent());
        Files.createDirectories(home.resolve("lib"));
        Files.writeString(home.resolve("lib/tacit.jar"), "");
        Files.copy(Path.of("..", "tacit-dist", "src", "bin", "tacit"), command, StandardCopyOption.COPY_ATTRIBUTES);
    }

    private Path runtime(String name, String version) throws IOException {
        Path java = folder.resolve(name).resolve("bin/java");
        Files.createDirectories(java.getParent());
        Files.writeString(java, "#!/bin/sh\necho \"" + name + " $LC_ALL\"\nfor a; do echo \"$a\"; done\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(folder.resolve(name).resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        return folder.resolve(name);
    }

    private List<String> start(Map<String, String> environment, Path script, String... args) throws Exception {
        List<String> words = new ArrayList<>(List.of(script.toString()));
        words.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().keySet().retainAll(List.of("PATH"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.lines().toList();
    }

    @Test
    void theRuntimeOfJavaHomeGetsTheArgumentsAsTheyAre() throws Exception {
        Path java = runtime("seventeen", "17.0.9");
        List<String> said = start(
                Map.of("JAVA_HOME", java.toString(), "TACIT_JAVA_OPTIONS", "-Xmx1g -Da=b"),
                command,
                "fit",
                "my table.csv",
                "");
        assertThat(said)
                .startsWith("seventeen C.UTF-8")
                .contains("-Xmx1g", "-Da=b")
                .doesNotContain("-XX:TieredStopAtLevel=1")
                .endsWith("-jar", home.resolve("lib/tacit.jar").toString(), "fit", "my table.csv", "");
    }

    @Test
    void quickVerbsStartQuickly() throws Exception {
        Map<String, String> environment =
                Map.of("JAVA_HOME", runtime("new", "25").toString(), "LANG", "de_DE.UTF-8");
        assertThat(start(environment, command, "ledger", "show", "x"))
                .startsWith("new ")
                .contains("-XX:TieredStopAtLevel=1");
        assertThat(start(environment, command, "account", "--batch", "x")).doesNotContain("-XX:TieredStopAtLevel=1");
    }

    /** A link from a folder of the PATH, and a link to that link. */
    @Test
    void linksLeadToIt() throws Exception {
        Path bin = Files.createDirectories(folder.resolve("bin"));
        Files.createSymbolicLink(bin.resolve("tacit"), bin.relativize(folder.resolve("where it is/bin/tacit")));
        Files.createSymbolicLink(folder.resolve("again"), Path.of("bin", "tacit"));
        Map<String, String> environment =
                Map.of("JAVA_HOME", runtime("seventeen", "17").toString());
        assertThat(start(environment, folder.resolve("again"), "demo"))
                .endsWith("-jar", home.resolve("lib/tacit.jar").toString(), "demo");
    }

    @Test
    void anOlderRuntimeIsPassedOver() throws Exception {
        Path old = runtime("eleven", "11.0.2");
        Path good = runtime("good", "21.0.1");
        Map<String, String> environment =
                Map.of("JAVA_HOME", old.toString(), "PATH", good.resolve("bin") + ":" + System.getenv("PATH"));
        assertThat(start(environment, command, "demo")).startsWith("good C.UTF-8");
    }
}
