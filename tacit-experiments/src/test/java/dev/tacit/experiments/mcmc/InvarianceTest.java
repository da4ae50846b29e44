package dev.tacit.experiments.mcmc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.diagnostics.UniformHistogram;
import dev.tacit.numerics.RandomStream;
import dev.tacit.transform.ParameterSpace;
import dev.tacit.transform.Transforms;
import org.apache.commons.numbers.gamma.RegularizedBeta;
import org.apache.commons.numbers.gamma.RegularizedGamma;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Transitions must leave the posterior as it is (Geweke 2004): parameters come from the prior, data from the
 * parameters, so the parameters are an exact draw of the posterior of these data; after a few transitions they must
 * still be one, and their position in the conjugate posterior is uniform. Steps are large, and there is no
 * warm-up.
 */
class InvarianceTest {
    private static final long SEED = 5;
    private static final int REPETITIONS = 40_000;
    private static final int TRANSITIONS = 4;
    private static final double STEP_SIZE = 1.1;
    private static final int BINS = 20;

    /** Two tests for each twin: the chance that the real sampler fails is below 2e-7. */
    private static final double SMALLEST = 1e-7;

    private static final ParameterSpace SPACE =
            ParameterSpace.of("chance", Transforms.unitInterval(1)).and("rate", Transforms.positive(1));

    enum Twin {
        REAL,
        /** Trajectories are right, but states are weighted by a wrong energy. */
        WRONG_ACCEPTANCE,
        /** Every state of a trajectory has the same weight. */
        NO_ACCEPTANCE,
        /** The density of the constrained parameters is taken for that of the free ones. */
        NO_JACOBIAN
    }

    @ParameterizedTest
    @EnumSource(Twin.class)
    void leavesThePosteriorAsItIs(Twin twin) {
        RandomStream random = RandomStream.ofSeed(SEED);
        Model model = new Model();
        LogDensity density = sabotaged(twin, model);
        NutsChain chain = new NutsChain(density, Metric.of(MassMatrix.UNIT, 2), 10, random.fork("chain"));
        chain.stepSize(STEP_SIZE);
        double[] chances = new double[REPETITIONS];
        double[] rates = new double[REPETITIONS];
        double[] free = new double[2];
        double[] parameters = new double[2];
        for (int i = 0; i < REPETITIONS; i++) {
            model.simulate(random, parameters);
            SPACE.unconstrain(parameters, free);
            chain.start(free);
            for (int t = 0; t < TRANSITIONS; t++) {
                chain.transition();
            }
            SPACE.constrain(chain.position(), parameters);
            chances[i] = RegularizedBeta.value(parameters[0], 2 + model.successes, 3 + Model.TRIALS - model.successes);
            rates[i] = RegularizedGamma.P.value(1.5 + model.count, (1 + Model.EXPOSURE) * parameters[1]);
        }
        double chance = UniformHistogram.ofTransforms(chances, BINS).pValue();
        double rate = UniformHistogram.ofTransforms(rates, BINS).pValue();
        if (twin == Twin.REAL) {
            assertThat(chance).as("chance, seed %s", SEED).isGreaterThan(SMALLEST);
            assertThat(rate).as("rate, seed %s", SEED).isGreaterThan(SMALLEST);
        } else {
            assertThat(chance).as("chance of %s, seed %s", twin, SEED).isLessThan(SMALLEST);
            assertThat(rate).as("rate of %s, seed %s", twin, SEED).isLessThan(SMALLEST);
        }
    }

    private static LogDensity sabotaged(Twin twin, Model model) {
        LogDensity whole = new ConstrainedDensity(SPACE, model);
        return switch (twin) {
            case REAL -> whole;
            case WRONG_ACCEPTANCE -> Densities.density(2, (x, gradient) -> 0.7 * whole.valueAndGradient(x, gradient));
            case NO_ACCEPTANCE ->
                Densities.density(2, (x, gradient) -> {
                    // the kinetic energy is still weighted, the density is not
                    whole.valueAndGradient(x, gradient);
                    return 0;
                });
            case NO_JACOBIAN ->
                Densities.density(2, (x, gradient) -> {
                    double value = whole.valueAndGradient(x, gradient);
                    double p = 1 / (1 + Math.exp(-x[0]));
                    gradient[0] -= 1 - 2 * p;
                    gradient[1] -= 1;
                    return value - Math.log(p) - Math.log1p(-p) - x[1];
                });
        };
    }

    /** Beta(2, 3) and six trials; Gamma(1.5, 1) and a Poisson count. */
    private static final class Model implements LogDensity {
        static final int TRIALS = 6;
        static final double EXPOSURE = 2;

        int successes;
        int count;

        void simulate(RandomStream random, double[] parameters) {
            double a = random.gamma(2);
            double b = random.gamma(3);
            parameters[0] = a / (a + b);
            parameters[1] = random.gamma(1.5);
            successes = 0;
            for (int i = 0; i < TRIALS; i++) {
                successes += random.uniform() < parameters[0] ? 1 : 0;
            }
            count = 0;
            for (double t = random.exponential(); t < EXPOSURE * parameters[1]; t += random.exponential()) {
                count++;
            }
        }

        @Override
        public int dimension() {
            return 2;
        }

        @Override
        public double valueAndGradient(double[] x, double[] gradient) {
            double a = 1 + successes;
            double b = 2 + TRIALS - successes;
            double shape = 0.5 + count;
            gradient[0] = a / x[0] - b / (1 - x[0]);
            gradient[1] = shape / x[1] - (1 + EXPOSURE);
            return a * Math.log(x[0]) + b * Math.log1p(-x[0]) + shape * Math.log(x[1]) - (1 + EXPOSURE) * x[1];
        }
    }
}
