package dev.tacit.run.method;

import dev.tacit.model.prediction.ModelUse;
import dev.tacit.text.Spelling;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The models and methods that a name stands for: a list of values, each in the file of its family. What is not in the list does
 * not exist, and what is in it has its factory.
 */
public final class MethodCatalogue {
    /** Which of a model's methods is taken. */
    public enum Rank {
        /** If none is named. */
        STANDARD,
        /** If none is named, and the records or their schema rule out the standard one. */
        NEXT,
        /** If it is named. */
        OTHER
    }

    /** Makes a method for records of a shape. */
    @FunctionalInterface
    public interface Factory {
        /**
         * A kernel with its model.
         *
         * @param settings every one that the method has is asked for here, with its default and its limits
         * @param isPrivate false for a run without noise, whose releases cost nothing, so that there may be more of them
         */
        FitMethod<?, ?> build(DataShape shape, SettingValues settings, boolean isPrivate);
    }

    /**
     * A model with a method that fits it.
     *
     * @param about a few words for people
     */
    public record Entry(String model, String method, Rank rank, String about, Factory factory) {
        static Entry standard(String model, String method, String about, Factory factory) {
            return new Entry(model, method, Rank.STANDARD, about, factory);
        }

        static Entry next(String model, String method, String about, Factory factory) {
            return new Entry(model, method, Rank.NEXT, about, factory);
        }

        static Entry other(String model, String method, String about, Factory factory) {
            return new Entry(model, method, Rank.OTHER, about, factory);
        }

        /** Whether it is taken if no method is named. */
        public boolean standard() {
            return rank == Rank.STANDARD;
        }

        /**
         * The settings of the method with their defaults and limits, which follow from what is declared about the records.
         *
         * @throws SettingException if the method does not fit such records
         */
        public List<Setting> settings(DataShape shape, boolean isPrivate) {
            SettingValues asked = SettingValues.none();
            build(shape, asked, isPrivate);
            return asked.settings();
        }

        FitMethod<?, ?> build(DataShape shape, SettingValues settings, boolean isPrivate) {
            try {
                return factory.build(shape, settings, isPrivate);
            } catch (SettingException e) {
                throw e;
            } catch (IllegalArgumentException e) {
                throw new SettingException(e.getMessage());
            }
        }

        @Override
        public String toString() {
            return model + " by " + method;
        }
    }

    private static final List<Entry> ENTRIES = ordered(Stream.of(
            GlmMethods.entries(),
            RegressionMethods.entries(),
            ConjugateMethods.entries(),
            BeliefNetworkMethods.entries(),
            TopicMethods.entries(),
            NetworkMethods.entries(),
            DpviMethods.entries(),
            StochasticEpMethods.entries(),
            FieldMethods.entries(),
            PartitionedMethods.entries()));

    private MethodCatalogue() {}

    /** Models in the order in which they first occur, the methods of each by their rank. */
    private static List<Entry> ordered(Stream<List<Entry>> families) {
        Map<String, List<Entry>> byModel = new LinkedHashMap<>();
        families.flatMap(List::stream)
                .forEach(entry -> byModel.computeIfAbsent(entry.model(), model -> new ArrayList<>())
                        .add(entry));
        return byModel.values().stream()
                .flatMap(entries -> entries.stream().sorted(Comparator.comparing(Entry::rank)))
                .toList();
    }

    /** Every model with every method it can be fitted by; those of a model are together, the standard one first. */
    public static List<Entry> entries() {
        return ENTRIES;
    }

    /** The names of all models. */
    public static List<String> models() {
        return ENTRIES.stream().map(Entry::model).distinct().toList();
    }

    /** The names of the methods that fit a model, the standard one first; none for a model that does not exist. */
    public static List<String> methods(String model) {
        return ENTRIES.stream()
                .filter(entry -> entry.model().equals(model))
                .map(Entry::method)
                .toList();
    }

    /** The method that fits a model if none is named. */
    public static String standardMethod(String model) {
        return methods(model).stream()
                .findFirst()
                .orElseThrow(() -> new SettingException("there is no model " + model + Spelling.hint(model, models())
                        + "; the models are " + String.join(", ", models())));
    }

    /**
     * The method that fits a model if none is named and the records or their schema rule out the standard one: the next of
     * its entries; empty if there is none.
     */
    public static Optional<String> otherMethod(String model) {
        standardMethod(model);
        return methods(model).stream().skip(1).findFirst();
    }

    /**
     * Builds a method.
     *
     * @param isPrivate false for a run without noise, whose releases cost nothing, so that there may be more of them
     */
    public static FitMethod<?, ?> find(
            String model, String method, DataShape shape, SettingValues settings, boolean isPrivate) {
        FitMethod<?, ?> found = entry(model, method).build(shape, settings, isPrivate);
        settings.requireAllKnown();
        return found;
    }

    /** The entry of a model and a method. */
    public static Entry entry(String model, String method) {
        standardMethod(model);
        return ENTRIES.stream()
                .filter(entry -> entry.model().equals(model) && entry.method().equals(method))
                .findFirst()
                .orElseThrow(() -> new SettingException("the model " + model + " cannot be fitted by " + method
                        + Spelling.hint(method, methods(model)) + "; its methods are "
                        + String.join(", ", methods(model))));
    }

    /**
     * What predicts or describes records from the posterior of a fit that exists. It is a matter of the model: what the method's
     * settings were plays no part, whether this version knows them, bounds them otherwise, or no longer has the method.
     *
     * @param settings all that were in force, by name; those of the model are used
     */
    public static ModelUse use(
            String model, String method, DataShape shape, Map<String, String> settings, boolean isPrivate) {
        standardMethod(model);
        try {
            return entry(model, method)
                    .build(shape, SettingValues.ofFit(settings), isPrivate)
                    .use();
        } catch (SettingException e) {
            for (Entry entry : ENTRIES) {
                if (entry.model().equals(model) && !entry.method().equals(method)) {
                    try {
                        return entry.build(shape, SettingValues.ofFit(settings), isPrivate)
                                .use();
                    } catch (SettingException other) {
                        e.addSuppressed(other);
                    }
                }
            }
            throw e;
        }
    }
}
