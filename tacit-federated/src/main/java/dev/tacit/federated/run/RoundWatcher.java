package dev.tacit.federated.run;

import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.protocol.CoordinatorPhase;
import dev.tacit.federated.protocol.OpenedSum;
import dev.tacit.posterior.Posterior;
import java.util.List;
import java.util.function.Supplier;

/** Sees a study go on at the coordinator; everything it is told is public. */
interface RoundWatcher {
    /** A round begins, or goes on after a restart. */
    void begins(int round, String label);

    /** A party has come so far in the current round. */
    void reached(String party, String phase);

    /** Somebody is waited for; this is told again and again. */
    void waits(int round, CoordinatorPhase phase, List<String> parties);

    /** Parties are waited for that add all of their noise themselves; so many rounds are over. */
    void waitsForChanges(int roundsDone, List<String> parties);

    /** A party refused something, and signed why. */
    void refuses(String party, ProtocolRefusal refusal);

    /** The coordinator did not take a message. */
    void refusedMessage(ProtocolRefusal refusal);

    /** The way to parties is not there now, and the study waits for it. */
    void away(String sentence);

    /** A sum was opened, and the state moved; {@code posterior} is computed on demand. */
    void opened(OpenedSum sum, String label, Supplier<Posterior> posterior);

    /** A sum was given up for ever. */
    void givenUp(int round, String label);

    /** A round of changes is over, and so many of each party are in the approximation; {@code posterior} is computed on demand. */
    void moved(int round, List<Long> used, Supplier<Posterior> posterior);
}
