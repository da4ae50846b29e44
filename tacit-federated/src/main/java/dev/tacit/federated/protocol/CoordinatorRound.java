package dev.tacit.federated.protocol;

import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.ProtocolRefusal;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** What the coordinator knows of one round: envelopes of its journal, and what follows from them. */
final class CoordinatorRound {
    final int number;

    /** Of parties, by place. */
    final Map<Integer, Envelope> keys = new TreeMap<>();

    final Map<Integer, Envelope> vectors = new TreeMap<>();
    final Map<Integer, Envelope> agreed = new TreeMap<>();
    final Map<Integer, Envelope> openings = new TreeMap<>();
    final Map<Integer, ProtocolRefusal> refusals = new TreeMap<>();

    /** Which refusals are in the journal: of whom, and why. */
    final Set<String> kept = new HashSet<>();

    /** Its own. */
    Envelope ask;

    Envelope survivors;
    Envelope quorum;
    Envelope result;

    /** Read from its own. */
    RoundMessages.Ask asked;

    RoundMessages.Survivors surviving;
    byte[] context;
    byte[] agreement;

    /** What the caller asks for, until it is in ASK. */
    Optional<byte[]> request = Optional.empty();

    boolean hurried;
    Optional<OpenedSum> sum = Optional.empty();

    CoordinatorRound(int number) {
        this.number = number;
    }

    /** Whether a party has said that it gives no vector. */
    boolean gone(int party) {
        return refusals.containsKey(party) && refusals.get(party).isForTheRound();
    }

    /** Whether a party's vector is here, or will not come. */
    boolean answered(int party) {
        return vectors.containsKey(party) || gone(party);
    }

    /** Once the sum is known, what it came from is needed in the journal only. */
    void forgetVectors() {
        vectors.clear();
        keys.replaceAll((party, envelope) -> envelope.bare());
    }

    CoordinatorPhase phase() {
        if (result != null) {
            return CoordinatorPhase.DONE;
        }
        if (quorum != null) {
            return CoordinatorPhase.OPENING;
        }
        if (survivors != null) {
            return CoordinatorPhase.LISTED;
        }
        return ask == null ? CoordinatorPhase.GATHERING : CoordinatorPhase.ASKED;
    }
}
