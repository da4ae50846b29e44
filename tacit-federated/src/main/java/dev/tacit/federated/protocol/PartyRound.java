package dev.tacit.federated.protocol;

import dev.tacit.federated.crypto.RoundKeys;
import dev.tacit.federated.message.Envelope;
import java.util.Map;
import java.util.TreeMap;

/** What a party knows of one round: envelopes of its journal, and what follows from them. */
final class PartyRound {
    final int number;
    PartyPhase phase = PartyPhase.WAITING;

    /** What was sent, or is being sent. */
    Envelope keys;

    Envelope vector;
    Envelope agreed;
    Envelope opening;
    Envelope lost;

    /** What was received and holds. */
    Envelope ask;

    Envelope survivors;

    /** Read from what was received. */
    RoundMessages.Ask asked;

    RoundMessages.Survivors surviving;
    byte[] context;

    /** Whether a message that contradicts another is in the journal. */
    boolean contradicted;

    /** Secrets while the round is open. */
    RoundKeys secrets;

    byte[] ownShare;
    Map<Integer, byte[]> shares = new TreeMap<>();

    /** What the door released, until it is masked. */
    long[] released;

    PartyRound(int number) {
        this.number = number;
    }

    /** The round is over, or this party's part in it is done. */
    boolean isOver() {
        return phase == PartyPhase.OPENED || phase == PartyPhase.CLOSED;
    }
}
