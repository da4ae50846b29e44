package dev.tacit.model.prediction;

import java.util.List;
import java.util.Objects;

/** Something that a {@link DescriptiveModel} learned, to be printed and drawn; computed from the posterior alone. */
public sealed interface Finding {
    /** A few words above it. */
    String title();

    /** How to read it, in sentences. */
    String explanation();

    /**
     * Groups of words with weights, such as topics.
     *
     * @param groups the weightiest first
     */
    record WordGroups(String title, String explanation, List<Group> groups) implements Finding {
        public WordGroups {
            Objects.requireNonNull(title, "title");
            Objects.requireNonNull(explanation, "explanation");
            groups = List.copyOf(groups);
        }
    }

    /**
     * One group.
     *
     * @param name for example {@code topic-1}
     * @param share of everything, from 0 to 1
     * @param words the weightiest first
     */
    record Group(String name, double share, List<WeightedWord> words) {
        public Group {
            words = List.copyOf(words);
        }
    }

    /**
     * A word of a group.
     *
     * @param lower a probability of 5% lies below
     * @param upper a probability of 5% lies above
     */
    record WeightedWord(String word, double weight, double lower, double upper) {}

    /**
     * Grey pictures of one size, such as weights of hidden units.
     *
     * @param pictures row after row, each with width × height numbers; 0 is neutral
     */
    record Pictures(String title, String explanation, int width, int height, List<double[]> pictures)
            implements Finding {
        public Pictures {
            Objects.requireNonNull(title, "title");
            Objects.requireNonNull(explanation, "explanation");
            pictures = List.copyOf(pictures);
            for (double[] picture : pictures) {
                if (picture.length != width * height) {
                    throw new IllegalArgumentException("a picture has width times height numbers");
                }
            }
        }
    }
}
