package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccountCommandTest {
    private static final String POISSON =
            "account --noise-multiplier 1.0 --steps 1000 --sampling poisson:0.01 --delta 1e-5";

    @TempDir
    private Path folder;

    @Test
    void jsonHasTheContractedKeysInOrder() {
        Map<String, Object> answer =
                CliRun.typed(POISSON + " --json").succeeded().json();
        assertThat(answer.keySet()).startsWith("results").doesNotContain("id");
        assertThat(CliRun.results(answer))
                .extracting(result -> result.get("accountant"))
                .containsExactly("exact", "renyi", "zcdp", "advanced", "basic", "gaussian-clt");
        assertThat(CliRun.result(answer, "exact").keySet()).startsWith("accountant", "lower", "upper", "source");
        assertThat(CliRun.result(answer, "renyi").keySet()).startsWith("accountant", "upper");
        assertThat(CliRun.result(answer, "gaussian-clt").keySet())
                .startsWith("accountant", "estimate")
                .doesNotContain("upper");
        for (Map<String, Object> result : CliRun.results(answer)) {
            Set<String> kinds = Set.of("upper", "estimate", "unsupported");
            assertThat(result.keySet().stream().filter(kinds::contains))
                    .as("%s", result)
                    .hasSize(1);
        }
    }

    /**
     * One Gaussian release of noise 1 at delta 1e-5, from the closed form of Balle and Wang 2018:
     * 4.377178095681224627...
     */
    @Test
    void oneGaussianReleaseIsTheClosedForm() {
        Map<String, Object> exact = exact("account --noise-multiplier 1 --steps 1 --delta 1e-5");
        assertThat((double) exact.get("lower")).isLessThanOrEqualTo(4.3771780956812245);
        assertThat((double) exact.get("upper")).isBetween(4.3771780956812245, 4.377178096);
    }

    /**
     * Google's dp_accounting: noise 1.4147, 1000 steps of rate 0.01, delta 1e-5 is epsilon 1.000 (research/users.md).
     */
    @Test
    void poissonSampledTrainingIsWhatPeersSay() {
        Map<String, Object> exact =
                exact("account --noise-multiplier 1.4147 --steps 1000 --sampling poisson:0.01 --delta 1e-5");
        assertThat((double) exact.get("upper")).isBetween(0.999, 1.001);
    }

    @Test
    void everyBoundIsAtLeastTheExactLowerEnd() {
        Map<String, Object> answer =
                CliRun.typed(POISSON + " --json").succeeded().json();
        double lower = (double) CliRun.result(answer, "exact").get("lower");
        for (Map<String, Object> result : CliRun.results(answer)) {
            if (result.get("upper") instanceof Double upper) {
                assertThat(upper).as("%s", result).isGreaterThanOrEqualTo(lower);
            }
        }
    }

    @Test
    void askingForDeltaInvertsAskingForEpsilon() {
        double epsilon = (double) exact(POISSON).get("upper");
        Map<String, Object> exact = exact(POISSON.replace("--delta 1e-5", "--epsilon " + epsilon));
        assertThat((double) exact.get("lower")).isLessThanOrEqualTo(1.000001e-5);
        assertThat((double) exact.get("upper")).isBetween(0.999999e-5, 1.0001e-5);
    }

    @Test
    void theTableNeverPrintsLessThanTheJsonBound() {
        Map<String, Object> json = CliRun.typed(POISSON + " --json").succeeded().json();
        String table = CliRun.typed(POISSON).succeeded().output();
        for (Map<String, Object> result : CliRun.results(json)) {
            if (result.get("upper") instanceof Double upper) {
                String printed = firstNumber(row(table, (String) result.get("accountant")));
                assertThat(new BigDecimal(printed)).isGreaterThanOrEqualTo(new BigDecimal(upper));
                assertThat(Double.parseDouble(printed)).isLessThanOrEqualTo(upper * (1 + 1e-4));
            }
        }
    }

    @Test
    void theTableSaysWhatEachNumberIs() {
        String output = CliRun.typed(POISSON).succeeded().output();
        assertThat(row(output, "exact")).contains("upper bound").matches("\\s+exact\\s+[0-9.]+\\s+[0-9.]+\\s.*");
        assertThat(row(output, "accountant"))
                .contains("epsilon")
                .contains("at least")
                .contains("what it is")
                .contains("source");
        assertThat(row(output, "renyi")).contains("upper bound");
        assertThat(row(output, "gaussian-clt")).contains("estimate, not a guarantee");
        assertThat(oneLine(output))
                .contains("add-remove neighbours")
                .contains("This holds only if every step draws a fresh, secret Poisson sample")
                .contains("If you shuffle instead: epsilon <= ")
                .contains("10 passes");
    }

    /**
     * Ten shuffled passes of noise 1.4147 without amplification are epsilon 11.48 at delta 1e-5 (research/users.md).
     */
    @Test
    void shufflingInsteadOfSamplingIsPricedWithoutAmplification() {
        String output = CliRun.typed(
                        "account --noise-multiplier 1.4147 --steps 1000 --sampling poisson:0.01 --delta 1e-5")
                .succeeded()
                .output();
        String after = oneLine(output).split("If you shuffle instead: epsilon <= ", -1)[1];
        assertThat(Double.parseDouble(after.substring(0, after.indexOf(' ')))).isBetween(11.47, 11.50);
    }

    @Test
    void fixedSizeSamplingIsReplaceOneWithTwoBounds() {
        CliRun run = CliRun.typed("account --noise-multiplier 2 --steps 1000 --sampling fixed:10/1000 --delta 1e-5")
                .succeeded();
        assertThat(oneLine(run.output())).contains("replace-one neighbours").contains("two bounds, not one");
        Map<String, Object> json = CliRun.typed(
                        "account --noise-multiplier 2 --steps 1000 --sampling fixed:10/1000 --delta 1e-5 --json")
                .succeeded()
                .json();
        assertThat(json).containsEntry("neighbours", "replace-one");
    }

    @Test
    void anEventFileSaysTheSameAsTheOptions() throws Exception {
        String event = "{\"type\":\"repeated\",\"times\":1000,\"event\":"
                + "{\"type\":\"poisson\",\"rate\":0.01,\"event\":{\"type\":\"gaussian\",\"noiseMultiplier\":1.0}}}";
        Path file = Files.writeString(folder.resolve("events.json"), event);
        Map<String, Object> byOptions =
                CliRun.typed(POISSON + " --json").succeeded().json();
        Map<String, Object> byFile = CliRun.of("account", "--events", file.toString(), "--delta", "1e-5", "--json")
                .succeeded()
                .json();
        Map<String, Object> byInput = CliRun.withInput(event, "account", "--events", "-", "--delta", "1e-5", "--json")
                .succeeded()
                .json();
        assertThat(byFile).isEqualTo(byOptions);
        assertThat(byInput).isEqualTo(byOptions);
    }

    /** Every leaf and wrapper of the contract is read, and some accountant or a reason answers. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'type':'gaussian','noiseMultiplier':2}",
                "{'type':'laplace','scaleMultiplier':2}",
                "{'type':'discrete-gaussian','noiseMultiplier':2}",
                "{'type':'pure','epsilon':0.5}",
                "{'type':'zcdp','rho':0.1}",
                "{'type':'poisson','rate':0.1,'event':{'type':'laplace','scaleMultiplier':2}}",
                "{'type':'fixed','batch':10,'population':1000,'event':{'type':'gaussian','noiseMultiplier':2}}",
                "{'type':'repeated','times':5,'event':{'type':'pure','epsilon':0.1}}",
                "{'type':'sequence','events':[{'type':'pure','epsilon':1},{'type':'laplace','scaleMultiplier':9}]}",
                "{'type':'sequence','events':[]}"
            })
    void everyEventOfTheContractIsAnswered(String event) {
        CliRun run = CliRun.withInput(event.replace('\'', '"'), "account", "--events", "-", "--delta", "1e-5", "--json")
                .succeeded();
        assertThat(CliRun.results(run.json())).hasSize(6);
        CliRun.withInput(event.replace('\'', '"'), "account", "--events", "-", "--delta", "1e-5")
                .succeeded();
    }

    @Test
    void whatIsNotPrivateIsUnbounded() {
        String event = "{\"type\":\"not-private\",\"reason\":\"a histogram without noise\"}";
        CliRun run = CliRun.withInput(event, "account", "--events", "-", "--delta", "1e-5", "--json")
                .succeeded();
        assertThat(CliRun.result(run.json(), "exact"))
                .containsEntry("lower", "unbounded")
                .containsEntry("upper", "unbounded");
        CliRun table = CliRun.withInput(event, "account", "--events", "-", "--delta", "1e-5")
                .succeeded();
        assertThat(table.output()).contains("unbounded").contains("nothing may be promised");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--version",
                "--help",
                "account --help",
                "calibrate --help",
                "ledger --help",
                "ledger show --help",
                "ledger list --help",
                "demo --help"
            })
    void helpIsPrintedOnRequest(String commandLine) {
        assertThat(CliRun.typed(commandLine).succeeded().output()).contains("tacit");
    }

    private static Map<String, Object> exact(String commandLine) {
        return CliRun.result(CliRun.typed(commandLine + " --json").succeeded().json(), "exact");
    }

    private static String row(String table, String accountant) {
        List<String> rows = table.lines()
                .filter(line -> line.startsWith("  " + accountant + " "))
                .toList();
        assertThat(rows).as(table).hasSize(1);
        return rows.get(0);
    }

    private static String firstNumber(String row) {
        return row.strip().split("\\s+", -1)[1];
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\s+", " ");
    }
}
