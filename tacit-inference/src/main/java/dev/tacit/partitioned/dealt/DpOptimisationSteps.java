package dev.tacit.partitioned.dealt;

import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.inference.vi.MarginExpectationGradient;
import dev.tacit.model.GaussianMarginModel;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.LocalBound;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.party.LocalUpdate;
import dev.tacit.partitioned.update.DpOptimisation;
import dev.tacit.query.ContributionSum;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * {@link DpOptimisation} in single releases, each of them one gradient of the local bound.
 *
 * <p>Clipped: the gradient of one unit with respect to (μ / unit, log s), jointly, in L2. Memory: the point that was reached,
 * the moments of Adam, and the cavity.
 */
public final class DpOptimisationSteps implements RecordSteps {
    private final GaussianMarginModel model;
    private final DpOptimisation.Settings settings;
    private final double[] units;

    public DpOptimisationSteps(GaussianMarginModel model, DpOptimisation.Settings settings) {
        this.model = Objects.requireNonNull(model, "model");
        this.settings = Objects.requireNonNull(settings, "settings");
        this.units = new double[model.dimension()];
        Arrays.fill(units, 1 / Math.sqrt(model.priorPrecision()));
    }

    @Override
    public String label() {
        return "gradients of the local bound";
    }

    @Override
    public int releases() {
        return settings.localSteps();
    }

    @Override
    public int dimension() {
        return 2 * model.dimension();
    }

    @Override
    public SamplingScheme sampling() {
        return settings.sampling();
    }

    @Override
    public double l2Bound() {
        return settings.l2Bound();
    }

    @Override
    public boolean addsUp() {
        return false;
    }

    @Override
    public double[] begin(double[] memory, NaturalGaussian global, NaturalGaussian cavity) {
        return memory(new LocalBound(global, cavity, units, settings.rate()), cavity);
    }

    private static double[] memory(LocalBound bound, NaturalGaussian cavity) {
        double[] point = bound.memory();
        double[] parameters = cavity.naturalParameters();
        double[] memory = Arrays.copyOf(point, point.length + parameters.length);
        System.arraycopy(parameters, 0, memory, point.length, parameters.length);
        return memory;
    }

    private NaturalGaussian cavity(double[] memory) {
        return NaturalGaussian.of(
                GaussianFamily.MEAN_FIELD,
                model.dimension(),
                Arrays.copyOfRange(memory, memory.length - dimension(), memory.length));
    }

    private LocalBound bound(double[] memory) {
        return new LocalBound(memory, cavity(memory), units, settings.rate());
    }

    @Override
    public ContributionSum query(double[] memory) {
        LocalBound bound = bound(memory);
        return MarginExpectationGradient.of(model, bound.means(), bound.variances(), units[0], bound.variances());
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
    public LocalUpdate.Change change(double[] memory, NaturalGaussian global, Optional<NoisySum> last) {
        return new LocalUpdate.Change(bound(memory).natural().over(global), 0, 0);
    }
}
