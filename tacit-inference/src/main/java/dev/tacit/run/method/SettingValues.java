package dev.tacit.run.method;

import dev.tacit.text.Spelling;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Settings by name, as people give them, with the defaults that a method asks for; in the end everything in force is
 * known by name, and a name that nobody asked for is refused.
 *
 * <p>A name is asked for once. Two settings of one name would leave one value in force for both, and a fit that cannot be read
 * back from its settings would be noticed only after it was paid for.
 */
public final class SettingValues {
    private final Map<String, String> given;
    private final Map<String, Object> inForce = new LinkedHashMap<>();
    private final Map<String, Limits> limited = new LinkedHashMap<>();
    private final Map<String, List<String>> chosen = new LinkedHashMap<>();

    /** Whether a value that would be refused today is passed over. */
    private final boolean lenient;

    public SettingValues(Map<String, String> given) {
        this(given, false);
    }

    private SettingValues(Map<String, String> given, boolean lenient) {
        this.given = new TreeMap<>(given);
        this.lenient = lenient;
    }

    /**
     * Settings of a fit that exists, for what is left to do with it: a value that this version would refuse is passed over,
     * because the steps that it was for were taken long ago.
     */
    static SettingValues ofFit(Map<String, String> settings) {
        return new SettingValues(settings, true);
    }

    /** No settings given: defaults only. */
    public static SettingValues none() {
        return new SettingValues(Map.of());
    }

    /** A number within limits. */
    public double number(String name, double standard, Limits limits) {
        double value = standard;
        if (given.containsKey(name)) {
            try {
                value = parsed(name, given.get(name), "a number", limits);
            } catch (SettingException e) {
                passOver(e);
            }
        }
        limited.put(name, limits);
        put(name, value);
        return value;
    }

    /** A whole number within limits. */
    public int integer(String name, int standard, int low, int high) {
        int value = standard;
        Limits limits = Limits.between(low, high);
        if (given.containsKey(name)) {
            try {
                value = whole(name, low, high, limits);
            } catch (SettingException e) {
                passOver(e);
            }
        }
        limited.put(name, limits);
        put(name, value);
        return value;
    }

    private int whole(String name, int low, int high, Limits limits) {
        int value;
        try {
            value = Integer.parseInt(given.get(name));
        } catch (NumberFormatException e) {
            throw outside(name, "a whole number", limits);
        }
        if (value < low || value > high) {
            throw outside(name, "a whole number", limits);
        }
        return value;
    }

    private void passOver(SettingException refusal) {
        if (!lenient) {
            throw refusal;
        }
    }

    /** A number within limits, or a word that stands for none. */
    public OptionalDouble numberOr(String word, String name, Limits limits) {
        String text = given.getOrDefault(name, word);
        limited.put(name, limits);
        put(name, text);
        return text.equals(word)
                ? OptionalDouble.empty()
                : OptionalDouble.of(parsed(name, text, word + " or a number", limits));
    }

    private static double parsed(String name, String text, String what, Limits limits) {
        double value;
        try {
            value = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw outside(name, what, limits);
        }
        if (!limits.contain(value)) {
            throw outside(name, what, limits);
        }
        return value;
    }

    private static SettingException outside(String name, String what, Limits limits) {
        return new SettingException("the setting " + name + " must be " + what + " " + limits.text());
    }

    /** One of a few words. */
    public String choice(String name, String standard, List<String> choices) {
        String value = given.getOrDefault(name, standard);
        if (!choices.contains(value)) {
            passOver(new SettingException("the setting " + name + " must be one of " + String.join(", ", choices)
                    + Spelling.hint(value, choices)));
            value = standard;
        }
        chosen.put(name, choices);
        put(name, value);
        return value;
    }

    /** A word in a form that its reader checks. */
    public String text(String name, String standard) {
        String value = given.getOrDefault(name, standard);
        put(name, value);
        return value;
    }

    private void put(String name, Object value) {
        if (inForce.put(name, value) != null) {
            throw new IllegalStateException("two settings of one method have the name " + name);
        }
    }

    /** Refuses names that were given and that no one asked for. */
    public void requireAllKnown() {
        List<String> unknown = new ArrayList<>(given.keySet());
        unknown.removeAll(inForce.keySet());
        if (!unknown.isEmpty()) {
            String wrong = unknown.get(0);
            throw new SettingException("there is no setting " + wrong + " here"
                    + Spelling.hint(wrong, inForce.keySet()) + "; the settings are "
                    + String.join(", ", inForce.keySet()));
        }
    }

    /** The limits of every number that was asked for. */
    public Map<String, Limits> limits() {
        return new LinkedHashMap<>(limited);
    }

    /** The choices of every word that was asked for. */
    public Map<String, List<String>> choices() {
        return new LinkedHashMap<>(chosen);
    }

    /** Every setting that was asked for, in that order, with the value in force. */
    List<Setting> settings() {
        return inForce.entrySet().stream()
                .map(setting -> new Setting(
                        setting.getKey(),
                        String.valueOf(setting.getValue()),
                        Optional.ofNullable(limited.get(setting.getKey())),
                        chosen.getOrDefault(setting.getKey(), List.of())))
                .toList();
    }

    /** Every setting in force, in the order in which it was asked for. */
    public Map<String, Object> inForce() {
        return new LinkedHashMap<>(inForce);
    }
}
