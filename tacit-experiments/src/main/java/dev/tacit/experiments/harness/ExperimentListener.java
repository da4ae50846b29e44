package dev.tacit.experiments.harness;

/** Sees an experiment go by. */
public interface ExperimentListener {
    /** A listener that does nothing. */
    ExperimentListener NONE = new ExperimentListener() {};

    /** This many equal parts will follow. */
    default void started(int parts) {}

    /** A part is done. */
    default void partDone() {}
}
