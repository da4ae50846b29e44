package dev.tacit.experiments.ep;

import dev.tacit.accounting.calibrate.CalibrationException;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.inference.ep.DpStochasticEp;
import dev.tacit.inference.ep.FixedPrecisionStochasticEp;
import dev.tacit.model.PrivateStart;
import dev.tacit.model.mixture.ClusterStart;
import dev.tacit.model.mixture.HistogramStart;
import dev.tacit.model.mixture.MixtureMeans;
import dev.tacit.posterior.Posterior;
import dev.tacit.run.CalibratedPlan;
import java.util.List;
import java.util.Optional;

/** Sound private methods for the mixture of {@link MixtureTask}, with settings that were chosen on other seeds. */
final class MixtureMethods {
    private static final double HISTOGRAM_RANGE = 6;
    private static final int HISTOGRAM_CELLS = 12;
    private static final double START_SHARE = 0.4;
    private static final int PUBLISHED_EPOCHS = 100;

    /** γ of one-record steps: between the one of equation 5, which does not arrive in 100 epochs, and N, which is all noise. */
    private static final double ONE_RECORD_NUMERATOR = 10;

    static final String HISTOGRAM_SEP = "DP-SEP, histogram start";
    static final String CLUSTER_SEP = "DP-SEP, cluster start";
    static final String HISTOGRAM_EM = "DP-EM, histogram start";
    static final String CLUSTER_EM = "DP-EM, cluster start";
    static final String ONE_RECORD_SEP = "DP-SEP, one record a step, histogram start";

    private MixtureMethods() {}

    /** A method at an epsilon, calibrated once for all data sets. */
    static final class Calibration<S extends Record> {
        private final String name;
        private final InferenceKernel<? super MixtureMeans, S> kernel;
        private final MixtureMeans model;
        private final Neighbours neighbours;
        private final double epsilon;
        private final ReleasePlan plan;
        private final CalibratedPlan calibrated;

        private Calibration(
                String name,
                InferenceKernel<? super MixtureMeans, S> kernel,
                PrivateStart start,
                Neighbours neighbours,
                double epsilon) {
            this.name = name;
            this.kernel = kernel;
            this.model = MixtureTask.model(Optional.of(start));
            this.neighbours = neighbours;
            this.epsilon = epsilon;
            this.plan = kernel.plan(model, MixtureTask.RECORDS);
            try {
                this.calibrated = CalibratedPlan.of(
                        plan, new PrivacyBudget(epsilon, MixtureTask.DELTA), new ExactAccountant(), neighbours);
            } catch (CalibrationException e) {
                throw new IllegalStateException(e);
            }
        }

        String name() {
            return name;
        }

        double epsilonHolds() {
            return calibrated.epsilon().upper();
        }

        Posterior fit(MixtureTask task, long seed) {
            return task.fit(kernel, model, plan, calibrated.noiseMultiplier(), epsilon, neighbours, seed);
        }
    }

    static List<Calibration<?>> all(double epsilon) {
        PrivateStart histogram = new HistogramStart(
                MixtureTask.COLUMNS,
                -HISTOGRAM_RANGE,
                HISTOGRAM_RANGE,
                HISTOGRAM_CELLS,
                MixtureTask.COMPONENTS,
                MixtureTask.DEVIATION,
                MixtureTask.RECORDS,
                START_SHARE);
        PrivateStart clusters =
                new ClusterStart(MixtureTask.COLUMNS, MixtureTask.COMPONENTS, 12, 4, 2, 0, 2.5, START_SHARE);
        // A clip that bites is worth its bias where noise is large.
        double l2Bound = epsilon <= 5 ? 0.8 : 2;
        SamplingScheme full = new SamplingScheme.FullPass();
        FixedPrecisionStochasticEp ten = new FixedPrecisionStochasticEp(
                new FixedPrecisionStochasticEp.Settings(10, full, l2Bound, 0.5, 1, 0, 0.3));
        FixedPrecisionStochasticEp thirty = new FixedPrecisionStochasticEp(
                new FixedPrecisionStochasticEp.Settings(30, full, l2Bound, 0.5, 1, 0, 0.3));
        DpExpectationMaximisation em = new DpExpectationMaximisation(new DpExpectationMaximisation.Settings(10, 1.5));
        DpStochasticEp learned = new DpStochasticEp(new DpStochasticEp.Settings(
                10, full, epsilon <= 1 ? 3 : 8, 1, true, MixtureTask.RECORDS / 2.0, 1, 0, 0.3));
        Neighbours added = Neighbours.ADD_REMOVE;
        return List.of(
                new Calibration<>(HISTOGRAM_SEP, ten, histogram, added, epsilon),
                new Calibration<>(CLUSTER_SEP, thirty, clusters, added, epsilon),
                new Calibration<>("DP-SEP with learned precision, histogram start", learned, histogram, added, epsilon),
                new Calibration<>(HISTOGRAM_EM, em, histogram, added, epsilon),
                new Calibration<>(CLUSTER_EM, em, clusters, added, epsilon),
                oneRecord(epsilon, histogram));
    }

    /** One of them. */
    static Calibration<?> of(String name, double epsilon) {
        return all(epsilon).stream()
                .filter(method -> method.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** The published form, with records drawn as its accounting says. */
    private static Calibration<?> oneRecord(double epsilon, PrivateStart start) {
        return new Calibration<>(
                ONE_RECORD_SEP,
                DpStochasticEp.oneRecordSteps(
                        PUBLISHED_EPOCHS * MixtureTask.RECORDS, MixtureTask.RECORDS, 1, ONE_RECORD_NUMERATOR),
                start,
                Neighbours.REPLACE_ONE,
                epsilon);
    }
}
