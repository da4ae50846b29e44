package dev.tacit.audit.subject;

import dev.tacit.door.event.PrivacyProfile;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.noise.NoiseSource;

/** Shows the integers that a door added up, in place of noise; for invented records only, and refused for real ones. */
public final class SpyMechanism implements NoiseMechanism {
    private final NoiseMechanism added;
    private final Seen seen;

    /** What was seen last. */
    public static final class Seen {
        private long[] sums;
        private double granularity;

        /** In steps of the grid on which the door added them up. */
        public long[] sums() {
            return sums;
        }

        /** The width of such a step, whatever was asked for. */
        public double granularity() {
            return granularity;
        }
    }

    /**
     * @param added whose grid the door gets
     * @param seen where the sums are shown
     */
    public SpyMechanism(NoiseMechanism added, Seen seen) {
        this.added = added;
        this.seen = seen;
    }

    @Override
    public PrivacyProfile profile(int dimension) {
        return added.profile(dimension);
    }

    @Override
    public NoiseMechanism scaled(double factor) {
        return new SpyMechanism(added.scaled(factor), seen);
    }

    @Override
    public double noiseStandardDeviation(double l2Bound) {
        return added.noiseStandardDeviation(l2Bound);
    }

    @Override
    public SumGrid grid(double l2Bound, int dimension) {
        SumGrid grid = added.grid(l2Bound, dimension);
        seen.granularity = grid.granularity();
        return grid;
    }

    @Override
    public boolean forRelease() {
        return false;
    }

    @Override
    public void addNoise(long[] gridSums, double l2Bound, NoiseSource noise) {
        seen.sums = gridSums.clone();
    }
}
