package dev.tacit.federated.protocol;

import dev.tacit.federated.crypto.BrokenSeal;
import dev.tacit.federated.crypto.SealedBox;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.message.ProtocolRefusal.Reason;
import dev.tacit.federated.message.StudyParty;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What a party checks before it does what a message asks: the conditions of {@link PartyGuard} as code. */
final class PartyGuards {
    private final PartyMemory own;

    PartyGuards(PartyMemory own) {
        this.own = own;
    }

    /** Refuses a message for which a guard does not hold. */
    void check(PartyGuard guard, Envelope envelope) throws ProtocolRefusal {
        switch (guard) {
            case ENOUGH_TAKE_PART -> checkTakingPart(RoundMessages.Ask.read(envelope, own.terms.size()));
            case KEYS_SIGNED -> checkKeys(RoundMessages.Ask.read(envelope, own.terms.size()));
            case SHARES_OPEN -> openShares(RoundMessages.Ask.read(envelope, own.terms.size()), envelope.attachment());
            case REQUEST_FITS -> {
                Optional<String> words = own.source.refusal(
                        own.current.number,
                        RoundMessages.Ask.read(envelope, own.terms.size()).request());
                if (words.isPresent()) {
                    throw new ProtocolRefusal(Reason.REQUEST_REFUSED, words.get());
                }
            }
            case SAME_SET -> {
                if (!own.current.ask.saysTheSameAs(envelope)) {
                    keepEvidence(envelope);
                    throw new ProtocolRefusal(
                            Reason.OTHER_REQUEST,
                            "round " + own.current.number
                                    + " was asked for with another request or in other company before, and is answered once");
                }
            }
            case LISTS_APART -> {
                RoundMessages.Survivors lists = RoundMessages.Survivors.read(envelope.body(), own.terms.size());
                if (!lists.survivors().isApartFrom(lists.lost())
                        || !lists.survivors().and(lists.lost()).equals(own.current.asked.taking())) {
                    throw new ProtocolRefusal(
                            Reason.OVERLAPPING_LISTS,
                            "those who survived and those who are lost are not two halves of those who took part, and a party"
                                    + " in both would be laid open");
                }
            }
            case ENOUGH_SURVIVE -> {
                int survivors = RoundMessages.Survivors.read(envelope.body(), own.terms.size())
                        .survivors()
                        .size();
                if (survivors < own.terms.least()) {
                    throw tooFew("a sum of " + survivors);
                }
            }
            case OWN_VECTOR -> checkOwnVector(RoundMessages.Survivors.read(envelope.body(), own.terms.size()));
            case VECTORS_SIGNED -> checkVectors(RoundMessages.Survivors.read(envelope.body(), own.terms.size()));
            case SAME_SURVIVORS -> {
                if (!own.current.survivors.saysTheSameAs(envelope)) {
                    keepEvidence(envelope);
                    throw new ProtocolRefusal(
                            Reason.OTHER_SURVIVORS,
                            "this party agreed to another list of survivors of round " + own.current.number
                                    + ", and agrees once");
                }
            }
            case QUORUM_SIGNED -> checkQuorum(RoundMessages.Quorum.read(envelope.body(), own.terms.size()));
        }
    }

    /** Two signed messages that contradict each other prove that the coordinator said both: the first of them a round is written down. */
    private void keepEvidence(Envelope second) {
        if (!own.current.contradicted) {
            own.current.contradicted = true;
            own.journal.append(List.of(second.bare().toBytes()));
        }
    }

    private ProtocolRefusal tooFew(String what) {
        return new ProtocolRefusal(
                Reason.TOO_FEW,
                what + " parties would hold less noise than was charged; the study asks for at least "
                        + own.terms.least());
    }

    private void checkTakingPart(RoundMessages.Ask ask) throws ProtocolRefusal {
        if (ask.taking().size() < own.terms.least()) {
            throw tooFew("a round of " + ask.taking().size());
        }
        if (!ask.taking().contains(own.place)) {
            throw new ProtocolRefusal(
                    Reason.NOT_IN_SET, "this party is asked for a round in which it does not take part");
        }
        if (!ask.keys().get(own.place).saysTheSameAs(own.current.keys)) {
            if (ask.keys()
                    .get(own.place)
                    .isSignedBy(own.terms.parties().get(own.place).identityKey())) {
                own.stopped = Optional.of(
                        PartyMemory.restored("others hold keys that this party signed and has no record of"));
                throw own.stopped.get();
            }
            throw forged(own.place);
        }
    }

