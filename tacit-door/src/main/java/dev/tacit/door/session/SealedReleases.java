package dev.tacit.door.session;

import dev.tacit.door.mechanism.SumGrid;
import java.util.OptionalLong;

/**
 * Where the door keeps noisy sums from the moment they are drawn until whoever asked for them has made them durable: a
 * run's write-ahead log.
 *
 * <p>A release is drawn, kept here, announced to the ledger, and handed out, in this order. So whatever a crash cuts
 * off, a release that the ledger knows of is here and is handed out once more bit by bit, and one that is not here was
 * shown to nobody, so drawing it is drawing it for the first time. What is kept is noisy: it is what the ledger was
 * charged for, and it stays with the holder of the data until it is used.
 *
 * <p>One store belongs to one run, and one process at a time uses it.
 */
public interface SealedReleases {
    /** Keeps nothing: a release that is announced when a crash comes is lost. For runs that are not resumed. */
    SealedReleases NONE = new SealedReleases() {
        @Override
        public OptionalLong firstFrom(long index) {
            return OptionalLong.empty();
        }

        @Override
        public double l2Bound(long index) {
            throw new IllegalStateException("nothing is kept");
        }

        @Override
        public SealedRelease read(long index, SumGrid grid) {
            throw new IllegalStateException("nothing is kept");
        }

        @Override
        public void keep(SealedRelease release) {}

        @Override
        public void dropBefore(long index) {}
    };

    /** The first release from an index on that is kept. */
    OptionalLong firstFrom(long index);

    /** The bound of a release that is kept: that of the question it answers. */
    double l2Bound(long index);

    /**
     * A release that is kept, bit by bit.
     *
     * @param grid that it is on, which a store of numbers needs
     */
    SealedRelease read(long index, SumGrid grid);

    /** Keeps a release whose index is not kept yet; when this returns, it survives a crash. */
    void keep(SealedRelease release);

    /** Allows releases before an index to be forgotten, because what follows from them is durable elsewhere. */
    void dropBefore(long index);
}
