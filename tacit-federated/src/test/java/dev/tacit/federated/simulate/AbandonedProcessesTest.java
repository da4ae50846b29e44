package dev.tacit.federated.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tacit.federated.study.StudyFixture;
import dev.tacit.fit.federation.FederationRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever plays a study on this machine is killed without a chance to clean up: no role is left behind and waits for ever. */
class AbandonedProcessesTest {
    private static final int PARTIES = 3;
    private static final int MOST_LOOKS = 1_200;

    @TempDir
    Path folder;

    @Test
    void rolesEndWithWhoeverStartedThem() throws Exception {
        assumeTrue(Files.isDirectory(Path.of("/proc/self")), "processes are told apart as Linux does");
        Process rehearsal = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        AbandonedProcessesTest.class.getName(),
                        folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said.txt").toFile())
                .start();
        List<ProcessHandle> roles = List.of();
        try {
            for (int look = 0; roles.size() <= PARTIES; look++) {
                assertThat(look).as("looks for its processes").isLessThan(MOST_LOOKS);
                assertThat(rehearsal.isAlive())
                        .as(Files.readString(folder.resolve("said.txt")))
                        .isTrue();
                Thread.sleep(50);
                roles = rehearsal.descendants().toList();
            }
            rehearsal.destroyForcibly().waitFor();
            for (int look = 0; roles.stream().anyMatch(AbandonedProcessesTest::runs); look++) {
                assertThat(look).as("looks for their end").isLessThan(MOST_LOOKS);
                Thread.sleep(50);
            }
        } finally {
            rehearsal.destroyForcibly();
            roles.forEach(ProcessHandle::destroyForcibly);
        }
    }

    /** Nobody may ask how a process without a parent has ended, and then it stays as a zombie. */
    private static boolean runs(ProcessHandle role) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(role.pid()), "stat"));
            return role.isAlive() && !stat.substring(stat.lastIndexOf(')') + 1).startsWith(" Z");
        } catch (IOException ended) {
            return false;
        }
    }

    /** Plays a study that is not over soon; its line with a delay ends with this process. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        Path schema = Files.writeString(folder.resolve("schema.yaml"), StudyFixture.SCHEMA);
        Path data = Files.writeString(folder.resolve("table.csv"), "age,income,late\n" + "40,50,yes\n".repeat(600));
        new FederatedModule()
                .perform(
                        new FederationRequest.Simulate(
                                data.toString(),
                                schema,
                                new FederationRequest.FittedWish(
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.empty(),
                                        Map.of("rounds", "200")),
                                1,
                                1e-5,
                                PARTIES,
                                new FederationRequest.Sharing(OptionalInt.of(1), OptionalInt.of(0)),
                                folder.resolve("out"),
                                0,
                                500,
                                OptionalInt.empty()),
                        sentence -> {});
    }
}
