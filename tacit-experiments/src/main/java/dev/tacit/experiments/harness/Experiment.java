package dev.tacit.experiments.harness;

import java.util.List;

/** One table or figure of a paper, run again. */
public interface Experiment {
    /** The name on the command line. */
    String name();

    /** What it shows, in one line. */
    String about();

    /** Whether it reads raw data files. */
    default boolean needsData() {
        return true;
    }

    /** Names of its cases, which can be chosen; empty if it is always run as a whole. */
    default List<String> cases() {
        return List.of();
    }

    /** Runs it. */
    ExperimentResult run(ExperimentOptions options, ExperimentListener listener);
}
