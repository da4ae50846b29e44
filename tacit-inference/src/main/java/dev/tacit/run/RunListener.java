package dev.tacit.run;

import dev.tacit.door.session.ReleasePlan;

/** Sees a run go by; everything it is told is public or was released. */
public interface RunListener {
    /** A listener that does nothing. */
    RunListener NONE = new RunListener() {};

    /** The run begins, or goes on after this many releases. */
    default void started(ReleasePlan plan, long released) {}

    /** A release was made and its state kept. */
    default void released(ReleaseNote note, long released, long planned) {}

    /** A crash took these releases; the run goes on without them. */
    default void lost(long releases) {}
}
