package dev.tacit.data.schema;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What is declared about one column of a table. */
public sealed interface ColumnSchema {
    /** The column's name, as in the header. */
    String name();

    /** What a missing cell becomes. */
    MissingPolicy missing();

    /** The code that stands for a missing cell: a number, the place of a category, 0 or 1; NaN if there is none. */
    default double codeIfMissing() {
        if (!(missing() instanceof MissingPolicy.Constant constant)) {
            return Double.NaN;
        }
        if (this instanceof CategoryColumn category) {
            return category.categories().indexOf(constant.value());
        }
        if (this instanceof BinaryColumn binary) {
            return binary.positive().contains(constant.value()) ? 1 : 0;
        }
        return Double.parseDouble(constant.value());
    }

    /**
     * A number, clamped to its bounds, transformed and scaled to [0, 1].
     *
     * @param bounds the declared range, or empty if it is to be bought from the budget ({@code bounds: PRIVATE})
     * @param transform applied to the clamped number and to the bounds
     * @param cuts ends of bins, each encoded as one 0/1 column: below the first, from the first on, ..., from the last on
     * @param scale whether the scaled number is encoded
     * @param center whether it is scaled to [−1, 1]
     * @param count whether it is a whole number ({@code type: count}); other numbers in its cells count as missing
     */
    record NumberColumn(
            String name,
            Optional<Bounds> bounds,
            NumberTransform transform,
            List<Double> cuts,
            boolean scale,
            boolean center,
            boolean count,
            MissingPolicy missing)
            implements ColumnSchema {
        /** A number that need not be whole. */
        public NumberColumn(
                String name,
                Optional<Bounds> bounds,
                NumberTransform transform,
                List<Double> cuts,
                boolean scale,
                boolean center,
                MissingPolicy missing) {
            this(name, bounds, transform, cuts, scale, center, false, missing);
        }

        public NumberColumn {
            Objects.requireNonNull(bounds, "bounds");
            Objects.requireNonNull(transform, "transform");
            Objects.requireNonNull(missing, "missing");
            cuts = List.copyOf(cuts);
            requireName(name);
            if (bounds.isPresent() && bounds.get().lower() < transform.leastValue()) {
                throw SchemaException.of(
                        name,
                        "is transformed by " + transform.label() + ", which needs a lower bound of at least "
                                + Text.number(transform.leastValue()));
            }
            if (bounds.isEmpty() && !cuts.isEmpty()) {
                throw SchemaException.of(
                        name, "has cuts, which are public and say what its bounds are; declare those too");
            }
            requireCuts(name, cuts, bounds);
            if (!scale && cuts.isEmpty()) {
                throw SchemaException.of(
                        name,
                        "says scale: false and has no cuts, so nothing would be left of it; declare {type: ignore}");
            }
            if (!scale && center) {
                throw SchemaException.of(name, "says scale: false and center: true, which exclude each other");
            }
            if (missing instanceof MissingPolicy.Constant constant) {
                missing = new MissingPolicy.Constant(Text.number(finite(name, constant.value())));
            }
            if (count) {
                requireCount(name, bounds, missing);
            }
        }

        private static void requireCount(String name, Optional<Bounds> bounds, MissingPolicy missing) {
            if (bounds.isPresent()
                    && (bounds.get().lower() < 0
                            || !isWhole(bounds.get().lower())
                            || !isWhole(bounds.get().upper()))) {
                throw SchemaException.of(name, "is a count, whose bounds are whole numbers from 0 (bounds: [0, 20])");
            }
            if (missing instanceof MissingPolicy.Constant constant && !isWhole(Double.parseDouble(constant.value()))) {
                throw SchemaException.of(name, "is a count and replaces missing cells by a number that is not whole");
            }
        }

        private static boolean isWhole(double value) {
            return value == Math.rint(value);
        }

        /** A number with bounds and nothing else declared. */
        public static NumberColumn of(String name, double lower, double upper) {
            return new NumberColumn(
                    name,
                    Optional.of(new Bounds(lower, upper)),
                    NumberTransform.NONE,
                    List.of(),
                    true,
                    false,
                    new MissingPolicy.Refuse());
        }

        /** The same column with bounds. */
        public NumberColumn withBounds(Bounds known) {
            return new NumberColumn(name, Optional.of(known), transform, cuts, scale, center, count, missing);
        }

        private static void requireCuts(String name, List<Double> cuts, Optional<Bounds> bounds) {
            double previous = Double.NEGATIVE_INFINITY;
            for (double cut : cuts) {
                if (!Double.isFinite(cut) || !(cut > previous)) {
                    throw SchemaException.of(name, "needs its cuts as finite numbers in ascending order");
                }
                if (bounds.isPresent()
                        && (cut <= bounds.get().lower() || cut > bounds.get().upper())) {
                    throw SchemaException.of(
                            name, "has a cut outside its bounds, so that a bin could never hold a value");
                }
                previous = cut;
            }
        }

        private static double finite(String name, String text) {
            try {
                double value = Double.parseDouble(text);
                if (Double.isFinite(value)) {
                    return value;
                }
            } catch (NumberFormatException e) {
                // said below
            }
            throw SchemaException.of(name, "replaces missing cells by a constant that is not a finite number");
        }
    }

