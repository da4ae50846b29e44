package dev.tacit.cli.shell;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Settings as they are typed: {@code KEY=VALUE}. */
public final class KeyValues {
    private KeyValues() {}

    /** Reads {@code --set} options. */
    public static Map<String, String> of(List<String> given) {
        return of("--set", "rounds=4", given);
    }

    /** Reads options of the form {@code KEY=VALUE}. */
    static Map<String, String> of(String option, String example, List<String> given) {
        Map<String, String> parsed = new LinkedHashMap<>();
        for (String setting : given) {
            int equals = setting.indexOf('=');
            if (equals < 1) {
                throw CommandFailure.usage(option + " wants KEY=VALUE, for example " + option + " " + example + ".");
            }
            if (parsed.put(setting.substring(0, equals), setting.substring(equals + 1)) != null) {
                throw CommandFailure.usage(option + " gives one setting twice; give it once.");
            }
        }
        return parsed;
    }
}
