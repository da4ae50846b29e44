package dev.tacit.experiments.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExperimentOptionsTest {
    private static final List<String> CASES = List.of("wine, epsilon 1", "wine, epsilon 4", "icu, epsilon 1");

    private static ExperimentOptions options(boolean quick, Optional<String> only) {
        return new ExperimentOptions(Path.of("."), Path.of("."), quick, Optional.empty(), 1, only);
    }

    @Test
    void casesAreThoseWithTheTextInTheirNames() {
        assertThat(options(false, Optional.of("epsilon 1")).chosen(CASES, name -> name))
                .containsExactly("wine, epsilon 1", "icu, epsilon 1");
        assertThat(options(false, Optional.empty()).chosen(CASES, name -> name)).isEqualTo(CASES);
    }

    @Test
    void aQuickLookIsAtTheFirstCaseUnlessOthersAreNamed() {
        assertThat(options(true, Optional.empty()).chosen(CASES, name -> name)).containsExactly("wine, epsilon 1");
        assertThat(options(true, Optional.of("icu")).chosen(CASES, name -> name))
                .containsExactly("icu, epsilon 1");
    }

    @Test
    void otherThreadsLeaveTheChoice() {
        assertThat(options(false, Optional.of("icu")).withThreads(3).only()).contains("icu");
    }
}
