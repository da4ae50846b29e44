package dev.tacit.data.catalogue.entry;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One value for each option of a data set. */
public final class Choices {
    private final Map<String, String> values;

    private Choices(Map<String, String> values) {
        this.values = values;
    }

    static Choices of(String dataset, List<DatasetOption> options, Map<String, String> chosen) throws DatasetException {
        Map<String, String> values = new LinkedHashMap<>();
        for (DatasetOption option : options) {
            String value = chosen.getOrDefault(option.name(), option.preset());
            if (!option.values().contains(value)) {
                throw new DatasetException(
                        DatasetException.Kind.UNKNOWN_NAME,
                        "option " + option.name() + " of " + dataset + " takes " + listed(option.values()) + ".");
            }
            values.put(option.name(), value);
        }
        for (String name : chosen.keySet()) {
            if (!values.containsKey(name)) {
                throw new DatasetException(
                        DatasetException.Kind.UNKNOWN_NAME,
                        values.isEmpty()
                                ? dataset + " has no options, so leave out " + name + "."
                                : dataset + " has no option " + name + "; it has "
                                        + listed(List.copyOf(values.keySet())) + ".");
            }
        }
        return new Choices(values);
    }

    public String of(String option) {
        return values.get(option);
    }

    public int number(String option) {
        return Integer.parseInt(of(option));
    }

    private static String listed(List<String> names) {
        if (names.size() > 6) {
            return names.get(0) + " to " + names.get(names.size() - 1);
        }
        int last = names.size() - 1;
        return last == 0 ? names.get(0) : String.join(", ", names.subList(0, last)) + " or " + names.get(last);
    }
}
