package dev.tacit.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.glm.model.GlmColumn;
import dev.tacit.glm.model.GlmDesign;
import dev.tacit.run.method.DataShape;
import dev.tacit.run.method.MethodCatalogue;
import dev.tacit.run.method.SettingException;
import dev.tacit.run.method.SettingValues;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every method can be built again from the settings that it says are in force: a fit is read back that way after it was paid for. */
class SettingNamesTest {
    private static final List<String> COLUMNS = List.of("age", "debt", "job=miner", "job=baker");

    private static final List<DataShape> SHAPES = List.of(
            new DataShape(COLUMNS, 2, new DataShape.Target.Binary(), 1000),
            new DataShape(COLUMNS, 2, new DataShape.Target.Numeric(0, 5), 1000),
            new DataShape(COLUMNS, 2, new DataShape.Target.Category(List.of("a", "b", "c")), 1000),
            new DataShape(COLUMNS, 2, new DataShape.Target.None(), 1000),
            new DataShape(COLUMNS, 2, new DataShape.Target.None(), 1000, true),
            new DataShape(List.of("job=miner", "job=baker"), 1, new DataShape.Target.None(), 1000),
            new DataShape(COLUMNS, 2, new DataShape.Target.Binary(), 1000).withDesign(design()),
            new DataShape(COLUMNS, 2, new DataShape.Target.Category(List.of("a", "b", "c")), 1000).withDesign(design()),
            new DataShape(COLUMNS, 2, new DataShape.Target.Numeric(0, 5), 1000).withDesign(design()),
            new DataShape(COLUMNS, 2, new DataShape.Target.Numeric(0.01, 0.99), 1000).withDesign(design()),
            new DataShape(COLUMNS, 2, new DataShape.Target.Survival(List.of(1.0, 2.0, 5.0)), 1000)
                    .withDesign(design()));

    private static GlmDesign design() {
        return GlmDesign.of(List.of(GlmColumn.intercept("(Intercept)"), GlmColumn.number("age", 0, 100)));
    }

    static Stream<MethodCatalogue.Entry> entries() {
        return MethodCatalogue.entries().stream();
    }

    @ParameterizedTest
    @MethodSource("entries")
    void settingsInForceAreReadBack(MethodCatalogue.Entry entry) {
        List<DataShape> fitting = new ArrayList<>();
        for (DataShape shape : SHAPES) {
            for (boolean isPrivate : new boolean[] {true, false}) {
                if (readsBack(entry, shape, isPrivate)) {
                    fitting.add(shape);
                }
            }
        }
        assertThat(fitting).as("shapes that %s can fit", entry).isNotEmpty();
    }

    private static boolean readsBack(MethodCatalogue.Entry entry, DataShape shape, boolean isPrivate) {
        Map<String, Object> first;
        try {
            first = MethodCatalogue.find(entry.model(), entry.method(), shape, SettingValues.none(), isPrivate)
                    .settings();
        } catch (SettingException e) {
            return false;
        }
        Map<String, String> given = new LinkedHashMap<>();
        first.forEach((name, value) -> given.put(name, value.toString()));
        assertThat(MethodCatalogue.find(entry.model(), entry.method(), shape, new SettingValues(given), isPrivate)
                        .settings())
                .isEqualTo(first);
        return true;
    }

    @Test
    void aNameIsAskedForOnce() {
        SettingValues settings = SettingValues.none();
        settings.choice("schedule", "a", List.of("a"));
        assertThatThrownBy(() -> settings.choice("schedule", "b", List.of("b")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("schedule");
    }
}
