package dev.tacit.partitioned.update;

import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.inference.vi.MarginExpectationGradient;
import dev.tacit.inference.vi.MeanFieldGradient;
import dev.tacit.model.DifferentiableModel;
import dev.tacit.model.GaussianMarginModel;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.LocalBound;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.party.RecordSteps;
import dev.tacit.query.ContributionSum;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * DP optimisation: the party climbs its local bound by clipped and noised gradients.
 *
 * <pre>
 *   localSteps times   g = Σ_{n∈B} clip(∇ E log p(x_n | θ), l2Bound) + noise         B Poisson; {@link MarginExpectationGradient}
 *                      φ ← φ + Adam(g / E|B| − ∇KL(q ‖ cavity) / N_m)                 φ = (μ / unit, log s)
 *   change             natural parameters of the last q minus those of the global one
 * </pre>
 *
 * Heikkilä, Ashman, Swaroop, Turner, Honkela 2023, Section 4.1, Algorithm 2. Differs from the paper: the divergence to the
 * cavity holds no record and stays outside the clip; batches are Poisson, which is what is charged, where the code walks
 * through shuffled records; a party starts from the global approximation in the first round too; parameters are measured in
 * prior standard deviations, for models whose averages are known, and as they are for others.
 *
 * <p>Clipped: the gradient of one unit with respect to (μ / unit, log s), jointly, in L2. Works for every model with a gradient, by
 * public draws, where the margin is not enough. Memory: the point that was reached, the moments of Adam, and the cavity.
 */
public final class DpOptimisation implements RecordSteps {
    /**
     * Public settings.
     *
     * @param localSteps releases in a round
     * @param sampling which records a release sees
     * @param l2Bound on the gradient of a unit
     * @param rate of Adam
     * @param draws of θ for models whose averages are not known
     */
    public record Settings(int localSteps, SamplingScheme sampling, double l2Bound, double rate, int draws) {
        public Settings {
            Objects.requireNonNull(sampling, "sampling");
            if (localSteps < 1) {
                throw new IllegalArgumentException("localSteps is a number from 1");
            }
            if (draws < 1) {
                throw new IllegalArgumentException("draws is a number from 1");
            }
        }

        /** For ten parties of about as many records. */
        public static Settings standard() {
            return new Settings(10, new SamplingScheme.PoissonSampling(0.2), 2, 0.02, 10);
        }
    }

    private final DifferentiableModel model;
    private final Settings settings;
    private final double[] units;
    private final Releases releases;

    public DpOptimisation(DifferentiableModel model, Settings settings) {
        this.model = Objects.requireNonNull(model, "model");
        this.settings = Objects.requireNonNull(settings, "settings");
        this.units = new double[model.dimension()];
        Arrays.fill(units, model instanceof GaussianMarginModel margin ? 1 / Math.sqrt(margin.priorPrecision()) : 1);
        this.releases = new Releases(
                "DP optimisation",
                "gradients of the local bound",
                GaussianFamily.MEAN_FIELD,
                settings.localSteps,
                2 * model.dimension(),
                settings.sampling,
                settings.l2Bound,
                false); // noise goes through Adam
    }

    @Override
    public Releases releases() {
        return releases;
    }

    @Override
    public double[] begin(double[] memory, Round round) {
        return from(round.global(), round.cavity());
    }

    /** The memory at a point, before the climb against a cavity. */
    double[] from(NaturalGaussian start, NaturalGaussian cavity) {
        return memory(new LocalBound(start, cavity, units, settings.rate), cavity);
    }

    private static double[] memory(LocalBound bound, NaturalGaussian cavity) {
        double[] point = bound.memory();
        double[] parameters = cavity.naturalParameters();
        double[] memory = Arrays.copyOf(point, point.length + parameters.length);
        System.arraycopy(parameters, 0, memory, point.length, parameters.length);
        return memory;
    }

    /** What the bound is climbed against. */
    NaturalGaussian cavity(double[] memory) {
        return NaturalGaussian.of(
                GaussianFamily.MEAN_FIELD,
                model.dimension(),
                Arrays.copyOfRange(memory, memory.length - releases.dimension(), memory.length));
    }

    private LocalBound bound(double[] memory) {
        return new LocalBound(memory, cavity(memory), units, settings.rate);
    }

    /** Where the climb is. */
    NaturalGaussian reached(double[] memory) {
        return bound(memory).natural();
    }

    @Override
    public ContributionSum query(double[] memory, PublicPart publicPart) {
        LocalBound bound = bound(memory);
        if (model instanceof GaussianMarginModel margin) {
            return MarginExpectationGradient.of(margin, bound.means(), bound.variances(), units[0], bound.variances());
        }
        double[] draws = new double[settings.draws * model.dimension()];
        RandomStream random = publicPart.draws();
        for (int step = 0; step <= bound.steps(); step++) {
            random.fillNormal(draws); // those of the steps before are passed over
        }
        double[] scales = bound.scales();
        return new MeanFieldGradient(model, bound.means(), scales, scales, draws, 1);
    }

    @Override
    public double[] after(double[] memory, NoisySum released, double publicSize) {
        LocalBound bound = bound(memory);
        bound.climb(released.scaledTo(1).value(), publicSize);
        return memory(bound, cavity(memory));
    }

    @Override
    public double[] withoutRelease(double[] memory) {
        return memory;
    }

    @Override
    public Change change(double[] memory, NaturalGaussian global, Optional<NoisySum> last) {
        return new Change(reached(memory).over(global), 0);
    }
}
