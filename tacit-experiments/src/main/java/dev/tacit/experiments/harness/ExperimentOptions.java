package dev.tacit.experiments.harness;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How an experiment is run.
 *
 * @param dataDirectory where raw data files are
 * @param workDirectory for prepared tables; whoever gives it deletes it
 * @param quick fewer seeds and settings, to see that it works
 * @param seeds how many noise seeds; the experiment's own number if empty
 * @param threads how many compute
 */
public record ExperimentOptions(
        Path dataDirectory, Path workDirectory, boolean quick, Optional<Integer> seeds, int threads) {
    /** The same with another number of threads. */
    public ExperimentOptions withThreads(int count) {
        return new ExperimentOptions(dataDirectory, workDirectory, quick, seeds, count);
    }

    /** The number of seeds, if the experiment would take so many. */
    public int seedsOr(int usual) {
        return seeds.orElse(quick ? Math.min(2, usual) : usual);
    }
}
