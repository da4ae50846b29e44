package dev.tacit.testkit.method;

import dev.tacit.run.method.DataShape;
import dev.tacit.run.method.FitMethod;
import dev.tacit.run.method.Limits;
import dev.tacit.run.method.MethodCatalogue;
import dev.tacit.run.method.SettingException;
import dev.tacit.run.method.SettingValues;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * An entry of the catalogue with a shape and settings that it accepts, small enough to run in milliseconds.
 *
 * @param entry model and method
 * @param shape of the records
 * @param settings given by name
 * @param limits of every setting that is a number
 */
public record CatalogueCase(
        MethodCatalogue.Entry entry, DataShape shape, Map<String, String> settings, Map<String, Limits> limits) {
    /** What makes a run short, where a method has such a setting. */
    private static final Map<String, Integer> SHORT = Map.of(
            "steps",
            4,
            "rounds",
            3,
            "hiddenUnits",
            2,
            "topics",
            3,
            "localSteps",
            2,
            "draws",
            2,
            "parties",
            3,
            "sweeps",
            2);

    public CatalogueCase {
        settings = new LinkedHashMap<>(settings);
        limits = new LinkedHashMap<>(limits);
    }

    /**
     * Every entry of the catalogue on the shapes that it fits, with its standard settings and with each other choice of every setting that is
     * a word; an entry that fits no shape of {@link CatalogueShapes#ALL} fails here, so that none is left out.
     */
    public static Stream<CatalogueCase> all() {
        List<CatalogueCase> cases = new ArrayList<>();
        for (MethodCatalogue.Entry entry : MethodCatalogue.entries()) {
            int before = cases.size();
            for (DataShape shape : CatalogueShapes.ALL) {
                collect(entry, shape, Map.of(), cases);
            }
            if (cases.size() == before) {
                throw new AssertionError(entry + " fits no shape of CatalogueShapes; add one that it fits");
            }
        }
        return cases.stream();
    }

    /** Adds a case and, from the standard one, its neighbours with one other word; returns whether the entry accepts it. */
    private static void collect(
            MethodCatalogue.Entry entry, DataShape shape, Map<String, String> words, List<CatalogueCase> cases) {
        SettingValues asked = new SettingValues(words);
        try {
            MethodCatalogue.find(entry.model(), entry.method(), shape, asked, true);
        } catch (SettingException e) {
            return; // words that do not go together, or a shape for other methods
        }
        Map<String, String> settings = new LinkedHashMap<>(words);
        asked.limits().forEach((name, limits) -> {
            if (SHORT.containsKey(name)) {
                settings.put(name, Integer.toString((int) Math.max(limits.low(), SHORT.get(name))));
            }
        });
        SettingValues shortened = new SettingValues(settings);
        MethodCatalogue.find(entry.model(), entry.method(), shape, shortened, true);
        cases.add(new CatalogueCase(entry, shape, settings, shortened.limits()));
        if (!words.isEmpty()) {
            return;
        }
        asked.choices().forEach((name, choices) -> {
            for (String choice : choices) {
                if (!choice.equals(asked.inForce().get(name))) {
                    collect(entry, shape, Map.of(name, choice), cases);
                }
            }
        });
    }

    /** The same with another setting. */
    public CatalogueCase with(String name, String value) {
        Map<String, String> changed = new LinkedHashMap<>(settings);
        changed.put(name, value);
        return new CatalogueCase(entry, shape, changed, limits);
    }

    /** Whether every setting that is a word has its standard value. */
    public boolean hasStandardWords() {
        return SHORT.keySet().containsAll(settings.keySet());
    }

    /** Kernel and model. */
    public FitMethod<?, ?> method() {
        return MethodCatalogue.find(entry.model(), entry.method(), shape, new SettingValues(settings), true);
    }

    @Override
    public String toString() {
        return entry.model() + "/" + entry.method() + " "
                + shape.target().getClass().getSimpleName() + (shape.counts() ? " documents" : "") + " of "
                + shape.columns().size() + " columns " + settings;
    }
}
