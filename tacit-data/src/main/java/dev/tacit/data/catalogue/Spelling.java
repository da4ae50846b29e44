package dev.tacit.data.catalogue;

import java.util.Collection;
import java.util.Optional;

/** Finds the name a person probably meant. */
final class Spelling {
    private Spelling() {}

    /** The nearest name if about a third of its letters, and at least one, have to change. */
    static Optional<String> nearest(String typed, Collection<String> names) {
        String best = null;
        int bestDistance = Integer.MAX_VALUE;
        for (String name : names) {
            int distance = name.startsWith(typed) && typed.length() > 1 ? 1 : distance(typed, name);
            if (distance < bestDistance && distance <= Math.max(1, (name.length() + 1) / 3)) {
                best = name;
                bestDistance = distance;
            }
        }
        return Optional.ofNullable(best);
    }

    /** How many letters have to be put in, taken out or changed (Levenshtein 1966). */
    static int distance(String left, String right) {
        int[] row = new int[right.length() + 1];
        for (int j = 0; j <= right.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= left.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= right.length(); j++) {
                int change = diagonal + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[right.length()];
    }
}
