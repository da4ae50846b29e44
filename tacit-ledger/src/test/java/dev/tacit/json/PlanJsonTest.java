package dev.tacit.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.door.sampling.SamplingScheme.FixedSizeSampling;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.sampling.SamplingScheme.PoissonSampling;
import dev.tacit.door.session.ReleasePlan;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanJsonTest {
    private static final ReleasePlan PLAN = new ReleasePlan(List.of(
                    new ReleasePlan.Phase("statistics \"A\"", 1, 119, new FullPass(), 2.5),
                    new ReleasePlan.Phase("gradients", 800, 14, new PoissonSampling(1.0 / 3), 1),
                    new ReleasePlan.Phase("batches", 9, 14, new FixedSizeSampling(10, 4_000_000_000L), 1)))
            .forRows(OptionalDouble.of(1.5));

    private static final String TEXT = "{\"phases\":["
            + "{\"label\":\"statistics \\\"A\\\"\",\"times\":1,\"dimension\":119,\"sampling\":\"none\",\"relativeNoise\":2.5},"
            + "{\"label\":\"gradients\",\"times\":800,\"dimension\":14,\"sampling\":\"poisson:0.3333333333333333\",\"relativeNoise\":1.0},"
            + "{\"label\":\"batches\",\"times\":9,\"dimension\":14,\"sampling\":\"fixed:10/4000000000\",\"relativeNoise\":1.0}],"
            + "\"rowNormBound\":1.5}";

    private static ReleasePlan read(String text) {
        return PlanJson.fromValue(Json.read(text), "plan");
    }

    @Test
    void isWrittenAsItAlwaysWasAndComesBackExactly() {
        assertThat(Json.write(PlanJson.toValue(PLAN))).isEqualTo(TEXT);
        assertThat(read(TEXT)).isEqualTo(PLAN);
        ReleasePlan plain = ReleasePlan.of("sums", 3, 2, new FullPass());
        assertThat(read(Json.write(PlanJson.toValue(plain)))).isEqualTo(plain);
    }

    @ParameterizedTest
    @CsvSource({
        "'\"times\":800', '\"times\":0', plan.phases[1]",
        "'\"dimension\":119', '\"dimension\":4294967415', plan.phases[0].dimension",
        "'poisson:0.3333333333333333', 'poisson:2', plan.phases[1].sampling",
        "'poisson:0.3333333333333333', 'often', plan.phases[1].sampling",
        "'fixed:10/4000000000', 'fixed:10', plan.phases[2].sampling",
        "'\"relativeNoise\":2.5', '\"relativeNoise\":-1', plan.phases[0]",
        "'\"relativeNoise\":2.5', '\"relativeNoise\":2.5,\"more\":1', plan.phases[0]",
        "'\"rowNormBound\":1.5', '\"bound\":1.5', plan"
    })
    void othersAreRefusedWhereTheyStand(String part, String other, String path) {
        assertThat(TEXT).contains(part);
        assertThatThrownBy(() -> read(TEXT.replace(part, other)))
                .isInstanceOfSatisfying(
                        JsonFieldException.class, e -> assertThat(e.path()).isEqualTo(path));
    }

    @Test
    void aPlanHasAPhase() {
        assertThatThrownBy(() -> read("{\"phases\":[]}")).hasMessage("plan.phases must have at least one phase");
    }
}
