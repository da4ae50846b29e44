package dev.tacit.run.method;

import dev.tacit.glm.model.GlmDesign;
import java.util.List;
import java.util.Optional;

/**
 * What a model needs to know about records, all of it declared.
 *
 * @param columns names of the encoded columns
 * @param rowNormBound public bound on the L2 norm of an encoded row
 * @param target what kind of target there is
 * @param publicSize declared number of units
 * @param counts whether records are documents: counts of words, without a bound on their norm
 * @param design of a regression, if rows are columns of a formula in natural units
 */
public record DataShape(
        List<String> columns,
        double rowNormBound,
        Target target,
        long publicSize,
        boolean counts,
        Optional<GlmDesign> design) {
    /** The target of a prediction. */
    public sealed interface Target {
        /** Records have no target. */
        record None() implements Target {}

        /** One of two classes. */
        record Binary() implements Target {}

        /**
         * One of several declared categories; its label is its place.
         *
         * @param name of the target
         * @param reference the category that others are compared with, where they have no order
         */
        record Category(String name, List<String> categories, String reference) implements Target {
            public Category {
                categories = List.copyOf(categories);
            }

            /** Compared with the first of them. */
            public Category(List<String> categories) {
                this("target", categories, categories.get(0));
            }
        }

        /** A number between declared bounds. */
        record Numeric(double low, double high) implements Target {}

        /**
         * A time until an event; its label is negative if it was censored.
         *
         * @param ends of the intervals in which a baseline hazard is constant, the largest time last
         */
        record Survival(List<Double> ends) implements Target {
            public Survival {
                ends = List.copyOf(ends);
            }
        }
    }

    public DataShape {
        columns = List.copyOf(columns);
    }

    /** Of a table. */
    public DataShape(List<String> columns, double rowNormBound, Target target, long publicSize) {
        this(columns, rowNormBound, target, publicSize, false);
    }

    /** Of a table or of documents, without a formula. */
    public DataShape(List<String> columns, double rowNormBound, Target target, long publicSize, boolean counts) {
        this(columns, rowNormBound, target, publicSize, counts, Optional.empty());
    }

    /** The same with the columns of a formula. */
    public DataShape withDesign(GlmDesign columnsOfFormula) {
        return new DataShape(columns, rowNormBound, target, publicSize, counts, Optional.of(columnsOfFormula));
    }

    /** The same for another number of units. */
    public DataShape withPublicSize(long size) {
        return new DataShape(columns, rowNormBound, target, size, counts, design);
    }

    /** The declared bounds, if the target is a number. */
    public Optional<Target.Numeric> numberTarget() {
        return target instanceof Target.Numeric number ? Optional.of(number) : Optional.empty();
    }
}
