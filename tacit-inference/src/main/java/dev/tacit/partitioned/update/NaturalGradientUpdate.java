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
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.party.LocalUpdate;
import dev.tacit.partitioned.party.PartyDoor;

/**
 * The party's factor in closed form: sums of its records' sites, a few times over.
 *
 * <pre>
 *   t ← t + step (Σ_n clip(site_n(q_−m · t), l2Bound) + noise − t),   localSteps times        {@link SiteStatistics}
 * </pre>
 *
 * Partitioned variational inference of Ashman et al. 2022 with the free energy climbed by natural gradients; one step of
 * size 1 is exact for linear regression. Without noise it is the reference that private updates are measured against. With
 * noise it is variational Bayes by statistics inside partitioned inference, where {@link VirtualClients} and residual
 * Newton do better.
 *
 * <p>Clipped: a record's site, precisions weighted, jointly, in L2. One release for each local step.
 */
public final class NaturalGradientUpdate implements LocalUpdate {
    /**
     * Public settings.
     *
     * @param family of the factors
     * @param localSteps releases in a round
     * @param step share of the way to the new sites, up to 1
     * @param l2Bound on a record's site
     * @param precisionWeight factor on precisions before the clip
     */
    public record Settings(GaussianFamily family, int localSteps, double step, double l2Bound, double precisionWeight) {
        public Settings {
            if (localSteps < 1) {
                throw new IllegalArgumentException("localSteps is a number from 1");
            }
            if (!(step > 0 && step <= 1)) {
                throw new IllegalArgumentException("step is a number above 0 and up to 1");
            }
        }
    }

    private final GaussianMarginModel model;
    private final Settings settings;

    public NaturalGradientUpdate(GaussianMarginModel model, Settings settings) {
        this.model = model;
        this.settings = settings;
    }

    @Override
    public String name() {
        return "natural gradients";
    }

    @Override
    public GaussianFamily family() {
        return settings.family;
    }

    /** With one local step; in a second one the party would build on noise that nobody else knows. */
    @Override
    public boolean addsUp() {
        return settings.localSteps == 1;
    }

    private ReleasePlan plan(int rounds) {
        return ReleasePlan.of(
                "sums of sites",
                (long) rounds * settings.localSteps,
                settings.family.size(model.dimension()),
                new SamplingScheme.FullPass());
    }

    @Override
    public PrivacyEvent event(int rounds, NoiseMechanism mechanism, Neighbours neighbours) {
        return plan(rounds).event(mechanism);
    }

    @Override
    public Opened open(PartyDoor door, LocalTerms terms, int rounds) throws BudgetExhausted {
        PrivateSession session = door.open(name(), plan(rounds));
        return new Opened() {
            @Override
            public Change change(
                    NaturalGaussian global, NaturalGaussian factor, boolean lastChangeUsed, RandomStream random) {
                return changed(session, terms, global, factor);
            }

            @Override
            public PrivacyEvent event() {
                return session.event();
            }
        };
    }

    private Change changed(PrivateSession session, LocalTerms terms, NaturalGaussian global, NaturalGaussian factor) {
        Cavity cavity = Cavity.of(global, factor, terms.prior());
        NaturalGaussian local = factor;
        double noiseVariance = 0;
        for (int k = 0; k < settings.localSteps; k++) {
            NaturalGaussian tilted = k == 0
                    ? global.withPrecisionOf(terms.prior())
                    : cavity.cavity().times(local).withPrecisionOf(terms.prior());
            NoisySum sum = session.release(
                    new SiteStatistics(
                            model,
                            settings.family,
                            tilted.normalise(model.parameterNames()).orElseThrow("a raised approximation is proper"),
                            settings.precisionWeight),
                    settings.l2Bound);
            NaturalGaussian sites =
                    SiteStatistics.factor(settings.family, model.dimension(), sum.value(), settings.precisionWeight);
            local = local.power(1 - settings.step).times(sites, settings.step);
            double noise = settings.step * sum.noiseStandardDeviation();
            noiseVariance = (1 - settings.step) * (1 - settings.step) * noiseVariance + noise * noise;
        }
        return new Change(local.over(factor), Math.sqrt(noiseVariance), cavity.raisedDirections());
    }
}
