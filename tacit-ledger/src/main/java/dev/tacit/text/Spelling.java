package dev.tacit.text;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/**
 * Finds the name a person probably meant. The names to choose from are public: verbs, options, models, settings, columns of a
 * schema; never what a cell holds.
 */
public final class Spelling {
    private Spelling() {}

    /** The nearest name if at most about a third of its letters, and at least one, have to change; whatever its case. */
    public static Optional<String> nearest(String typed, Collection<String> names) {
        String wanted = typed.toLowerCase(Locale.ROOT);
        String best = null;
        int bestDistance = Integer.MAX_VALUE;
        for (String name : names) {
            String candidate = name.toLowerCase(Locale.ROOT);
            int distance = candidate.startsWith(wanted) && wanted.length() > 1 ? 1 : distance(wanted, candidate);
            boolean near = distance <= Math.max(1, (name.length() + 1) / 3) && 2 * distance <= name.length();
            if (near && distance < bestDistance) {
                best = name;
                bestDistance = distance;
            }
        }
        return Optional.ofNullable(best);
    }

    /** For the middle of a sentence: {@code " (did you mean steps?)"}, or nothing if no name is near. */
    public static String hint(String typed, Collection<String> names) {
        return nearest(typed, names)
                .map(name -> " (did you mean " + name + "?)")
                .orElse("");
    }

    /**
     * How many letters have to be put in, taken out, changed, or swapped with the next, no letter twice (Damerau 1964; the
     * optimal string alignment of Oommen and Loke 1997).
     */
    static int distance(String left, String right) {
        int[] before = new int[right.length() + 1];
        int[] last = new int[right.length() + 1];
        int[] row = new int[right.length() + 1];
        for (int j = 0; j <= right.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= left.length(); i++) {
            int[] free = before;
            before = last;
            last = row;
            row = free;
            row[0] = i;
            for (int j = 1; j <= right.length(); j++) {
                int change = last[j - 1] + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(change, 1 + Math.min(last[j], row[j - 1]));
                boolean swapped = i > 1
                        && j > 1
                        && left.charAt(i - 1) == right.charAt(j - 2)
                        && left.charAt(i - 2) == right.charAt(j - 1);
                if (swapped) {
                    row[j] = Math.min(row[j], before[j - 2] + 1);
                }
            }
        }
        return row[right.length()];
    }
}
