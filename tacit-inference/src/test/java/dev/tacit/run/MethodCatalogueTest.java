package dev.tacit.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.run.method.DataShape;
import dev.tacit.run.method.MethodCatalogue;
import dev.tacit.run.method.Setting;
import dev.tacit.run.method.SettingException;
import dev.tacit.run.method.SettingValues;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MethodCatalogueTest {
    private static final DataShape SHAPE =
            new DataShape(List.of("age", "debt"), 2, new DataShape.Target.Binary(), 1000);

    @Test
    void everyModelHasOneStandardMethodWhichComesFirst() {
        Map<String, List<MethodCatalogue.Entry>> byModel =
                MethodCatalogue.entries().stream().collect(Collectors.groupingBy(MethodCatalogue.Entry::model));
        assertThat(byModel).allSatisfy((model, entries) -> {
            assertThat(entries.stream().filter(MethodCatalogue.Entry::standard))
                    .as(model)
                    .hasSize(1);
            assertThat(entries.get(0).standard()).as(model).isTrue();
            assertThat(entries.stream().map(MethodCatalogue.Entry::method))
                    .as(model)
                    .doesNotHaveDuplicates();
        });
    }

    /** The order decides what is taken where a schema rules out the standard method: it is part of what users see. */
    @Test
    void theOrderOfMethodsIsTheDocumentedOne() {
        assertThat(MethodCatalogue.methods("logistic-regression"))
                .containsExactly("private-likelihood", "residual-newton", "private-vb", "dpvi", "dp-sep", "dp-pvi");
        assertThat(MethodCatalogue.methods("linear-regression"))
                .containsExactly("private-likelihood", "dp-sep", "private-vb", "dpvi", "dp-pvi");
        assertThat(MethodCatalogue.methods("neural-network")).containsExactly("dp-sep", "dpvi");
        assertThat(MethodCatalogue.methods("beta-bernoulli"))
                .containsExactly("private-vb", "dpvi", "model-implied-field");
        assertThat(MethodCatalogue.otherMethod("linear-regression")).contains("dp-sep");
        assertThat(MethodCatalogue.otherMethod("lda")).isEmpty();
    }

    @Test
    void anEntryHasItsFactoryAndItsSettingsWithLimits() {
        MethodCatalogue.Entry entry = MethodCatalogue.entry("logistic-regression", "residual-newton");
        assertThat(entry.factory()
                        .build(SHAPE, SettingValues.none(), true)
                        .kernel()
                        .name())
                .isEqualTo("residual-newton");
        Map<String, Setting> settings =
                entry.settings(SHAPE, true).stream().collect(Collectors.toMap(Setting::name, setting -> setting));
        assertThat(settings.get("momentum").limits())
                .hasValueSatisfying(limits -> assertThat(limits.high()).isEqualTo(0.99));
        assertThat(settings.get("rounds").standard()).isNotEqualTo("50");
        assertThat(entry.settings(SHAPE, false)).contains(setting(entry, "rounds", "50"));
        assertThat(MethodCatalogue.entry("logistic-regression", "dpvi").settings(SHAPE, true).stream()
                        .filter(setting -> setting.name().equals("family"))
                        .flatMap(setting -> setting.choices().stream()))
                .containsExactly("mean-field", "full-rank");
    }

    private static Setting setting(MethodCatalogue.Entry entry, String name, String standard) {
        return entry.settings(SHAPE, true).stream()
                .filter(setting -> setting.name().equals(name))
                .map(setting -> new Setting(name, standard, setting.limits(), setting.choices()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aMisspeltNameIsRecognised() {
        assertThatThrownBy(() -> MethodCatalogue.standardMethod("logistic-regresion"))
                .isInstanceOf(SettingException.class)
                .hasMessageStartingWith(
                        "there is no model logistic-regresion (did you mean logistic-regression?); the models are ");
        assertThatThrownBy(() -> MethodCatalogue.entry("linear-regression", "private-bv"))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("by private-bv (did you mean private-vb?); its methods are private-likelihood, ");
        assertThatThrownBy(() -> MethodCatalogue.find(
                        "logistic-regression", "dpvi", SHAPE, new SettingValues(Map.of("stesp", "5")), true))
                .isInstanceOf(SettingException.class)
                .hasMessageStartingWith("there is no setting stesp here (did you mean steps?); the settings are ");
        assertThatThrownBy(() -> MethodCatalogue.standardMethod("frobnicate"))
                .isInstanceOf(SettingException.class)
                .hasMessageStartingWith("there is no model frobnicate; the models are ");
    }
}
