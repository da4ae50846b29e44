package dev.tacit.inference.ep;

import dev.tacit.door.sampling.SamplingScheme;
import java.util.Objects;

/**
 * Differentially private stochastic expectation propagation with learned precisions.
 *
 * <pre>
 *   release t   s = Σ_{n∈B} clip((η_n − Λ_n m, w svec Λ_n), l2Bound) + noise          one clip of the whole site; B by the sampling scheme
 *   step        {@link SharedSiteKernel}, γ_t = stepNumerator · decay^(t/steps);   G's precisions raised to precisionFloor
 *   posterior   prior times the average G over the last averagedShare of the steps
 * </pre>
 *
 * Vinaroz, Park 2022, Algorithm 3. Differs from the paper: batches have any expected size; mean and precision are one vector with
 * one clip and one accountant, where the paper splits the budget; sites may be centred at the current mean, which is public and
 * takes from η_n what says nothing new; noise is always added and G always moves, where the paper's code keeps the old state, without
 * noise, if a record would make it improper; eigenvalues below the floor are raised and others left alone, where the paper shifts
 * the whole spectrum.
 *
 * <p>{@link #oneRecordSteps} is the paper's form: one record a step, drawn afresh each time, which is what its accounting assumes and
 * its code does not do.
 *
 * <p>Clipped: the natural parameters of one unit's site, precisions weighted by a public factor, jointly, in L2.
 */
public final class DpStochasticEp extends SharedSiteKernel {
    public static final String NAME = "dp-sep-learned-precision";

    /**
     * Public settings.
     *
     * @param steps how many releases after the model's private start
     * @param sampling which records each of them sees
     * @param l2Bound at which a site is clipped
     * @param precisionWeight factor on precisions before the clip
     * @param centred whether η is taken around the current mean
     * @param stepNumerator γ at the first step, from 1 (equation 5) to N (SEP); a full pass with N replaces G
     * @param decay γ after all steps over that of the first, in (0, 1]
     * @param precisionFloor of the eigenvalues of G's precisions, 0 or more
     * @param averagedShare part of the steps, at the end, that is averaged
     */
    public record Settings(
            int steps,
            SamplingScheme sampling,
            double l2Bound,
            double precisionWeight,
            boolean centred,
            double stepNumerator,
            double decay,
            double precisionFloor,
            double averagedShare) {
        public Settings {
            Objects.requireNonNull(sampling, "sampling");
            requireSteps(steps);
            requirePositive(l2Bound, "l2Bound");
            requirePositive(precisionWeight, "precisionWeight");
            requirePositive(stepNumerator, "stepNumerator");
            if (!(decay > 0 && decay <= 1)) {
                throw new IllegalArgumentException("decay is a number above 0, at most 1");
            }
            if (!(precisionFloor >= 0) || Double.isInfinite(precisionFloor)) {
                throw new IllegalArgumentException("precisionFloor is a number from 0");
            }
            if (!(averagedShare >= 0 && averagedShare <= 1)) {
                throw new IllegalArgumentException("averagedShare is a number from 0 to 1");
            }
        }
    }

    private final Settings settings;

    public DpStochasticEp(Settings settings) {
        this.settings = Objects.requireNonNull(settings, "settings");
    }

    /**
     * The published setting, one record a step and natural parameters as they are, for data sets whose number of records is public:
     * neighbours replace one record.
     */
    public static DpStochasticEp oneRecordSteps(int steps, long publicSize, double l2Bound, double stepNumerator) {
        SamplingScheme sampling = new SamplingScheme.FixedSizeSampling(1, publicSize);
        return new DpStochasticEp(new Settings(steps, sampling, l2Bound, 1, false, stepNumerator, 1, 0, 0));
    }

    public static void requireSteps(int steps) {
        if (steps < 1) {
            throw new IllegalArgumentException("steps is a number from 1");
        }
    }

    public static void requirePositive(double value, String name) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(name + " is a positive number");
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    int steps() {
        return settings.steps;
    }

    @Override
    SamplingScheme sampling(long publicSize) {
        return settings.sampling;
    }

    @Override
    Move move(int step, long publicSize) {
        boolean averages = step >= Math.round((1 - settings.averagedShare) * settings.steps);
        return new Move(
                settings.l2Bound,
                settings.l2Bound,
                settings.precisionWeight,
                settings.stepNumerator * Math.pow(settings.decay, step / (double) settings.steps),
                settings.centred,
                settings.precisionFloor,
                averages);
    }
}
