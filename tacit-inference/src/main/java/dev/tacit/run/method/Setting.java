package dev.tacit.run.method;

import java.util.List;
import java.util.Optional;

/**
 * A setting of a method.
 *
 * @param name by which it is given
 * @param standard its value if it is not given
 * @param limits from where to where it may be, if it is a number
 * @param choices the words that it may be, if it is one of a few; otherwise empty
 */
public record Setting(String name, String standard, Optional<Limits> limits, List<String> choices) {
    public Setting {
        choices = List.copyOf(choices);
    }
}
