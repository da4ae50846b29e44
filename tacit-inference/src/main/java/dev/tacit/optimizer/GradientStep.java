package dev.tacit.optimizer;

/** How a released gradient moves parameters. */
public sealed interface GradientStep {
    /**
     * Steps measured in the noise: each coordinate moves by rate / √(T d) times its gradient over the gradient's noise, so
     * that noise alone carries it rate standard deviations over the whole run, whatever the budget.
     *
     * <p>Alrawajfeh, Jälkö, Honkela 2025, Section 4.1, learning-rate heuristic.
     *
     * @param rate √2 λ in the paper
     */
    record NoiseScaled(double rate) implements GradientStep {
        public NoiseScaled {
            require(rate);
        }
    }

    /**
     * Adam: steps of the size of the rate in directions of steady gradients.
     *
     * <pre>
     *   m ← 0.9 m + 0.1 g,     v ← 0.999 v + 0.001 g²,     step = rate · (m / (1 − 0.9^t)) / (√(v / (1 − 0.999^t)) + 10⁻⁸)
     * </pre>
     *
     * Kingma, Ba 2015, Algorithm 1.
     *
     * @param rate the size of a step
     */
    record Adam(double rate) implements GradientStep {
        static final double FIRST_DECAY = 0.9;
        static final double SECOND_DECAY = 0.999;
        static final double SMALLEST = 1e-8;

        public Adam {
            require(rate);
        }

        /** Updates both moments of one coordinate, stored side by side, and returns its step. */
        public double step(double gradient, double[] moments, int coordinate, int count) {
            int at = 2 * coordinate;
            moments[at] = FIRST_DECAY * moments[at] + (1 - FIRST_DECAY) * gradient;
            moments[at + 1] = SECOND_DECAY * moments[at + 1] + (1 - SECOND_DECAY) * gradient * gradient;
            double first = moments[at] / (1 - Math.pow(FIRST_DECAY, count));
            double second = moments[at + 1] / (1 - Math.pow(SECOND_DECAY, count));
            return rate * first / (Math.sqrt(second) + SMALLEST);
        }
    }

    private static void require(double rate) {
        if (!(rate > 0) || Double.isInfinite(rate)) {
            throw new IllegalArgumentException("rate is a positive number");
        }
    }
}
