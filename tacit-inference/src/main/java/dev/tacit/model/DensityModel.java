package dev.tacit.model;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.query.Rows;
import dev.tacit.transform.ParameterSpace;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A model that somebody writes down as two functions of its constrained parameters: the log-density of the prior and that
 * of one record, each with its gradient.
 *
 * <pre>
 *   log p(u) = prior(x(u)) + log |det ∂x/∂u|,     log p(record | u) = record(x(u))        x(u): {@link ParameterSpace}
 * </pre>
 *
 * Transforms, their Jacobians and the chain rule are done here. The functions are pure: what the density of a record says
 * may depend on that record and on the parameters only; {@code DifferentiableModelConformance} in the testkit looks for
 * mistakes. Rows are handed over as whole arrays, so sparse records gain nothing; write a {@link MarginModel} or a
 * {@link LinearPredictorModel} if that matters.
 */
public final class DensityModel implements DifferentiableModel {
    /** The log-density of the parameters. */
    @FunctionalInterface
    public interface PriorDensity {
        /**
         * log p(x) up to a constant.
         *
         * @param gradient zeros, to which ∂ log p / ∂x is to be added
         */
        double logDensity(double[] parameters, double[] gradient);
    }

    /** The log-density of a record. */
    @FunctionalInterface
    public interface RecordDensity {
        /**
         * log p(row, label | x) up to a constant.
         *
         * @param row the record's numbers; not to be kept or written to
         * @param label its target, NaN if there is none
         * @param gradient zeros, to which ∂ log p / ∂x is to be added
         */
        double logDensity(double[] row, double label, double[] parameters, double[] gradient);
    }

    private final ParameterSpace space;
    private final double[] start;
    private final PriorDensity prior;
    private final Supplier<RecordDensity> records;

    /**
     * From two functions.
     *
     * @param space the constrained parameters
     * @param start where inference begins, in constrained parameters: public, chosen without the data
     * @param record without memory of its own, because several threads use it
     */
    public static DensityModel of(ParameterSpace space, double[] start, PriorDensity prior, RecordDensity record) {
        return withWorkers(space, start, prior, () -> record);
    }

    /** From functions of which each thread has its own, so that they may have scratch memory. */
    public static DensityModel withWorkers(
            ParameterSpace space, double[] start, PriorDensity prior, Supplier<RecordDensity> records) {
        return new DensityModel(space, start, prior, records);
    }

    private DensityModel(ParameterSpace space, double[] start, PriorDensity prior, Supplier<RecordDensity> records) {
        this.space = Objects.requireNonNull(space, "space");
        this.prior = Objects.requireNonNull(prior, "prior");
        this.records = Objects.requireNonNull(records, "records");
        if (start.length != space.dimension()) {
            throw new IllegalArgumentException(
                    "the start has " + start.length + " numbers and there are " + space.dimension() + " parameters");
        }
        this.start = new double[space.freeDimension()];
        space.unconstrain(start, this.start);
        for (double number : this.start) {
            if (!Double.isFinite(number)) {
                throw new IllegalArgumentException("the start must lie inside of what the parameters may be");
            }
        }
    }

    @Override
    public List<String> parameterNames() {
        return space.freeNames();
    }

    @Override
    public int dimension() {
        return space.freeDimension();
    }

    @Override
    public Optional<ParameterSpace> space() {
        return Optional.of(space);
    }

    @Override
    public double[] start() {
        return start.clone();
    }

    @Override
    public double logPrior(double[] parameters, double[] gradient) {
        double[] constrained = new double[space.dimension()];
        double[] slopes = new double[space.dimension()];
        double jacobian = space.constrain(parameters, constrained);
        double density = prior.logDensity(constrained, slopes);
        space.pullBack(parameters, constrained, slopes, gradient);
        return density + jacobian;
    }

    @Override
    public Likelihood likelihood() {
        return new OneThread(records.get());
    }

    private final class OneThread implements Likelihood {
        private final RecordDensity record;
        private final double[] constrained = new double[space.dimension()];
        private final double[] slopes = new double[space.dimension()];
        private final double[] zeros = new double[space.dimension()];
        private final double[] withJacobian = new double[space.freeDimension()];
        private final double[] jacobian = new double[space.freeDimension()];
        private double[] cells = {};

        OneThread(RecordDensity record) {
            this.record = record;
        }

        @Override
        public double logDensity(RecordBlock block, int row, double[] parameters, double[] gradient) {
            if (cells.length != block.columns()) {
                cells = new double[block.columns()];
            }
            Arrays.fill(cells, 0);
            Rows.addTo(block, row, 1, cells, 0);
            Arrays.fill(slopes, 0);
            space.constrain(parameters, constrained);
            double density = record.logDensity(cells, block.label(row), constrained, slopes);
            space.pullBack(parameters, constrained, slopes, withJacobian);
            space.pullBack(parameters, constrained, zeros, jacobian);
            for (int i = 0; i < jacobian.length; i++) {
                gradient[i] += withJacobian[i] - jacobian[i];
            }
            return density;
        }
    }
}
