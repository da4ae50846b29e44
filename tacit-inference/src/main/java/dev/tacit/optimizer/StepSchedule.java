package dev.tacit.optimizer;

/** The weight ρ_t of the newest value in a running average, t = 0, 1, ... */
public sealed interface StepSchedule {
    /** The weight at a step, in (0, 1]; 1 at the first step, when there is nothing to average with. */
    double rate(int step);

    /**
     * ρ_t = 2 / (t + 2): value k of T has weight proportional to k, so early values fade and noise is averaged.
     *
     * <p>Lacoste-Julien, Schmidt, Bach 2012, Section 3.2.
     */
    record LinearAverage() implements StepSchedule {
        @Override
        public double rate(int step) {
            return 2.0 / (step + 2);
        }
    }

    /**
     * ρ_0 = ρ_1 = 1, ρ_t = max(floor, 2 / (t + 1)): the first value, taken where the model knew nothing, is dropped, the
     * next ones are averaged as by {@link LinearAverage}, and from 2 / floor − 1 on old values are forgotten.
     *
     * @param floor the smallest weight, in [0, 1]
     */
    record FlooredAverage(double floor) implements StepSchedule {
        public FlooredAverage {
            if (!(floor >= 0 && floor <= 1)) {
                throw new IllegalArgumentException("the floor of an averaging schedule is from 0 to 1");
            }
        }

        @Override
        public double rate(int step) {
            return step == 0 ? 1 : Math.max(floor, 2.0 / (step + 1));
        }
    }

    /** ρ_t = 1: only the newest value counts. For runs without noise. */
    record Last() implements StepSchedule {
        @Override
        public double rate(int step) {
            return 1;
        }
    }

    /**
     * ρ_t = (τ₀ + t)^−κ, and 1 at t = 0: Robbins, Monro 1951, as in Hoffman, Blei, Bach 2010.
     *
     * @param delay τ₀, 0 or more
     * @param forgetting κ, in (0.5, 1]
     */
    record RobbinsMonro(double delay, double forgetting) implements StepSchedule {
        public RobbinsMonro {
            if (!(delay >= 0) || Double.isInfinite(delay)) {
                throw new IllegalArgumentException("the delay of a Robbins-Monro schedule is 0 or more");
            }
            if (!(forgetting > 0.5 && forgetting <= 1)) {
                throw new IllegalArgumentException("the forgetting rate of a Robbins-Monro schedule is in (0.5, 1]");
            }
        }

        @Override
        public double rate(int step) {
            return step == 0 ? 1 : Math.pow(delay + step, -forgetting);
        }
    }
}