    private void checkKeys(RoundMessages.Ask ask) throws ProtocolRefusal {
        for (Map.Entry<Integer, Envelope> each : ask.keys().entrySet()) {
            if (each.getKey() != own.place
                    && !each.getValue()
                            .isSignedBy(own.terms.parties().get(each.getKey()).identityKey())) {
                throw forged(each.getKey());
            }
            if (!SealedBox.isUsable(PartyMemory.roundKey(each.getValue()))) {
                throw new ProtocolRefusal(
                        Reason.FORGED_KEY,
                        "the round key of party "
                                + own.terms.parties().get(each.getKey()).name()
                                + " is one that everybody agrees with on the same secret");
            }
        }
    }

    private ProtocolRefusal forged(int party) {
        return new ProtocolRefusal(
                Reason.FORGED_KEY,
                "the round key of party " + own.terms.parties().get(party).name()
                        + " is not signed by the identity that the study names");
    }

    private void openShares(RoundMessages.Ask ask, byte[] attachment) throws ProtocolRefusal {
        int[] others = ask.taking().places().filter(party -> party != own.place).toArray();
        Map<Integer, byte[]> boxes =
                RoundMessages.pieces(others, own.shareBytes() + SealedBox.OVERHEAD_BYTES, attachment);
        Map<Integer, byte[]> shares = new TreeMap<>();
        for (int party : others) {
            byte[] context = RoundMessages.boxContext(
                    own.binding,
                    own.current.number,
                    party,
                    own.place,
                    ask.keys().get(party).body());
            try {
                shares.put(
                        party,
                        own.keys
                                .box()
                                .open(
                                        RoundMessages.Keys.read(
                                                        ask.keys().get(party).body())
                                                .seal(),
                                        context,
                                        boxes.get(party)));
            } catch (BrokenSeal broken) {
                throw new ProtocolRefusal(
                        Reason.BROKEN_SHARE,
                        "the share that party " + own.terms.parties().get(party).name()
                                + " sealed for this party was changed on the way");
            }
        }
        shares.put(own.place, own.current.ownShare);
        own.current.shares = shares;
    }

    private void checkOwnVector(RoundMessages.Survivors lists) throws ProtocolRefusal {
        if (lists.survivors().contains(own.place)
                && (own.current.vector == null
                        || !own.current.vector.signedHash().equals(lists.vectorOf(own.place)))) {
            throw new ProtocolRefusal(
                    Reason.OTHER_VECTOR,
                    "the list of survivors names another vector for this party than the one that it sent");
        }
    }

    /**
     * Seeds that are opened for one request and company take the masks off vectors of another one as well, so who answered another one must
     * not be said to survive.
     */
    private void checkVectors(RoundMessages.Survivors lists) throws ProtocolRefusal {
        for (int party : lists.survivors().places().toArray()) {
            StudyParty survivor = own.terms.parties().get(party);
            if (!lists.vectorOf(party)
                    .isOf(
                            survivor.identityKey(),
                            own.binding,
                            own.current.number,
                            MessageKind.VECTOR,
                            party,
                            own.current.context)) {
                throw new ProtocolRefusal(
                        Reason.OTHER_VECTOR,
                        "the list of survivors names a vector that " + survivor.name()
                                + " did not sign for the request and the company that this party answered");
            }
        }
    }

    private void checkQuorum(RoundMessages.Quorum quorum) throws ProtocolRefusal {
        int[] signers = quorum.agreed().places().toArray();
        int valid = 0;
        for (int i = 0; i < signers.length && valid < own.terms.threshold(); i++) {
            Envelope agreed = new Envelope(
                    Envelope.VERSION,
                    own.binding,
                    own.current.number,
                    MessageKind.AGREED,
                    signers[i],
                    own.current.agreed.context(),
                    new byte[0],
                    new byte[0],
                    quorum.signatures().get(i));
            if (agreed.isSignedBy(own.terms.parties().get(signers[i]).identityKey())) {
                valid++;
            }
        }
        if (valid < own.terms.threshold()) {
            throw new ProtocolRefusal(
                    Reason.NO_QUORUM,
                    "only " + valid + " parties signed the list of survivors that this party agreed to, and "
                            + own.terms.threshold() + " must");
        }
    }
}
