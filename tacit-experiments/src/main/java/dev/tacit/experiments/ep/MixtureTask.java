package dev.tacit.experiments.ep;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.ledger.InMemoryLedger;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.model.PrivateStart;
import dev.tacit.model.mixture.MixtureMeans;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.posterior.family.ProductPosterior;
import dev.tacit.run.InferenceRun;
import java.util.List;
import java.util.Optional;

/**
 * One simulated mixture of the published experiment: four components of 250 records on average in four columns, deviation 0.5, centres
 * N(0, 1) plus N(0, 1) times |N(0, 1)|; and the posterior that whoever knew the labels would have.
 *
 * @param block the records
 * @param truthMeans posterior means given the labels, component after component
 * @param truthVariances of each coordinate, one for each component
 */
record MixtureTask(DenseBlock block, double[] truthMeans, double[] truthVariances) {
    static final int COMPONENTS = 4;
    static final int COLUMNS = 4;
    static final int RECORDS = 1000;
    static final double DEVIATION = 0.5;
    static final double PRIOR_PRECISION = 0.1;
    static final double DELTA = 1e-5;

    static MixtureTask of(long seed) {
        RandomStream random = RandomStream.ofSeed(seed).fork("data");
        double[] centres = new double[COMPONENTS * COLUMNS];
        for (int i = 0; i < centres.length; i++) {
            centres[i] = random.normal();
        }
        for (int i = 0; i < centres.length; i++) {
            double scale = Math.abs(random.normal());
            centres[i] += scale * random.normal();
        }
        double[] values = new double[RECORDS * COLUMNS];
        double[] sums = new double[centres.length];
        int[] counts = new int[COMPONENTS];
        for (int row = 0; row < RECORDS; row++) {
            int k = (int) (random.uniform() * COMPONENTS);
            counts[k]++;
            for (int j = 0; j < COLUMNS; j++) {
                double number = centres[k * COLUMNS + j] + DEVIATION * random.normal();
                values[row * COLUMNS + j] = number;
                sums[k * COLUMNS + j] += number;
            }
        }
        double variance = DEVIATION * DEVIATION;
        double[] means = new double[centres.length];
        double[] variances = new double[COMPONENTS];
        for (int i = 0; i < means.length; i++) {
            double precision = PRIOR_PRECISION + counts[i / COLUMNS] / variance;
            means[i] = sums[i] / variance / precision;
            variances[i / COLUMNS] = 1 / precision;
        }
        return new MixtureTask(DenseBlock.of(RECORDS, COLUMNS, values, null), means, variances);
    }

    static MixtureMeans model(Optional<PrivateStart> start) {
        return new MixtureMeans(
                List.of("a", "b", "c", "d"),
                MixtureMeans.equalWeights(COMPONENTS),
                DEVIATION * DEVIATION,
                new double[COMPONENTS * COLUMNS],
                PRIOR_PRECISION,
                RECORDS,
                start);
    }

    PrivateDataset dataset(Neighbours neighbours) {
        return LocalSummation.dataset(RecordsInMemory.of(block, false), PrivacyUnit.record(neighbours), RECORDS, 1);
    }

    /** One private run; noise is replayed from the seed. */
    <M, S extends Record> Posterior fit(
            InferenceKernel<M, S> kernel,
            M model,
            ReleasePlan plan,
            double noiseMultiplier,
            double epsilon,
            Neighbours neighbours,
            long seed) {
        PrivateDataset data = dataset(neighbours);
        RenyiAccountant renyi = new RenyiAccountant();
        DiscreteGaussianMechanism mechanism = new DiscreteGaussianMechanism(noiseMultiplier);
        InMemoryLedger ledger = new InMemoryLedger(
                LedgerTerms.forPlan(
                        data.unit(), new PrivacyBudget(epsilon, DELTA), plan.event(mechanism), renyi::divergence),
                new LedgerAccounting(new ExactAccountant(), renyi::divergence));
        try {
            return InferenceRun.once(
                            kernel,
                            model,
                            data.open(RunRequest.of("mixture", plan), mechanism, ledger, ReplayNoise.ofSeed(seed)),
                            RandomStream.ofSeed(seed))
                    .posterior();
        } catch (BudgetExhausted e) {
            throw new IllegalStateException(e);
        }
    }

    /** Mean over components of the squared distance of means, and of covariances in Frobenius norm, matched as well as possible. */
    double[] errors(Posterior posterior) {
        return errors(posterior.mean(), covariances(posterior));
    }

    /** Covariances of the components' means, one after the other. */
    static double[] covariances(Posterior posterior) {
        double[] covariances = new double[COMPONENTS * COLUMNS * COLUMNS];
        int next = 0;
        for (Posterior component : ((ProductPosterior) posterior).blocks().values()) {
            double[] covariance = ((GaussianPosterior) component).covariance();
            System.arraycopy(covariance, 0, covariances, next, covariance.length);
            next += covariance.length;
        }
        return covariances;
    }

    /** Covariances of the posterior given the labels, in the same order. */
    double[] truthCovariances() {
        double[] covariances = new double[COMPONENTS * COLUMNS * COLUMNS];
        for (int i = 0; i < COMPONENTS * COLUMNS; i++) {
            covariances[i * COLUMNS + i % COLUMNS] = truthVariances[i / COLUMNS];
        }
        return covariances;
    }

    double[] errors(double[] means, double[] covariances) {
        int[] order = new int[COMPONENTS];
        double[] best = {Double.POSITIVE_INFINITY, 0};
        assign(means, covariances, order, 0, 0, best);
        return best;
    }

    private void assign(double[] means, double[] covariances, int[] order, int place, double squares, double[] best) {
        if (squares / COMPONENTS >= best[0]) {
            return;
        }
        if (place == COMPONENTS) {
            best[0] = squares / COMPONENTS;
            best[1] = covarianceError(covariances, order);
            return;
        }
        for (int k = 0; k < COMPONENTS; k++) {
            boolean taken = false;
            for (int earlier = 0; earlier < place; earlier++) {
                taken |= order[earlier] == k;
            }
            if (!taken) {
                order[place] = k;
                double more = 0;
                for (int j = 0; j < COLUMNS; j++) {
                    double distance = truthMeans[place * COLUMNS + j] - means[k * COLUMNS + j];
                    more += distance * distance;
                }
                assign(means, covariances, order, place + 1, squares + more, best);
            }
        }
    }

    private double covarianceError(double[] covariances, int[] order) {
        double sum = 0;
        for (int place = 0; place < COMPONENTS; place++) {
            for (int i = 0; i < COLUMNS; i++) {
                for (int j = 0; j < COLUMNS; j++) {
                    double truth = i == j ? truthVariances[place] : 0;
                    double found = covariances[(order[place] * COLUMNS + i) * COLUMNS + j];
                    sum += (found - truth) * (found - truth);
                }
            }
        }
        return sum / COMPONENTS;
    }
}
