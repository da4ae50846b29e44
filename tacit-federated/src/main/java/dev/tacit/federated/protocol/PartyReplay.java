package dev.tacit.federated.protocol;

import dev.tacit.federated.crypto.RoundKeys;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.message.ProtocolRefusal.Reason;
import java.util.Arrays;

/** What the journal of a party makes of it: where it stands after a crash, and whether all that its journal speaks of is still there. */
final class PartyReplay {
    private final PartyMemory own;

    private PartyReplay(PartyMemory own) {
        this.own = own;
    }

    /** Brings a party where its disk stands; refused if a folder was put back from an older copy. */
    static void of(PartyMemory own) throws ProtocolRefusal {
        new PartyReplay(own).replay();
    }

    private void replay() throws ProtocolRefusal {
        byte[] head = null;
        int agreed = 0;
        for (byte[] entry : own.journal.entries()) {
            Envelope envelope = Envelope.read(entry, Integer.MAX_VALUE);
            if (!Arrays.equals(envelope.study(), own.binding)) {
                throw new ProtocolRefusal(
                        Reason.OTHER_STUDY,
                        "the journal of this party belongs to another study; start with an empty folder");
            }
            if (envelope.sender() != Envelope.COORDINATOR && envelope.sender() != own.place) {
                throw new ProtocolRefusal(
                        Reason.OTHER_STUDY,
                        "the journal of this party holds messages of others; start with an empty folder");
            }
            if (envelope.kind() == MessageKind.KEYS) {
                head = RoundMessages.Keys.read(envelope.body()).ledgerHead();
            }
            if (envelope.kind() == MessageKind.AGREED) {
                agreed = envelope.round() + 1;
            }
            replay(envelope);
        }
        eraseOldSecrets();
        if (head != null && !own.source.knowsLedgerHead(head)) {
            throw PartyMemory.restored("the ledger has lost lines that this party has signed");
        }
        boolean unasked = own.current.phase == PartyPhase.WAITING || own.current.phase == PartyPhase.KEYED;
        if (own.source.released() > own.current.number + (unasked ? 0 : 1)) {
            throw PartyMemory.restored(
                    "the ledger knows of a release that the journal of this party has no request for");
        }
        if (own.source.agreedRounds() > agreed) {
            throw PartyMemory.restored("the journal of this party lacks a list that it agreed to");
        }
        if (!own.current.isOver() && own.current.phase != PartyPhase.WAITING) {
            restoreSecrets();
        }
    }

    /** A crash may come between a round's last line and the end of its secrets. */
    private void eraseOldSecrets() {
        for (int round = 0; round <= own.current.number; round++) {
            if (round < own.current.number || own.current.isOver()) {
                own.secrets.erase(PartyMemory.secretName("keys", round));
                own.secrets.erase(PartyMemory.secretName("shares", round));
            }
        }
    }

    private void replay(Envelope envelope) throws ProtocolRefusal {
        if (envelope.kind() == MessageKind.KEYS) {
            own.beginRound(envelope.round());
            own.current.keys = envelope;
            own.current.phase = PartyPhase.KEYED;
            return;
        }
        PartyRound round = own.current;
        if (envelope.sender() == Envelope.COORDINATOR
                && envelope.kind() != MessageKind.RESULT
                && envelope.round() != round.number) {
            return; // kept as evidence: the coordinator said two things about a round that is over
        }
        switch (envelope.kind()) {
            case ASK -> {
                if (round.ask == null) {
                    own.bind(round, envelope);
                    round.phase = PartyPhase.BOUND;
                }
            }
            case VECTOR -> {
                round.vector = envelope;
                round.phase = PartyPhase.SHARED;
                own.releases++;
            }
            case REFUSAL -> {
                round.lost = envelope;
                round.phase = PartyPhase.LOST;
                own.releases++;
            }
            case SURVIVORS -> {
                if (round.agreed == null) {
                    own.agree(round, envelope);
                }
            }
            case AGREED -> {
                round.agreed = envelope;
                round.phase = PartyPhase.AGREED;
            }
            case OPENING -> {
                round.opening = envelope;
                round.phase = PartyPhase.OPENED;
            }
            case RESULT -> own.closed(envelope);
            default -> throw Envelope.malformed();
        }
    }

    private void restoreSecrets() throws ProtocolRefusal {
        byte[] kept = own.secrets
                .read(PartyMemory.secretName("keys", own.current))
                .orElseThrow(() -> PartyMemory.restored("the secrets of the round are gone"));
        readKeptSecrets(own.current, kept);
        if (own.current.asked != null) {
            byte[] shares = own.secrets
                    .read(PartyMemory.secretName("shares", own.current))
                    .orElseThrow(() -> PartyMemory.restored("the shares of the round are gone"));
            own.current.shares =
                    RoundMessages.pieces(own.current.asked.taking().places().toArray(), own.shareBytes(), shares);
        }
    }

    private void readKeptSecrets(PartyRound round, byte[] kept) {
        int length = kept.length - own.shareBytes();
        round.secrets = RoundKeys.of(Arrays.copyOf(kept, length), own.terms.layers());
        round.ownShare = Arrays.copyOfRange(kept, length, kept.length);
    }
}
