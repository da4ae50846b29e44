package dev.tacit.federated.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.federated.message.PartySet;
import dev.tacit.federated.protocol.OpenedSum;
import dev.tacit.federated.study.Study;
import dev.tacit.federated.study.StudyFixture;
import dev.tacit.federated.study.StudyPlan;
import dev.tacit.inference.DivergedException;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A party that lies can send any numbers; a study that they lead nowhere ends in words, and not in an internal error. */
class SpoiledSumsTest {
    private static final PartySet ALL = PartySet.first(3);

    private static StudyPlan plan(String method) {
        Map<String, String> settings = method.equals("dpvi")
                ? Map.of("steps", "60", "step", "noise-scaled", "rate", "70", "priorPrecision", "100000")
                : Map.of();
        Study study = StudyFixture.study(method, settings, 3);
        return StudyPlan.of(study);
    }

    /** Returns whether the study diverged. */
    private static <M, S extends Record> boolean diverges(MethodSteps<M, S> steps, StudyPlan plan, long... pattern) {
        try {
            S state = steps.first();
            for (int release = 0; release < plan.releases(); release++) {
                StateRequest request =
                        StateRequest.read(steps.request(state, release).toBytes());
                long[] integers = new long[plan.plan().phaseOf(release).dimension()];
                Arrays.setAll(integers, i -> pattern[i % pattern.length]);
                OpenedSum spoiled = new OpenedSum(release, integers, ALL, ALL, 1.5);
                state = steps.after(steps.state(request), request, spoiled).state();
            }
            assertThat(Arrays.stream(steps.posterior(state).mean())).allMatch(Double::isFinite);
            return false;
        } catch (DivergedException e) {
            assertThat(e).hasMessageContaining("diverged at release").hasMessageContaining("there is no posterior");
            return true;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"private-likelihood", "dp-pvi", "dpvi"})
    void whateverNumbersAreSentAStudyEndsInAPosteriorOrInWords(String method) {
        StudyPlan plan = plan(method);
        diverges(MethodSteps.of(plan), plan, 0);
        diverges(MethodSteps.of(plan), plan, Long.MAX_VALUE);
        diverges(MethodSteps.of(plan), plan, Long.MIN_VALUE);
        diverges(MethodSteps.of(plan), plan, Long.MAX_VALUE, Long.MIN_VALUE);
    }

    /** Steps that only grow: without somebody who looks they would be asked for until a number is none. */
    @Test
    void aStudyThatGrowsWithoutEndIsFound() {
        StudyPlan plan = plan("dpvi");
        assertThat(diverges(MethodSteps.of(plan), plan, Long.MAX_VALUE, Long.MIN_VALUE))
                .isTrue();
    }
}
