package dev.tacit.partitioned;

import dev.tacit.model.GaussianMarginModel;
import dev.tacit.numerics.RandomStream;
import dev.tacit.privacy.data.NoisySum;
import dev.tacit.privacy.data.PrivateSession;
import dev.tacit.privacy.data.ReleasePlan;
import dev.tacit.privacy.event.PrivacyEvent;
import dev.tacit.privacy.ledger.BudgetExhausted;
import dev.tacit.privacy.mechanism.NoiseMechanism;
import dev.tacit.privacy.sampling.SamplingScheme;
import dev.tacit.privacy.unit.Neighbours;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Virtual clients: every record is a client of its own inside its party, with a factor t_n that nobody sees.
 *
 * <pre>
 *   change_n = clip(site_n(q) − t_n, l2Bound),   t_n ← t_n + damping change_n        {@link VirtualSites}
 *   release    Σ_n change_n + noise                                                  one full pass
 * </pre>
 *
 * Heikkilä, Ashman, Swaroop, Turner, Honkela 2023, Section 4.3, with shards of one record, so that an absent record
 * contributes nothing and the sum moves by one bound under add/remove; a shard of several would move it by two. Differs from
 * the paper: sites are natural gradients in closed form; t_n is the damped sum of clipped changes without noise. In the
 * paper's code each shard keeps its own unreleased noise in its factor, so that later rounds depend on more than the record and
 * released values. Here t_n is a function of the record and of the approximations that were sent, and is computed from them
 * anew in every round: nothing private is stored.
 *
 * <p>Clipped: a record's change of natural parameters in units of the prior's standard deviation, precisions weighted, jointly,
 * in L2. The same with and without an aggregator.
 */
public final class VirtualClients implements LocalUpdate {
    /**
     * Public settings.
     *
     * @param l2Bound on a record's change
     * @param precisionWeight factor on precisions before the clip
     */
    public record Settings(double l2Bound, double precisionWeight) {
        public Settings {
            if (!(l2Bound > 0) || Double.isInfinite(l2Bound)) {
                throw new IllegalArgumentException("l2Bound is a positive number");
            }
            if (!(precisionWeight > 0) || Double.isInfinite(precisionWeight)) {
                throw new IllegalArgumentException("precisionWeight is a positive number");
            }
        }
    }

    private final GaussianMarginModel model;
    private final Settings settings;

    public VirtualClients(GaussianMarginModel model, Settings settings) {
        this.model = Objects.requireNonNull(model, "model");
        this.settings = Objects.requireNonNull(settings, "settings");
    }

    @Override
    public String name() {
        return "virtual clients";
    }

    @Override
    public GaussianFamily family() {
        return GaussianFamily.MEAN_FIELD;
    }

    @Override
    public boolean addsUp() {
        return true;
    }

    private ReleasePlan plan(int rounds) {
        return ReleasePlan.of("changes of factors", rounds, 2 * model.dimension(), new SamplingScheme.FullPass());
    }

    @Override
    public PrivacyEvent event(int rounds, NoiseMechanism mechanism, Neighbours neighbours) {
        return plan(rounds).event(mechanism);
    }

    @Override
    public Opened open(PartyDoor door, LocalTerms terms, int rounds) throws BudgetExhausted {
        PrivateSession session = door.open(name(), plan(rounds));
        double unit = 1 / Math.sqrt(model.priorPrecision());
        List<VirtualSites.Seen> seen = new ArrayList<>();
        return new Opened() {
            @Override
            public Change change(
                    NaturalGaussian global, NaturalGaussian factor, boolean lastChangeUsed, RandomStream random) {
                if (!seen.isEmpty() && !lastChangeUsed) {
                    seen.remove(seen.size() - 1);
                }
                seen.add(VirtualSites.Seen.of(global, unit));
                NoisySum sum = session.release(
                        new VirtualSites(
                                model, seen, unit, terms.damping(), settings.l2Bound, settings.precisionWeight),
                        settings.l2Bound);
                return VirtualClients.change(sum, model.dimension(), unit, settings.precisionWeight);
            }

            @Override
            public PrivacyEvent event() {
                return session.event();
            }
        };
    }

    /** A released sum as a change of natural parameters. */
    static Change change(NoisySum sum, int dimension, double unit, double precisionWeight) {
        double[] parameters = new double[2 * dimension];
        for (int j = 0; j < dimension; j++) {
            parameters[j] = sum.value()[2 * j] / unit;
            parameters[dimension + j] = -0.5 * sum.value()[2 * j + 1] / (precisionWeight * unit * unit);
        }
        return new Change(
                NaturalGaussian.of(GaussianFamily.MEAN_FIELD, dimension, parameters),
                sum.noiseStandardDeviation() / unit,
                0);
    }
}
