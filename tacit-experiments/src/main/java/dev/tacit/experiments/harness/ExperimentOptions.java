package dev.tacit.experiments.harness;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * How an experiment is run.
 *
 * @param dataDirectory where raw data files are
 * @param workDirectory for prepared tables; whoever gives it deletes it
 * @param quick fewer seeds and settings, to see that it works
 * @param seeds how many noise seeds; the experiment's own number if empty
 * @param threads how many compute
 * @param only a part of the names of the cases that are run; all cases if empty
 */
public record ExperimentOptions(
        Path dataDirectory,
        Path workDirectory,
        boolean quick,
        Optional<Integer> seeds,
        int threads,
        Optional<String> only) {
    /** The same with another number of threads. */
    public ExperimentOptions withThreads(int count) {
        return new ExperimentOptions(dataDirectory, workDirectory, quick, seeds, count, only);
    }

    /** Cases whose names contain what was asked for; if nothing was, all of them, or the first one to see that it works. */
    public <T> List<T> chosen(List<T> cases, Function<T, String> name) {
        return only.isEmpty() && quick ? cases.subList(0, Math.min(1, cases.size())) : named(cases, name);
    }

    /** Cases whose names contain what was asked for. */
    public <T> List<T> named(List<T> cases, Function<T, String> name) {
        return cases.stream()
                .filter(one -> only.map(name.apply(one)::contains).orElse(true))
                .toList();
    }

    /** The number of seeds, if the experiment would take so many. */
    public int seedsOr(int usual) {
        return seeds.orElse(quick ? Math.min(2, usual) : usual);
    }
}
