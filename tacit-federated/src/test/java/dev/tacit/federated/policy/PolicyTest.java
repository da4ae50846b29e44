package dev.tacit.federated.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.federated.study.Study;
import dev.tacit.federated.study.StudyException;
import dev.tacit.federated.study.StudyFixture;
import dev.tacit.federated.study.StudyPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyTest {
    @TempDir
    Path folder;

    private final StudyPlan plan = StudyPlan.of(StudyFixture.study(5, 1, 1));

    private Policy policy(String text) throws IOException {
        return PolicyFile.read(Files.writeString(folder.resolve("policy.yaml"), text));
    }

    @Test
    void allowsWhatItNames() throws IOException {
        assertThat(policy("""
                        epsilon-at-most: 1
                        epsilon-alone-at-most: 3
                        delta-at-most: 1e-5
                        parties-at-least: 5
                        colluders-at-least: 1
                        releases-at-most: 3
                        models: [logistic-regression]
                        methods: [dp-pvi]
                        """).verdict(plan).allowed()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "epsilon-at-most: 0.9 | its epsilon is",
                "epsilon-alone-at-most: 1.1 | if all others work together",
                "delta-at-most: 1e-6 | its delta is",
                "parties-at-least: 6 | it has 5 parties",
                "colluders-at-least: 2 | it has 1 colluders",
                "releases-at-most: 2 | it has 3 releases",
                "models: [lda] | its model is logistic-regression",
                "methods: [dpvi] | its method is dp-pvi"
            })
    void refusesInWords(String text, String words) throws IOException {
        PolicyVerdict verdict = policy(text).verdict(plan);
        assertThat(verdict.allowed()).isFalse();
        assertThat(verdict.sentence()).contains(words).endsWith(".");
    }

    /** A study that says less than it costs is refused by every policy, also by one that allows everything. */
    @Test
    void refusesAStudyThatLiesAboutItsCost() throws IOException {
        Study honest = plan.study();
        Study lying = new Study(
                honest.name(),
                honest.fitted(),
                honest.budget(),
                honest.noiseMultiplier() / 2,
                honest.colluders(),
                honest.missing(),
                honest.noise(),
                honest.seed(),
                honest.coordinator(),
                honest.members());
        assertThat(policy("releases-at-most: 100").verdict(StudyPlan.of(lying)).sentence())
                .contains("more than the 1 that it says");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "epsilon-at-most: much | epsilon-at-most must be a number",
                "epsilon-at-most: 0 | epsilon-at-most must be a positive number",
                "parties-at-least: 2.5 | parties-at-least must be a whole number, written without fraction or exponent",
                "epsilon-at-mots: 1 | there is no key epsilon-at-mots (did you mean epsilon-at-most?); the keys are"
                        + " epsilon-at-most, epsilon-alone-at-most, delta-at-most, parties-at-least,"
                        + " colluders-at-least, releases-at-most, models, methods",
                "models: lda | models must be a list: [lda]",
                "models: 5 | models must be a list, in [ and ]"
            })
    void aComplaintNamesTheFileAndTheKey(String text, String words) {
        assertThatThrownBy(() -> policy(text))
                .isInstanceOf(StudyException.class)
                .hasMessage(folder.resolve("policy.yaml") + ": " + words);
    }

    @Test
    void aFolderIsNoPolicy() {
        assertThatThrownBy(() -> PolicyFile.read(folder))
                .isInstanceOf(StudyException.class)
                .hasMessage(folder + " is a folder; name the file in it");
    }

    @ParameterizedTest
    @CsvSource({"epsilon: 1", "epsilon-at-most: much", "epsilon-at-most: -1", "models: []"})
    void whatIsNotAPolicyIsRefused(String text) {
        assertThatThrownBy(() -> policy(text)).isInstanceOf(StudyException.class);
    }
}
