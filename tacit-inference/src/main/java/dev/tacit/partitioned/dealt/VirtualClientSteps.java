package dev.tacit.partitioned.dealt;

import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.model.GaussianMarginModel;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.party.LocalUpdate;
import dev.tacit.partitioned.update.VirtualClients;
import dev.tacit.partitioned.update.VirtualSites;
import dev.tacit.query.ContributionSum;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * {@link VirtualClients} in single releases, one in each round.
 *
 * <p>Clipped: a record's change of natural parameters in units of the prior's standard deviation, precisions weighted, jointly,
 * in L2. Memory: means and variances of all approximations that the party's changes were applied to, from which the factor of
 * each record is computed anew.
 */
public final class VirtualClientSteps implements RecordSteps {
    private final GaussianMarginModel model;
    private final VirtualClients.Settings settings;
    private final double damping;
    private final double unit;

    /** @param damping share of a change that is applied */
    public VirtualClientSteps(GaussianMarginModel model, VirtualClients.Settings settings, double damping) {
        this.model = Objects.requireNonNull(model, "model");
        this.settings = Objects.requireNonNull(settings, "settings");
        this.damping = damping;
        this.unit = 1 / Math.sqrt(model.priorPrecision());
    }

    @Override
    public String label() {
        return "changes of factors";
    }

    @Override
    public int releases() {
        return 1;
    }

    @Override
    public int dimension() {
        return 2 * model.dimension();
    }

    @Override
    public SamplingScheme sampling() {
        return new SamplingScheme.FullPass();
    }

    @Override
    public double l2Bound() {
        return settings.l2Bound();
    }

    @Override
    public boolean addsUp() {
        return true;
    }

    @Override
    public double[] begin(double[] memory, NaturalGaussian global, NaturalGaussian cavity) {
        VirtualSites.Seen seen = VirtualSites.Seen.of(global, unit);
        int d = model.dimension();
        double[] longer = Arrays.copyOf(memory, memory.length + 2 * d);
        System.arraycopy(seen.means(), 0, longer, memory.length, d);
        System.arraycopy(seen.variances(), 0, longer, memory.length + d, d);
        return longer;
    }

    @Override
    public ContributionSum query(double[] memory) {
        int d = model.dimension();
        List<VirtualSites.Seen> seen = new ArrayList<>();
        for (int at = 0; at < memory.length; at += 2 * d) {
            seen.add(new VirtualSites.Seen(
                    Arrays.copyOfRange(memory, at, at + d), Arrays.copyOfRange(memory, at + d, at + 2 * d)));
        }
        return new VirtualSites(model, seen, unit, damping, settings.l2Bound(), settings.precisionWeight());
    }

    @Override
    public double[] after(double[] memory, NoisySum released, double publicSize) {
        return memory;
    }

    /** The change was not applied, so the records' factors did not move. */
    @Override
    public double[] withoutRelease(double[] memory) {
        return Arrays.copyOf(memory, memory.length - dimension());
    }

    @Override
    public LocalUpdate.Change change(double[] memory, NaturalGaussian global, Optional<NoisySum> last) {
        int d = model.dimension();
        if (last.isEmpty()) {
            return new LocalUpdate.Change(NaturalGaussian.flat(GaussianFamily.MEAN_FIELD, d), 0, 0);
        }
        return VirtualClients.change(last.get(), d, unit, settings.precisionWeight());
    }
}
