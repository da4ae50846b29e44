package dev.tacit.door.sum;

import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.record.RecordBlock;
import java.io.Serializable;
import java.util.Arrays;

/** A query in the plainest code: the vectors of a unit's records are written down, added up, clipped and handed over whole. */
public interface VectorSum extends RecordSum {
    /** For one thread. */
    Worker worker();

    /** Says what a record contributes. */
    @FunctionalInterface
    interface Worker {
        /** Called before the rows of a block are asked for. */
        default void prepare(RecordBlock block) {}

        /** Adds the contribution of a row to a vector. */
        void add(RecordBlock block, int row, double[] vector);
    }

    /** One that all threads share. */
    @FunctionalInterface
    interface SharedWorker extends Worker, Serializable {}

    /** A query that is its worker. */
    record Shared(int dimension, SharedWorker worker) implements VectorSum {}

    static VectorSum of(int dimension, SharedWorker worker) {
        return new Shared(dimension, worker);
    }

    /** The records themselves. */
    static VectorSum ofRows(int columns) {
        return of(columns, (block, row, vector) -> add(block, row, 1, vector));
    }

    /** Adds a multiple of a row to the first numbers of a vector. */
    static void add(RecordBlock block, int row, double factor, double[] vector) {
        double[] numbers = DoorFixtures.numbers(block, row);
        for (int column = 0; column < numbers.length; column++) {
            vector[column] += factor * numbers[column];
        }
    }

    /** The sum of the squares of a row. */
    static double squares(RecordBlock block, int row) {
        return Arrays.stream(DoorFixtures.numbers(block, row)).map(x -> x * x).sum();
    }

    @Override
    default Summand summand(SumGrid grid) {
        return new Clipping(worker(), grid);
    }

    /** Clips as the definition says. */
    final class Clipping implements Summand {
        private final Worker worker;
        private final SumGrid grid;
        private final double[] vector;

        Clipping(Worker worker, SumGrid grid) {
            this.worker = worker;
            this.grid = grid;
            this.vector = new double[grid.dimension()];
        }

        @Override
        public void addRows(RecordBlock block, UnitSum sum) {
            worker.prepare(block);
            for (int row = 0; row < block.rows(); row++) {
                worker.add(block, row, vector);
                end(row, sum);
            }
        }

        @Override
        public void addPart(RecordBlock block, boolean last, UnitSum sum) {
            worker.prepare(block);
            for (int row = 0; row < block.rows(); row++) {
                worker.add(block, row, vector);
            }
            if (last) {
                end(0, sum);
            }
        }

        private void end(int unit, UnitSum sum) {
            double norm = Math.sqrt(Arrays.stream(vector).map(v -> v * v).sum());
            double scale = Math.min(1, grid.l2Bound() / norm) / grid.granularity();
            sum.begin(unit, Arrays.stream(vector).map(v -> v * scale).toArray());
            sum.run(0, vector.length);
            sum.end();
            Arrays.fill(vector, 0);
        }
    }
}
