package dev.tacit.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.glm.family.BernoulliLink;
import dev.tacit.glm.model.GlmColumn;
import dev.tacit.glm.model.GlmDesign;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.glm.model.GroupEffects;
import dev.tacit.json.Json;
import dev.tacit.json.JsonFields;
import dev.tacit.model.mixture.CorrelatedGaussianMixture;
import dev.tacit.model.prediction.ModelUse;
import dev.tacit.run.method.DataShape;
import dev.tacit.run.method.MethodCatalogue;
import dev.tacit.run.method.SettingException;
import dev.tacit.run.method.SettingValues;
import dev.tacit.run.use.ModelJson;
import dev.tacit.testkit.method.CatalogueShapes;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Every model of the catalogue can be written down and read back, so that no fit ends without a posterior. */
class ModelJsonTest {
    private static ModelUse readBack(ModelUse model) {
        return ModelJson.read(JsonFields.of(Json.read(Json.write(ModelJson.write(model))), "model"));
    }

    @Test
    void everyModelOfTheCatalogueComesBackAsItself() {
        Set<String> kinds = new HashSet<>();
        for (MethodCatalogue.Entry entry : MethodCatalogue.entries()) {
            int fitting = 0;
            for (DataShape shape : CatalogueShapes.ALL) {
                for (boolean isPrivate : List.of(true, false)) {
                    ModelUse use;
                    try {
                        use = MethodCatalogue.find(
                                        entry.model(), entry.method(), shape, SettingValues.none(), isPrivate)
                                .use();
                    } catch (SettingException e) {
                        continue; // not a shape for this model
                    }
                    fitting++;
                    ModelUse read = readBack(use);
                    assertThat(read).hasSameClassAs(use);
                    assertThat(Json.write(ModelJson.write(read)))
                            .as(entry.model() + " by " + entry.method())
                            .isEqualTo(Json.write(ModelJson.write(use)));
                    kinds.add((String) ModelJson.write(use).get("kind"));
                }
            }
            assertThat(fitting).as(entry.model() + " by " + entry.method()).isPositive();
        }
        kinds.add((String) ModelJson.write(new CorrelatedGaussianMixture(List.of("a", "b"), 2, 2, 24))
                .get("kind")); // by a setting
        assertThat(kinds).containsExactlyInAnyOrderElementsOf(ModelJson.kinds());
    }

    @Test
    void groupsOffsetsAndPriorsComeBackAsTheyWere() {
        GlmDesign design = GlmDesign.of(List.of(
                        GlmColumn.intercept("(Intercept)"),
                        GlmColumn.number("age", 20, 80),
                        GlmColumn.level("job[miner]", 0)))
                .withGroups(List.of(GroupEffects.intercepts("ward", List.of("a", "b", "c"))))
                .withOffset(GlmColumn.number("(offset)", 0, 3));
        GlmPrior prior = GlmPrior.standard().with("age", 0.1, 0.5).withGroups("sd(ward)", 0.3);
        GlmModel model = new GlmModel(design, new BernoulliLink(BernoulliLink.Link.PROBIT), 0, 0, prior);
        GlmModel read = (GlmModel) readBack(model);
        assertThat(read.design()).isEqualTo(design);
        assertThat(read.prior()).isEqualTo(prior);
        assertThat(read.family().name()).isEqualTo(model.family().name());
    }

    @Test
    void whatThisVersionDoesNotHaveIsRefused() {
        for (String text : List.of(
                "{\"kind\":\"crystal-ball\"}",
                "{\"kind\":\"logistic\",\"columns\":[1],\"rowNormBound\":1,\"priorPrecision\":1}",
                "{\"kind\":\"logistic\",\"columns\":[\"a\"],\"rowNormBound\":1}",
                "{\"kind\":\"logistic\",\"columns\":[\"a\"],\"rowNormBound\":1,\"priorPrecision\":1,\"more\":2}")) {
            assertThatThrownBy(() -> ModelJson.read(JsonFields.of(Json.read(text), "model")))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(ModelJson.kinds()).doesNotHaveDuplicates();
    }
}
