package dev.tacit.query;

import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.sum.Summand;
import dev.tacit.door.sum.UnitSum;

/** Asks a worker for the contributions of rows one after the other, or for many together if it can write them so. */
final class ContributionSummand implements Summand {
    private final ContributionSum.Worker worker;
    private final Contribution contribution;

    /** Null if rows are asked for one by one. */
    private final ColumnTiles tiles;

    ContributionSummand(ContributionSum.Worker worker, SumGrid grid) {
        this.worker = worker;
        this.contribution = new Contribution(grid);
        this.tiles = ColumnTiles.suit(worker, grid) ? new ColumnTiles((ColumnWorker) worker, grid) : null;
    }

    @Override
    public void addRows(RecordBlock block, UnitSum sum) {
        if (tiles != null) {
            tiles.addRows(block, sum, contribution);
            return;
        }
        worker.prepare(block);
        int rows = block.rows();
        for (int row = 0; row < rows; row++) {
            contribution.beginRow(block, row, sum);
            worker.contribute(block, row, contribution);
            contribution.endUnit(row);
        }
        contribution.leaveBlock();
    }

    @Override
    public void addPart(RecordBlock block, boolean last, UnitSum sum) {
        worker.prepare(block);
        int rows = block.rows();
        for (int row = 0; row < rows; row++) {
            contribution.beginRow(block, row, sum);
            worker.contribute(block, row, contribution);
        }
        if (last) {
            contribution.endUnit(0);
        }
        contribution.leaveBlock();
    }
}
