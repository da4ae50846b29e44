package dev.tacit.partitioned;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.message.FactorTerms;
import dev.tacit.partitioned.party.FactorParty;
import dev.tacit.partitioned.party.LocalSteps;
import dev.tacit.partitioned.party.PartyDoor;
import dev.tacit.posterior.family.GaussianFactor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Small parties for tests. */
public final class Parties {
    public static final PrivacyUnit RECORD = PrivacyUnit.record(Neighbours.ADD_REMOVE);

    private Parties() {}

    /** Rows of a block dealt out in order: so many to each party. */
    public static List<PrivateDataset> split(DenseBlock block, int... sizes) {
        List<PrivateDataset> parts = new ArrayList<>();
        int from = 0;
        for (int size : sizes) {
            DenseBlock part = (DenseBlock) block.part(from, from + size);
            parts.add(LocalSummation.dataset(RecordsInMemory.of(part, true), RECORD, Math.max(1, size), 1));
            from += size;
        }
        return parts;
    }

    /** Parties without noise that have joined. */
    public static List<FactorParty> notPrivate(
            List<PrivateDataset> data, LocalSteps update, NaturalGaussian prior, double damping, int rounds) {
        return joined(
                data,
                set -> PartyDoor.notPrivate(set, ReplayNoise.ofSeed(set.publicSize())),
                update,
                prior,
                damping,
                rounds);
    }

    static List<FactorParty> joined(
            List<PrivateDataset> data,
            Function<PrivateDataset, PartyDoor> door,
            LocalSteps update,
            NaturalGaussian prior,
            double damping,
            int rounds) {
        List<FactorParty> parties = new ArrayList<>();
        for (PrivateDataset set : data) {
            FactorParty party = new FactorParty(
                    "party " + (parties.size() + 1),
                    door.apply(set),
                    update,
                    FactorTerms.of(prior, damping).drawing(0, parties.size()));
            party.join(rounds);
            parties.add(party);
        }
        return parties;
    }

    /** Rows of a linear model with normal entries. */
    static DenseBlock linear(int rows, double[] weights, double noise, RandomStream random) {
        int d = weights.length;
        double[] values = new double[rows * d];
        double[] labels = new double[rows];
        for (int row = 0; row < rows; row++) {
            for (int j = 0; j < d; j++) {
                values[row * d + j] = random.normal();
                labels[row] += values[row * d + j] * weights[j];
            }
            labels[row] += noise * random.normal();
        }
        return DenseBlock.of(rows, d, values, labels);
    }

    /** The exact posterior of linear regression: natural parameters of the best member of the family. */
    static NaturalGaussian exactLinear(
            DenseBlock block, GaussianFamily family, double priorPrecision, double noisePrecision) {
        int d = block.columns();
        double[] precision = new double[d * d];
        double[] first = new double[d];
        for (int row = 0; row < block.rows(); row++) {
            for (int i = 0; i < d; i++) {
                double x = block.values()[block.start(row) + i];
                first[i] += noisePrecision * x * block.label(row);
                for (int j = 0; j < d; j++) {
                    precision[i * d + j] += noisePrecision * x * block.values()[block.start(row) + j];
                }
            }
        }
        for (int i = 0; i < d; i++) {
            precision[i * d + i] += priorPrecision;
        }
        double[] mean = first.clone();
        double[] factor = precision.clone();
        LinearAlgebra.best().cholesky(d, factor);
        LinearAlgebra.best().solveCholesky(d, factor, 1, mean);
        if (family == GaussianFamily.FULL_COVARIANCE) {
            return NaturalGaussian.of(
                    family, d, GaussianFactor.of(first, precision).naturalParameters());
        }
        double[] diagonal = new double[d];
        for (int i = 0; i < d; i++) {
            diagonal[i] = precision[i * d + i];
            mean[i] *= diagonal[i];
        }
        return NaturalGaussian.independent(family, mean, diagonal);
    }
}