    /**
     * One of a declared list of values, encoded as one 0/1 column each.
     *
     * @param categories the values
     * @param other whether values outside the list have a column of their own; if not, they count as missing
     * @param reference the category that others are compared with in a formula; the first one if it is not declared
     */
    record CategoryColumn(
            String name, List<String> categories, boolean other, Optional<String> reference, MissingPolicy missing)
            implements ColumnSchema {
        /** Compared with the first category. */
        public CategoryColumn(String name, List<String> categories, boolean other, MissingPolicy missing) {
            this(name, categories, other, Optional.empty(), missing);
        }

        public CategoryColumn {
            Objects.requireNonNull(missing, "missing");
            Objects.requireNonNull(reference, "reference");
            categories = List.copyOf(categories);
            requireName(name);
            if (categories.isEmpty()) {
                throw SchemaException.of(
                        name,
                        "has no categories, and reading them from the data would reveal someone's value; "
                                + "declare them (categories: [a, b])");
            }
            requireDistinct(name, categories, "category");
            requireDistinctNumbers(name, categories);
            if (missing instanceof MissingPolicy.Constant constant && !categories.contains(constant.value())) {
                throw SchemaException.of(
                        name, "replaces missing cells by a constant that is not one of its categories");
            }
            if (reference.isPresent() && !categories.contains(reference.get())) {
                throw SchemaException.of(name, "has a reference that is not one of its categories");
            }
        }

        /** Categories and a column for others. */
        public static CategoryColumn of(String name, List<String> categories) {
            return new CategoryColumn(name, categories, true, new MissingPolicy.Refuse());
        }
    }

    /**
     * One of two values: 1 if it is positive, otherwise 0.
     *
     * @param positive spellings of 1
     * @param negative spellings of 0; if there are none, everything that is neither positive nor missing is 0, otherwise
     *     everything else is missing
     */
    record BinaryColumn(String name, List<String> positive, List<String> negative, MissingPolicy missing)
            implements ColumnSchema {
        public BinaryColumn {
            Objects.requireNonNull(missing, "missing");
            positive = List.copyOf(positive);
            negative = List.copyOf(negative);
            requireName(name);
            if (positive.isEmpty()) {
                throw SchemaException.of(name, "does not say which value is positive; declare it (positive: \"yes\")");
            }
            requireDistinct(name, positive, "positive value");
            requireDistinctNumbers(
                    name, Stream.concat(positive.stream(), negative.stream()).toList());
            requireDistinct(name, negative, "negative value");
            for (String value : negative) {
                if (positive.contains(value)) {
                    throw SchemaException.of(name, "declares the same value as positive and as negative");
                }
            }
            if (missing instanceof MissingPolicy.Constant constant
                    && !positive.contains(constant.value())
                    && !negative.contains(constant.value())) {
                throw SchemaException.of(
                        name, "replaces missing cells by a constant that is not one of its declared values");
            }
        }

        /** One positive value; everything else is negative. */
        public static BinaryColumn of(String name, String positive) {
            return new BinaryColumn(name, List.of(positive), List.of(), new MissingPolicy.Refuse());
        }
    }

    /** A column that is not used, except to tell persons apart if the unit says so. */
    record IgnoredColumn(String name) implements ColumnSchema {
        public IgnoredColumn {
            requireName(name);
        }

        @Override
        public MissingPolicy missing() {
            return new MissingPolicy.Refuse();
        }
    }

    private static void requireName(String name) {
        if (name.isBlank()) {
            throw new SchemaException("a column has no name");
        }
    }

    private static void requireDistinct(String name, List<String> values, String what) {
        Set<String> seen = new HashSet<>();
        for (String value : values) {
            if (value.isEmpty()) {
                throw SchemaException.of(
                        name, "declares the empty text as a " + what + ", but an empty cell is missing");
            }
            if (!seen.add(value)) {
                throw SchemaException.of(name, "declares the " + what + " \"" + value + "\" twice");
            }
        }
    }

    /** Numbers match cells by their values, so no two may have the same. */
    private static void requireDistinctNumbers(String name, List<String> values) {
        Set<Double> numbers = new HashSet<>();
        for (String value : values) {
            Optional<Double> number = Text.value(value);
            if (number.isPresent() && !numbers.add(number.get())) {
                throw SchemaException.of(
                        name,
                        "declares \"" + value + "\" beside another spelling of the same number; keep one of them");
            }
        }
    }
}
