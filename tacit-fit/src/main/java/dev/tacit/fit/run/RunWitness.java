package dev.tacit.fit.run;

import dev.tacit.data.schema.Schema;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.folder.FitOutcome;
import java.util.Optional;

/**
 * Somebody who puts invented records beside the private ones and listens to what is released, to see how much of them shows.
 *
 * <p>A witness sees what it invented and what was released, and never a private record.
 */
public interface RunWitness {
    /** Nobody. */
    RunWitness NOBODY = new RunWitness() {};

    /** Refuses, before anything is charged, a run of which it would see nothing. */
    default void require(ReleasePlan kernelPlan, Schema schema, Optional<PrivacyBudget> budget) {}

    /** The encoded records that it adds: the same in a run and in its resumption, for which the folder is there. */
    default Optional<RecordSource> beside(FitFolder folder, boolean resumed) {
        return Optional.empty();
    }

    /** The session as it hears it. */
    default PrivateSession listening(PrivateSession session, NoiseMechanism mechanism) {
        return session;
    }

    /** The last release was made; what the witness has to say is written before the fit is complete. */
    default void done(FitFolder folder, FitOutcome outcome) {}
}
