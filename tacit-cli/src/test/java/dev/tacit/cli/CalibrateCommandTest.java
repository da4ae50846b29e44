package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.shell.ExitCode;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CalibrateCommandTest {
    @Test
    void jsonHasTheContractedKeysInOrder() {
        Map<String, Object> answer = CliRun.typed(
                        "calibrate --epsilon 1 --delta 1e-5 --steps 1000 --sampling poisson:0.01 --json")
                .succeeded()
                .json();
        assertThat(answer.keySet()).startsWith("noiseMultiplier", "epsilon", "delta", "accountant");
        assertThat(answer).containsEntry("accountant", "exact").containsEntry("delta", 1e-5);
        assertThat((double) answer.get("noiseMultiplier")).isBetween(1.414, 1.416);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1e-5, 1000, poisson:0.01, add-remove, exact",
        "1, 1e-5, 1000, poisson:0.01, add-remove, renyi",
        "0.1, 1e-9, 1, none, add-remove, exact",
        "8, 1e-5, 100, poisson:0.1, replace-one, exact",
        "2, 1e-6, 1000, fixed:10/1000, replace-one, exact",
        "3, 1e-6, 7, none, replace-one, renyi"
    })
    void theNoiseKeepsTheBudgetAndUsesIt(
            double epsilon, double delta, long steps, String sampling, String neighbours, String accountant) {
        String plan =
                " --delta " + delta + " --steps " + steps + " --sampling " + sampling + " --neighbours " + neighbours;
        Map<String, Object> answer = CliRun.typed(
                        "calibrate --epsilon " + epsilon + plan + " --accountant " + accountant + " --json")
                .succeeded()
                .json();
        double achieved = (double) answer.get("epsilon");
        assertThat(achieved).isBetween(epsilon * 0.999, epsilon);
        Map<String, Object> check = CliRun.typed(
                        "account --noise-multiplier " + answer.get("noiseMultiplier") + plan + " --json")
                .succeeded()
                .json();
        assertThat(CliRun.result(check, accountant)).containsEntry("upper", achieved);
    }

    @Test
    void withoutStepsItFindsTheMostSteps() {
        String plan = " --noise-multiplier 1.5 --sampling poisson:0.01 --delta 1e-5";
        Map<String, Object> answer = CliRun.typed("calibrate --epsilon 1" + plan + " --json")
                .succeeded()
                .json();
        assertThat(answer).containsEntry("solvedFor", "steps").containsEntry("noiseMultiplier", 1.5);
        long steps = (long) answer.get("steps");
        assertThat((double) answer.get("epsilon")).isLessThanOrEqualTo(1);
        Map<String, Object> oneMore = CliRun.typed("account --steps " + (steps + 1) + plan + " --json")
                .succeeded()
                .json();
        assertThat((double) CliRun.result(oneMore, "exact").get("upper")).isGreaterThan(1);
        assertThat(CliRun.typed("calibrate --epsilon 1" + plan).succeeded().output())
                .contains("Solved for the number of steps");
    }

    @Test
    void withAQuestionMarkItFindsTheLargestRate() {
        String plan = "calibrate --epsilon 1 --delta 1e-5 --noise-multiplier 1.5 --steps 1000 --sampling poisson:?";
        Map<String, Object> answer = CliRun.typed(plan + " --json").succeeded().json();
        assertThat(answer).containsEntry("solvedFor", "samplingRate");
        assertThat((String) answer.get("sampling")).startsWith("poisson:0.01");
        assertThat((double) answer.get("epsilon")).isBetween(0.999, 1.0);
        assertThat(CliRun.typed(plan).succeeded().output()).contains("Solved for the sampling rate");
    }

    @Test
    void theTextSaysWhatWasSolvedForAndWhatHolds() {
        String output = CliRun.typed("calibrate --epsilon 1 --delta 1e-5 --steps 1000 --sampling poisson:0.01")
                .succeeded()
                .output();
        assertThat(output)
                .contains("Solved for the noise multiplier")
                .contains("upper bound")
                .contains("add-remove")
                .contains("exact");
    }

    @ParameterizedTest
    @CsvSource({
        "calibrate --delta 1e-5 --steps 10",
        "calibrate --epsilon 1 --steps 10",
        "calibrate --epsilon 1 --delta 1e-5",
        "calibrate --epsilon 1 --delta 1e-5 --steps 10 --noise-multiplier 1",
        "calibrate --epsilon 1 --delta 1e-5 --steps 10 --sampling poisson:?",
        "calibrate --epsilon -1 --delta 1e-5 --steps 10",
        "calibrate --epsilon NaN --delta 1e-5 --steps 10",
        "calibrate --epsilon 1 --delta 2 --steps 10",
        "calibrate --epsilon 1 --delta 1e-5 --steps 10 --accountant basic",
        "calibrate --epsilon 0.001 --delta 1e-9 --noise-multiplier 0.1 --sampling none"
    })
    void whatCannotBeSolvedIsOneSentence(String commandLine) {
        CliRun run = CliRun.typed(commandLine).failed(ExitCode.USAGE);
        assertThat(run.output()).isEmpty();
    }
}
