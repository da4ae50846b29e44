package dev.tacit.fit;

import dev.tacit.fit.base.WorkListener;
import dev.tacit.fit.run.FitRun;
import dev.tacit.run.RunListener;

/** Sees a fit go by; everything it is told is public or was released. What is not overridden does nothing. */
public interface FitListener extends RunListener, WorkListener {
    /** A listener that does nothing. */
    FitListener NONE = new FitListener() {};

    /** The run is planned and its noise is known; nothing is charged yet, and an exception thrown here ends it for free. */
    default void planned(FitRun.Prepared plan) {}

    @Override
    default Work begin(String task, long steps) {
        return WorkListener.NONE.begin(task, steps);
    }
}
