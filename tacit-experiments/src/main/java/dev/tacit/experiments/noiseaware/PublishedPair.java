package dev.tacit.experiments.noiseaware;

import dev.tacit.numerics.SpecialFunctions;

/**
 * The conjugate pairs of Alrawajfeh, Jälkö, Honkela 2025, in the coordinates of their code.
 */
enum PublishedPair {
    /** Logit of the probability. */
    COIN(new CoverageTask.Coin()) {
        @Override
        double[] truth(double[] scoreCoordinates) {
            return scoreCoordinates;
        }

        @Override
        double[] deviations(CoverageTask.Table table) {
            return table.plainDeviations();
        }
    },

    /** Log-ratios to the last category. */
    DIE(new CoverageTask.Die()) {
        /** From contrasts (a − b)/√2 and (a + b − 2c)/√6 of log-probabilities. */
        @Override
        double[] truth(double[] scoreCoordinates) {
            double middle = scoreCoordinates[1] * Math.sqrt(6) / 2;
            double half = scoreCoordinates[0] * Math.sqrt(2) / 2;
            return new double[] {middle + half, middle - half};
        }

        @Override
        double[] deviations(CoverageTask.Table table) {
            double[] logits = truth(table.truth());
            double sum = 1 + Math.exp(logits[0]) + Math.exp(logits[1]);
            double last = SpecialFunctions.trigamma(5 + CoverageTask.RECORDS / sum);
            double[] deviations = new double[2];
            for (int j = 0; j < 2; j++) {
                double count = CoverageTask.RECORDS * Math.exp(logits[j]) / sum;
                deviations[j] = Math.sqrt(SpecialFunctions.trigamma(5 + count) + last);
            }
            return deviations;
        }
    },

    /** Inverse softplus of the rate. */
    WAITING(new CoverageTask.Waiting(1)) {
        @Override
        double[] truth(double[] scoreCoordinates) {
            return new double[] {SpecialFunctions.inverseSoftplus(Math.exp(scoreCoordinates[0]))};
        }

        @Override
        double[] deviations(CoverageTask.Table table) {
            double rate = Math.exp(table.truth()[0]);
            double slope = SpecialFunctions.sigmoid(SpecialFunctions.inverseSoftplus(rate));
            return new double[] {table.plainDeviations()[0] * rate / slope};
        }
    };

    @SuppressWarnings("ImmutableEnumChecker") // records of constants
    private final CoverageTask task;

    PublishedPair(CoverageTask task) {
        this.task = task;
    }

    /** Parameters in these coordinates. */
    abstract double[] truth(double[] scoreCoordinates);

    /** Standard deviations without privacy in these coordinates. */
    abstract double[] deviations(CoverageTask.Table table);

    CoverageTask task() {
        return task;
    }
}
