package dev.tacit.model.prediction;

/** A predictive distribution. */
public sealed interface Prediction {
    /** Of one of two classes: the probability of the positive one. */
    record Probability(double probability) implements Prediction {}

    /** Of a number, approximately normal, in the target's own units. */
    record Numeric(double mean, double standardDeviation) implements Prediction {}

    /** Of one of several classes: the probability of each, in the order in which they are declared. */
    record Classes(double[] probabilities) implements Prediction {}

    /**
     * Of the time to an event: hazards that are constant in intervals.
     *
     * @param ends of the intervals, which begin at 0
     * @param hazards in them
     */
    record Survival(double[] ends, double[] hazards) implements Prediction {
        /** The integral of the hazard until a time. */
        public double cumulativeHazard(double time) {
            double sum = 0;
            double start = 0;
            for (int j = 0; j < ends.length && start < time; j++) {
                sum += hazards[j] * (Math.min(ends[j], time) - start);
                start = ends[j];
            }
            return sum;
        }

        /** The hazard at a time. */
        public double hazard(double time) {
            int j = 0;
            while (j < ends.length - 1 && time > ends[j]) {
                j++;
            }
            return hazards[j];
        }
    }
}
