package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The script that starts {@code tacit} from a checkout, with a Maven and a JDK that only say that they were called. */
@EnabledOnOs({OS.LINUX, OS.MAC})
@Timeout(120)
class LauncherTest {
    @TempDir
    private Path folder;

    private Path checkout;
    private Path source;
    private Path builds;

    @BeforeEach
    void write() throws IOException {
        checkout = folder.resolve("check out");
        source = checkout.resolve("tacit-cli/src/main/java/Some.java");
        builds = folder.resolve("builds");
        Files.createDirectories(source.getParent());
        Files.createDirectories(checkout.resolve(".mvn"));
        Files.writeString(source, "class Some {}");
        Files.writeString(checkout.resolve("pom.xml"), "<project/>");
        Files.writeString(checkout.resolve("tacit-cli/pom.xml"), "<project/>");
        Files.copy(Path.of("..", "tacit"), checkout.resolve("tacit"), StandardCopyOption.COPY_ATTRIBUTES);
        Path jar = checkout.resolve("tacit-cli/target/launcher/tacit-cli.jar");
        script("bin/mvn", "echo \"$*\" >>'" + builds + "'; mkdir -p '" + jar.getParent() + "'; : >'" + jar + "'");
        script(
                "jdk/bin/java",
                "for a; do case $a in -XX:SharedArchiveFile=*.next) : >\"${a#*=}\";; -jar) echo \"locale $LC_ALL\";; *.jar:*) echo \"with $a\";; esac; done");
        script("jdk/bin/javac", "exit 0");
        Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"17.0.1\"\n");
    }

    private void script(String name, String commands) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/usr/bin/env bash\n" + commands + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Starts the command; returns what the last Java said of its locale. */
    private String start(String locale) throws Exception {
        return start(locale, "--version");
    }

    private String start(String locale, String... arguments) throws Exception {
        Path output = folder.resolve("output");
        List<String> command = new ArrayList<>(List.of(checkout.resolve("tacit").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
        builder.environment().merge("PATH", folder.resolve("bin").toString(), (path, first) -> first + ":" + path);
        for (String name : List.of("LC_ALL", "LC_CTYPE", "LANG")) {
            builder.environment().remove(name);
        }
        if (!locale.isEmpty()) {
            builder.environment().put("LC_ALL", locale);
        }
        Process process = builder.redirectOutput(output.toFile())
                .redirectError(folder.resolve("errors").toFile())
                .start();
        assertThat(process.waitFor())
                .as(Files.readString(folder.resolve("errors")))
                .isZero();
        return Files.readString(output).strip();
    }

    private int builds() throws IOException {
        return Files.readAllLines(builds).size();
    }

    @Test
    void itIsBuiltOnceAndAgainWhenASourceChanges() throws Exception {
        start("C.UTF-8");
        start("C.UTF-8");
        assertThat(builds()).isEqualTo(1);
        Files.writeString(source, "class Some { int more; }");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusMillis(1500)));
        start("C.UTF-8");
        assertThat(builds()).isEqualTo(2);
    }

    /** Modules with libraries of their own are built when a verb first needs them, and other verbs do not see them. */
    @Test
    void aModuleIsBuiltWhenAVerbFirstAsksForIt() throws Exception {
        start("C.UTF-8", "demo");
        assertThat(Files.readString(builds)).contains("-pl tacit-cli -am").doesNotContain("tacit-federated");
        for (String verb : List.of("keys", "study", "party", "coordinator", "parties", "federate")) {
            assertThat(start("C.UTF-8", verb, "show"))
                    .contains("/tacit-cli.jar:")
                    .contains("/tacit-federated/target/launcher/tacit-federated.jar:")
                    .contains("/tacit-federated/target/launcher/lib/*");
        }
        assertThat(builds()).isEqualTo(2);
        assertThat(Files.readAllLines(builds).get(1)).contains("-pl tacit-federated -am");
        for (String address : List.of("spark://head:7077", "yarn")) {
            assertThat(start("C.UTF-8", "fit", "--engine", address))
                    .contains("/tacit-spark/target/launcher/tacit-spark.jar:");
        }
        assertThat(start("C.UTF-8", "fit", "--engine=yarn")).contains("/tacit-spark.jar:");
        assertThat(builds()).isEqualTo(3);
        assertThat(Files.readAllLines(builds).get(2)).contains("-pl tacit-spark -am");
        assertThat(start("C.UTF-8", "demo")).isEqualTo("locale C.UTF-8");
        assertThat(start("C.UTF-8", "fit", "--engine", "local")).isEqualTo("locale C.UTF-8");
        assertThat(builds()).isEqualTo(3);
    }

    /** A clock that was set back, or a checkout that was copied from a machine whose clock is ahead. */
    @Test
    void aSourceFromTomorrowIsBuiltOnce() throws Exception {
        FileTime tomorrow = FileTime.from(Instant.now().plus(1, ChronoUnit.DAYS));
        Files.setLastModifiedTime(source, tomorrow);
        for (int i = 0; i < 3; i++) {
            start("C.UTF-8");
        }
        assertThat(builds()).isEqualTo(1);
        Files.writeString(source, "class Some { int more; }");
        Files.setLastModifiedTime(source, tomorrow);
        start("C.UTF-8");
        start("C.UTF-8");
        assertThat(builds()).isEqualTo(2);
        Path added = Files.writeString(source.resolveSibling("Other.java"), "class Other {}");
        Files.setLastModifiedTime(added, tomorrow);
        start("C.UTF-8");
        start("C.UTF-8");
        assertThat(builds()).isEqualTo(3);
    }

    /** A fit on one machine downloads nothing of an engine. */
    @Test
    void anEngineIsAddedWhenItIsAskedForAndNotBefore() throws Exception {
        start("C.UTF-8", "demo");
        start("C.UTF-8", "fit", "x.csv", "--label", "engine");
        start("C.UTF-8", "fit", "x.csv", "--engine", "local");
        start("C.UTF-8", "engine", "cost", "--rows", "1e9");
        assertThat(Files.readAllLines(builds)).singleElement().asString().doesNotContain("tacit-spark");
        start("C.UTF-8", "fit", "x.csv", "--engine", "spark://head:7077");
        start("C.UTF-8", "fit", "x.csv", "--engine=yarn");
        start("C.UTF-8", "engine", "try");
        assertThat(Files.readAllLines(builds)).hasSize(2).last().asString().contains("tacit-spark");
    }

    /** As under cron and in containers, where Java could not name a file that is not ASCII. */
    @Test
    void withoutALocaleFileNamesAreUtf8() throws Exception {
        for (String none : List.of("", "C", "POSIX")) {
            assertThat(start(none)).isEqualTo("locale C.UTF-8");
        }
        assertThat(start("de_DE.UTF-8")).isEqualTo("locale de_DE.UTF-8");
    }
}
