package dev.tacit.inference;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.ledger.InMemoryLedger;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.model.DifferentiableModel;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.query.ContributionSum;
import java.util.ArrayList;
import java.util.List;

/** Small data sets and ledgers for tests of kernels. */
public final class Runs {
    private Runs() {}

    /** Names x0, x1, ... */
    public static List<String> names(int columns) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < columns; i++) {
            names.add("x" + i);
        }
        return names;
    }

    /** Unit rows with normal directions, and labels of a logistic model with the given weights. */
    public static DenseBlock logistic(int rows, double[] weights, RandomStream random) {
        int columns = weights.length;
        double[] values = new double[rows * columns];
        double[] labels = new double[rows];
        for (int row = 0; row < rows; row++) {
            double square = 0;
            for (int j = 0; j < columns; j++) {
                values[row * columns + j] = random.normal();
                square += values[row * columns + j] * values[row * columns + j];
            }
            double margin = 0;
            for (int j = 0; j < columns; j++) {
                values[row * columns + j] /= Math.sqrt(square);
                margin += values[row * columns + j] * weights[j];
            }
            labels[row] = random.uniform() < SpecialFunctions.sigmoid(margin) ? 1 : 0;
        }
        return DenseBlock.of(rows, columns, values, labels);
    }

    /** What the records of a block add up to, clipped and without noise. */
    public static double[] sum(RecordBlock block, ContributionSum query, double l2Bound) {
        PrivateDataset data = LocalSummation.dataset(
                RecordsInMemory.of(block, true), PrivacyUnit.record(Neighbours.ADD_REMOVE), block.rows(), 1);
        ReleasePlan plan = ReleasePlan.of("test", 1, query.dimension(), new SamplingScheme.FullPass());
        return data.openNotPrivate(RunRequest.of("test", plan), ReplayNoise.ofSeed(1))
                .release(query, l2Bound)
                .value();
    }

    /** The same model with nothing known about the form of its gradients. */
    public static DifferentiableModel wholeGradients(DifferentiableModel model) {
        return new DifferentiableModel() {
            @Override
            public List<String> parameterNames() {
                return model.parameterNames();
            }

            @Override
            public double logPrior(double[] parameters, double[] gradient) {
                return model.logPrior(parameters, gradient);
            }

            @Override
            public double[] start() {
                return model.start();
            }

            @Override
            public Likelihood likelihood() {
                return model.likelihood();
            }
        };
    }

    /** A data set of one block. */
    public static PrivateDataset dataset(DenseBlock block) {
        return LocalSummation.dataset(
                RecordsInMemory.of(block, true), PrivacyUnit.record(Neighbours.ADD_REMOVE), block.rows(), 1);
    }

    /** A ledger that has room for a plan with the given noise and for nothing else. */
    public static PrivacyLedger ledger(PrivateDataset data, ReleasePlan plan, double noiseMultiplier) {
        var event = plan.event(new DiscreteGaussianMechanism(noiseMultiplier));
        double epsilon = new ExactAccountant()
                .epsilon(event, 1e-5, data.unit().neighbours())
                .upper();
        RenyiAccountant renyi = new RenyiAccountant();
        return new InMemoryLedger(
                LedgerTerms.forPlan(data.unit(), new PrivacyBudget(epsilon, 1e-5), event, renyi::divergence),
                new LedgerAccounting(new ExactAccountant(), renyi::divergence));
    }
}
