package dev.tacit.inference.bayes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.inference.LostReleaseException;
import dev.tacit.inference.Runs;
import dev.tacit.json.Json;
import dev.tacit.json.JsonFields;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.query.Rows;
import dev.tacit.run.InferenceRun;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResidualNewtonTest {
    private static final double PRIOR = 0.3;

    /** The textbook Newton iteration for the mode, written out. */
    private static double[] mode(DenseBlock block, double priorPrecision) {
        int d = block.columns();
        double[] weights = new double[d];
        for (int iteration = 0; iteration < 100; iteration++) {
            double[] gradient = new double[d];
            double[] hessian = new double[d * d];
            for (int j = 0; j < d; j++) {
                gradient[j] = -priorPrecision * weights[j];
                hessian[j * d + j] = priorPrecision;
            }
            for (int row = 0; row < block.rows(); row++) {
                double p = SpecialFunctions.sigmoid(Rows.dot(block, row, weights, 0));
                for (int j = 0; j < d; j++) {
                    double x = block.values()[block.start(row) + j];
                    gradient[j] += (block.label(row) - p) * x;
                    for (int k = 0; k < d; k++) {
                        hessian[j * d + k] += p * (1 - p) * x * block.values()[block.start(row) + k];
                    }
                }
            }
            LinearAlgebra.java().cholesky(d, hessian);
            LinearAlgebra.java().solveCholesky(d, hessian, 1, gradient);
            for (int j = 0; j < d; j++) {
                weights[j] += gradient[j];
            }
        }
        return weights;
    }

    private static ResidualNewton rounds(int rounds) {
        return new ResidualNewton(
                new ResidualNewton.Settings(rounds, 0.15, 4, OptionalDouble.of(0.7), 2, 0.5, 0.35, 0.3));
    }

    @Test
    void withoutNoiseItEndsAtTheMode() {
        DenseBlock block = Runs.logistic(2000, new double[] {3, -2, 1, 0, 0.5}, RandomStream.ofSeed(3));
        LogisticRegression model = new LogisticRegression(Runs.names(5), 1, PRIOR);
        ResidualNewton kernel = rounds(150);
        PrivateDataset data = Runs.dataset(block);
        ReleasePlan plan = kernel.plan(model, data.publicSize());
        double[] mean = InferenceRun.once(
                        kernel,
                        model,
                        data.openNotPrivate(RunRequest.of("test", plan), ReplayNoise.ofSeed(1)),
                        RandomStream.ofSeed(1))
                .posterior()
                .mean();
        double[] expected = mode(block, PRIOR);
        for (int j = 0; j < 5; j++) {
            assertThat(mean[j]).isCloseTo(expected[j], within(1e-8));
        }
    }

    /**
     * Truths come from the prior, so 90 % intervals should hold 90 % of them. Whole fits are the independent trials: a
     * fit's share of covered weights lies in [0, 1], so by Hoeffding's inequality the mean of 150 fits is off by more than
     * 0.22 with probability below 1e-6, whatever the dependence within a fit.
     */
    @ParameterizedTest
    @ValueSource(doubles = {2, 10, 40})
    void intervalsHoldTheTruthAtEveryNoise(double noiseMultiplier) throws Exception {
        int fits = 150;
        int columns = 8;
        LogisticRegression model = new LogisticRegression(Runs.names(columns), 1, PRIOR);
        ResidualNewton kernel = new ResidualNewton(ResidualNewton.Settings.standard());
        double honest = 0;
        double naive = 0;
        for (int seed = 0; seed < fits; seed++) {
            RandomStream random = RandomStream.ofSeed(seed);
            double[] truth = new double[columns];
            for (int j = 0; j < columns; j++) {
                truth[j] = random.normal() / Math.sqrt(PRIOR);
            }
            PrivateDataset data = Runs.dataset(Runs.logistic(1000, truth, random));
            ReleasePlan plan = kernel.plan(model, data.publicSize());
            var result = InferenceRun.once(
                    kernel,
                    model,
                    data.open(
                            RunRequest.of("test", plan),
                            new DiscreteGaussianMechanism(noiseMultiplier),
                            Runs.ledger(data, plan, noiseMultiplier),
                            ReplayNoise.ofSeed(seed)),
                    random.fork("run"));
            honest += coverage(result.posterior(), truth) / fits;
            naive += coverage(kernel.posteriorWithoutPrivacyNoise(result.state(), model), truth) / fits;
        }
        assertThat(honest)
                .as("coverage at noise " + noiseMultiplier + ", seeds 0 to 149")
                .isBetween(0.68, 1 + 1e-9);
        if (noiseMultiplier >= 10) {
            assertThat(naive).as("coverage without privacy noise").isLessThan(honest - 0.1);
        }
    }

    private static double coverage(Posterior posterior, double[] truth) {
        int held = 0;
        for (int j = 0; j < truth.length; j++) {
            if (posterior.quantile(j, 0.05) <= truth[j] && truth[j] <= posterior.quantile(j, 0.95)) {
                held++;
            }
        }
        return (double) held / truth.length;
    }

    @Test
    void phasesShareTheBudgetAsPlanned() {
        LogisticRegression model = new LogisticRegression(Runs.names(6), 1, PRIOR);
        ReleasePlan plan = rounds(4).plan(model, 100);
        assertThat(plan.releases()).isEqualTo(5);
        double share = 0;
        for (ReleasePlan.Phase phase : plan.phases()) {
            share += phase.times() / (phase.relativeNoise() * phase.relativeNoise());
        }
        assertThat(share).isCloseTo(1, within(1e-12));
        assertThat(plan.phases().get(0).dimension()).isEqualTo(6 + 21);
    }

    @Test
    void aLostFirstReleaseEndsTheRunAndALostRoundDoesNot() throws Exception {
        LogisticRegression model = new LogisticRegression(Runs.names(2), 1, PRIOR);
        ResidualNewton kernel = rounds(3);
        ResidualNewton.State start = kernel.init(model, 10, RandomStream.ofSeed(1));
        assertThatThrownBy(() -> kernel.without(start, model))
                .isInstanceOf(LostReleaseException.class)
                .hasMessageContaining("first release");
        ResidualNewton.State later = new ResidualNewton.State(
                1,
                new double[] {1, 2},
                new double[] {1, 0, 0, 1},
                new double[2],
                new double[2],
                0.1,
                0.1,
                new double[0],
                new double[0]);
        assertThat(kernel.without(later, model).releases()).isEqualTo(2);
        GaussianPosterior posterior = kernel.posterior(kernel.without(later, model), model);
        assertThat(posterior.standardDeviation()).doesNotContain(Double.NaN);
    }

    /** The mean of the last half of the rounds is that of the estimates which shorter runs end in. */
    @Test
    void theMeanIsOfTheLastEstimates() {
        LogisticRegression model = new LogisticRegression(Runs.names(2), 1, PRIOR);
        ResidualNewton kernel = new ResidualNewton(
                new ResidualNewton.Settings(6, 0.15, 4, OptionalDouble.of(0.7), 2, 0.5, 0.35, 0.3).acrossParties());
        DenseBlock block = Runs.logistic(200, new double[] {3, -2}, RandomStream.ofSeed(3));
        PrivateSession session = LocalSummation.dataset(
                        RecordsInMemory.of(block, true), PrivacyUnit.record(Neighbours.ADD_REMOVE), 200, 1)
                .openNotPrivate(RunRequest.of("test", kernel.plan(model, 200)), ReplayNoise.ofSeed(1));
        ResidualNewton.State state = kernel.init(model, 200, RandomStream.ofSeed(1));
        double[] expected = new double[2];
        for (int release = 0; release <= 6; release++) {
            state = kernel.step(state, model, session, RandomStream.ofSeed(1)).state();
            for (int j = 0; j < 2; j++) {
                expected[j] += release > 3 ? state.weights()[j] / 3 : 0;
            }
        }
        assertThat(kernel.posterior(state, model).mean()).containsExactly(expected, within(1e-12));
        assertThat(kernel.fromJson(JsonFields.of(Json.read(Json.write(kernel.toJson(state))), "state"))
                        .earlier())
                .isEqualTo(state.earlier());
    }
}
