package dev.tacit.inference.ep;

import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.inference.LostReleaseException;
import dev.tacit.model.PrivateStart;
import dev.tacit.model.TiltedMomentModel;
import dev.tacit.numerics.RandomStream;
import java.util.List;
import java.util.Optional;

/** The releases before the first step, which every kernel of expectation propagation makes in the same way. */
public final class PrivateStarts {
    private PrivateStarts() {}

    public static int releases(TiltedMomentModel model) {
        return model.privateStart().map(PrivateStart::releases).orElse(0);
    }

    public static double[] begin(TiltedMomentModel model, RandomStream random) {
        return model.privateStart()
                .map(start -> start.begin(random.fork("constants")))
                .orElseGet(model::constants);
    }

    public static Optional<ReleasePlan> plan(
            TiltedMomentModel model, int steps, SamplingScheme sampling, long publicSize) {
        double rate = sampling.expectedBatchSize(publicSize) / publicSize;
        return model.privateStart()
                .map(start -> new ReleasePlan(List.of(new ReleasePlan.Phase(
                        start.label(),
                        start.releases(),
                        start.dimension(),
                        new SamplingScheme.FullPass(),
                        start.relativeNoise(steps, rate)))));
    }

    public static LostReleaseException lost() {
        return new LostReleaseException("the crash took a release that all others build on;"
                + " what it cost stays spent, so start a new run with what is left of the budget");
    }
}
