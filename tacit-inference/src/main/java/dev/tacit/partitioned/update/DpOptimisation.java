package dev.tacit.partitioned.update;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.inference.vi.MarginExpectationGradient;
import dev.tacit.inference.vi.MeanFieldGradient;
import dev.tacit.model.DifferentiableModel;
import dev.tacit.model.GaussianMarginModel;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.LocalBound;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.party.LocalUpdate;
import dev.tacit.partitioned.party.PartyDoor;
import dev.tacit.query.ContributionSum;
import java.util.Arrays;
import java.util.Objects;

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
 * <p>Clipped: the gradient of one unit with respect to (μ / unit, log s), jointly, in L2. Only released values and public
 * draws are carried from one step to the next. Works for every model with a gradient, by public draws, where the margin is not
 * enough.
 */
public final class DpOptimisation implements LocalUpdate {
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
            if (!(l2Bound > 0) || Double.isInfinite(l2Bound)) {
                throw new IllegalArgumentException("l2Bound is a positive number");
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

    public DpOptimisation(DifferentiableModel model, Settings settings) {
        this.model = Objects.requireNonNull(model, "model");
        this.settings = Objects.requireNonNull(settings, "settings");
    }

    @Override
    public String name() {
        return "DP optimisation";
    }

    @Override
    public GaussianFamily family() {
        return GaussianFamily.MEAN_FIELD;
    }

    /** Noise goes through Adam. */
    @Override
    public boolean addsUp() {
        return false;
    }

    ReleasePlan plan(int rounds) {
        return ReleasePlan.of(
                "gradients of the local bound",
                (long) rounds * settings.localSteps,
                2 * model.dimension(),
                settings.sampling);
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
                Cavity cavity = Cavity.of(global, factor, terms.prior());
                NaturalGaussian reached = climb(session, global, cavity.cavity(), terms.prior(), random);
                return new Change(reached.over(global), 0, cavity.raisedDirections());
            }

            @Override
            public PrivacyEvent event() {
                return session.event();
            }
        };
    }

    /** Climbs the bound against a cavity, from a start, as far as one round goes. */
    NaturalGaussian climb(
            PrivateSession session,
            NaturalGaussian start,
            NaturalGaussian cavity,
            NaturalGaussian prior,
            RandomStream random) {
        double[] unit = LocalBound.units(prior);
        if (!(model instanceof GaussianMarginModel)) {
            Arrays.fill(unit, 1);
        }
        LocalBound bound = new LocalBound(start, cavity, unit, settings.rate);
        for (int k = 0; k < settings.localSteps; k++) {
            NoisySum released = session.release(query(bound, unit, random), settings.l2Bound);
            bound.climb(released.scaledTo(1).value(), (double) session.publicSize());
        }
        return bound.natural();
    }

    private ContributionSum query(LocalBound bound, double[] unit, RandomStream random) {
        if (model instanceof GaussianMarginModel margin) {
            return MarginExpectationGradient.of(margin, bound.means(), bound.variances(), unit[0], bound.variances());
        }
        double[] draws = new double[settings.draws * model.dimension()];
        random.fillNormal(draws);
        double[] scales = bound.scales();
        return new MeanFieldGradient(model, bound.means(), scales, scales, draws, 1);
    }
}
