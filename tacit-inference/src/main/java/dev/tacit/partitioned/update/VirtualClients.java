package dev.tacit.partitioned.update;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.model.GaussianMarginModel;
import dev.tacit.model.LinearPredictorModel;
import dev.tacit.model.ResidualModel;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.gaussian.Repair;
import dev.tacit.partitioned.party.LocalUpdate;
import dev.tacit.partitioned.party.PartyDoor;
import dev.tacit.query.ContributionSum;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Virtual clients: every record is a client of its own inside its party, with a factor t_n that nobody sees.
 *
 * <pre>
 *   change_n = clip(site_n(q) − t_n, l2Bound)        {@link VirtualSites}, {@link VirtualNetworkSites}
 *   t_n ← t_n + damping change_n
 *   release    Σ_n change_n + noise                                                  one full pass
 * </pre>
 *
 * Heikkilä, Ashman, Swaroop, Turner, Honkela 2023, Section 4.3, with shards of one record, so that an absent record
 * contributes nothing and the sum moves by one bound under add/remove; a shard of several would move it by two. Differs from
 * the paper: sites are natural gradients, in closed form or, for networks, with squared gradients for the curvature; t_n is
 * the damped sum of clipped changes without noise. In the paper's code each shard keeps its own unreleased noise in its factor, so that later rounds depend on more than the record and
 * released values. Here t_n is a function of the record and of the approximations that were sent, and is computed from them
 * anew in every round: nothing private is stored.
 *
 * <p>Clipped: a record's change of natural parameters, for regressions in units of the prior's standard deviation, precisions
 * weighted, jointly, in L2. The same with and without an aggregator. What the approximation has beyond the prior at the start
 * stays in it: no record's factor answers for that.
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

    /** An approximation that was sent, and public draws. */
    private record Sent(NaturalGaussian global, double[] draws) {}

    /** What records contribute after some rounds. */
    @FunctionalInterface
    private interface Sites {
        ContributionSum after(List<Sent> sent, double damping);
    }

    private final int dimension;
    private final Settings settings;
    private final double unit;
    private final int draws;
    private final Sites sites;

    /** For models whose averages are known. */
    public VirtualClients(GaussianMarginModel model, Settings settings) {
        this.dimension = model.dimension();
        this.settings = Objects.requireNonNull(settings, "settings");
        this.unit = 1 / Math.sqrt(model.priorPrecision());
        this.draws = 0;
        this.sites = (sent, damping) -> new VirtualSites(
                model,
                sent.stream()
                        .map(each -> VirtualSites.Seen.of(each.global, unit))
                        .toList(),
                unit,
                damping,
                settings.l2Bound,
                settings.precisionWeight);
    }

    /**
     * For networks and other models of linear predictors.
     *
     * @param draws of θ in a round
     */
    public VirtualClients(LinearPredictorModel model, Settings settings, int draws) {
        this.dimension = model.dimension();
        this.settings = Objects.requireNonNull(settings, "settings");
        this.unit = 1;
        this.draws = draws;
        if (draws < 1) {
            throw new IllegalArgumentException("draws is a number from 1");
        }
        this.sites = (sent, damping) -> new VirtualNetworkSites(
                model,
                sent.stream()
                        .map(each -> VirtualNetworkSites.Seen.of(each.global, each.draws))
                        .toList(),
                damping,
                settings.l2Bound,
                settings.precisionWeight);
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

    @Override
    public Optional<SumReading> sumReading() {
        return Optional.of((global, sum, noise) -> change(sum, noise, dimension, unit, settings.precisionWeight));
    }

    private ReleasePlan plan(int rounds) {
        return ReleasePlan.of("changes of factors", rounds, 2 * dimension, new SamplingScheme.FullPass());
    }

    @Override
    public PrivacyEvent event(int rounds, NoiseMechanism mechanism, Neighbours neighbours) {
        return plan(rounds).event(mechanism);
    }

    @Override
    public Opened open(PartyDoor door, LocalTerms terms, int rounds) throws BudgetExhausted {
        PrivateSession session = door.open(name(), plan(rounds));
        List<Sent> sent = new ArrayList<>();
        return new Opened() {
            @Override
            public Change change(
                    NaturalGaussian global, NaturalGaussian factor, boolean lastChangeUsed, RandomStream random) {
                if (!sent.isEmpty() && !lastChangeUsed) {
                    sent.remove(sent.size() - 1);
                }
                double[] normals = new double[draws * dimension];
                random.fillNormal(normals);
                sent.add(new Sent(global, normals));
                NoisySum sum = session.release(sites.after(sent, terms.damping()), settings.l2Bound);
                return VirtualClients.change(sum, dimension, unit, settings.precisionWeight)
                        .from(sum, settings.l2Bound);
            }

            @Override
            public PrivacyEvent event() {
                return session.event();
            }
        };
    }

    /**
     * The precision that all records together are worth to a weight at the start, on average over columns: public, for
     * {@link Repair}. curvature N rowNormBound² / columns.
     */
    public static double startPrecision(ResidualModel model, long publicSize) {
        double norm = model.rowNormBound();
        return model.largestCurvature() * publicSize * norm * norm / model.columns();
    }

    /** A released sum as a change of natural parameters. */
    public static Change change(NoisySum sum, int dimension, double unit, double precisionWeight) {
        return change(sum.value(), sum.noiseStandardDeviation(), dimension, unit, precisionWeight);
    }

    private static Change change(double[] sum, double noise, int dimension, double unit, double precisionWeight) {
        double[] parameters = new double[2 * dimension];
        for (int j = 0; j < dimension; j++) {
            parameters[j] = sum[2 * j] / unit;
            parameters[dimension + j] = -0.5 * sum[2 * j + 1] / (precisionWeight * unit * unit);
        }
        return new Change(NaturalGaussian.of(GaussianFamily.MEAN_FIELD, dimension, parameters), noise / unit, 0);
    }
}
