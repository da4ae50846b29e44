package dev.tacit.federated.protocol;

import dev.tacit.door.noise.RandomBits;
import dev.tacit.federated.crypto.ContentHash;
import dev.tacit.federated.crypto.RoundKeys;
import dev.tacit.federated.crypto.RoundMasks;
import dev.tacit.federated.crypto.RoundSeal;
import dev.tacit.federated.crypto.SecretShares;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.message.ProtocolRefusal.Reason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** What a party does: the instructions of {@link PartyStep} as code, each durable before the next. */
final class PartySteps {
    private final PartyMemory own;

    PartySteps(PartyMemory own) {
        this.own = own;
    }

    /**
     * Does the instructions of a row in their order; returns what is to be sent.
     *
     * @param message that the row answers; null for what a party does by itself
     */
    List<Envelope> run(PartyTable.Row row, Envelope message) {
        List<Envelope> out = new ArrayList<>();
        for (PartyStep step : row.steps()) {
            Optional<Envelope> sent = perform(step, message);
            sent.ifPresent(out::add);
            if (own.current.phase == PartyPhase.LOST && step == PartyStep.RELEASE) {
                return out;
            }
        }
        own.current.phase = row.next();
        return out;
    }

    private Optional<Envelope> perform(PartyStep step, Envelope message) {
        switch (step) {
            case KEEP_SECRETS -> keepSecrets();
            case LOG_KEYS -> own.journal.append(List.of(own.current.keys.toBytes()));
            case SEND_KEYS -> {
                return Optional.of(own.current.keys);
            }
            case LOG_SET -> logSet(message);
            case RELEASE -> {
                return release();
            }
            case LOG_VECTOR -> logVector();
            case SEND_VECTOR -> {
                return Optional.of(own.current.vector == null ? own.current.lost : own.current.vector);
            }
            case LOG_AGREED -> logAgreed(message);
            case OUTDATE_COPIES -> own.source.outdateCopies(own.current.number + 1);
            case SEND_AGREED -> {
                return Optional.of(own.current.agreed);
            }
            case LOG_OPENING -> logOpening();
            case SEND_OPENING -> {
                return Optional.of(own.current.opening);
            }
            case CLOSE -> {
                own.journal.append(List.of(message.toBytes()));
                forgetSecrets();
            }
        }
        return Optional.empty();
    }

    private void keepSecrets() {
        RandomBits bits = own.random.get();
        RoundKeys drawn = RoundKeys.fresh(bits, own.terms.layers());
        RoundSeal seal = RoundSeal.fresh(bits);
        RoundMessages.Keys keys = new RoundMessages.Keys(
                drawn.publicKey(),
                seal.publicKey(),
                drawn.selfCommitment(),
                drawn.layerAnchor(),
                own.source.ledgerHead(),
                new byte[ContentHash.BYTES]);
        byte[][] shares = SecretShares.split(drawn.shared(), own.terms.threshold(), own.terms.size(), bits);
        int[] others = IntStream.range(0, own.terms.size())
                .filter(party -> party != own.place)
                .toArray();
        byte[] boxes = RoundMessages.pieces(
                others,
                party -> seal.seal(
                        own.terms.parties().get(party).sealingKey(),
                        RoundMessages.boxContext(own.binding, own.current.number, own.place, party, keys.toBytes()),
                        shares[party]));
        own.current.secrets = drawn;
        own.current.ownShare = shares[own.place];
        own.current.keys = own.signed(
                        own.current.number,
                        MessageKind.KEYS,
                        Envelope.noContext(),
                        keys.beside(boxes).toBytes())
                .with(boxes);
        byte[] kept = drawn.kept();
        byte[] all = Arrays.copyOf(kept, kept.length + own.shareBytes());
        System.arraycopy(shares[own.place], 0, all, kept.length, own.shareBytes());
        own.secrets.keep(PartyMemory.secretName("keys", own.current), all);
    }

    private void logSet(Envelope ask) {
        try {
            own.bind(own.current, ask);
        } catch (ProtocolRefusal impossible) {
            throw new IllegalStateException("a request that was read cannot be read again", impossible);
        }
        own.secrets.keep(
                PartyMemory.secretName("shares", own.current),
                RoundMessages.pieces(
                        own.current.asked.taking().places().toArray(), party -> own.current.shares.get(party)));
        own.journal.append(List.of(own.current.ask.toBytes()));
        own.current.phase = PartyPhase.BOUND;
    }

    private Optional<Envelope> release() {
        ProtocolRefusal lost = new ProtocolRefusal(
                Reason.RELEASE_LOST,
                "what this party released for round " + own.current.number
                        + " is gone from its disk, and it is not released again");
        try {
            Optional<long[]> released = own.source.release(
                    own.releases, own.current.number, own.current.asked.request(), own.current.secrets.noiseLayers());
            if (released.isPresent()) {
                own.current.released = released.get();
                return Optional.empty();
            }
        } catch (IllegalArgumentException unanswerable) {
            // The door refuses a question by what is public, before it looks at a record; to ask again would not help.
            lost = new ProtocolRefusal(
                    Reason.REQUEST_REFUSED,
                    "the door of this party cannot answer the request of round " + own.current.number
                            + ", so it has no vector in it");
        }
        own.current.lost = own.refusal(own.current.number, lost);
        own.journal.append(List.of(own.current.lost.toBytes()));
        own.releases++;
        own.current.phase = PartyPhase.LOST;
        return Optional.of(own.current.lost);
    }

    private void logVector() {
        long[] masked = own.current.released.clone();
        RoundMasks masks = new RoundMasks(own.current.context);
        masks.addSelf(masked, own.current.secrets.selfSeed(), own.place);
        for (Map.Entry<Integer, Envelope> each : own.current.asked.keys().entrySet()) {
            if (each.getKey() != own.place) {
                masks.addPair(
                        masked,
                        own.current.secrets.agreement(PartyMemory.roundKey(each.getValue())),
                        own.place,
                        each.getKey());
            }
        }
        own.current.vector =
                own.signed(own.current.number, MessageKind.VECTOR, own.current.context, RoundMessages.bytes(masked));
        own.journal.append(List.of(own.current.vector.toBytes()));
        own.source.kept(own.releases);
        own.releases++;
        own.current.released = null;
        own.current.phase = PartyPhase.SHARED;
    }

    private void logAgreed(Envelope survivors) {
        try {
            own.agree(own.current, survivors);
        } catch (ProtocolRefusal impossible) {
            throw new IllegalStateException("a list that was read cannot be read again", impossible);
        }
        own.current.agreed = own.signed(
                own.current.number,
                MessageKind.AGREED,
                RoundMessages.agreement(own.current.context, survivors.body()),
                new byte[0]);
        own.journal.append(List.of(survivors.toBytes(), own.current.agreed.toBytes()));
    }

    private void logOpening() {
        int missing = own.terms.size() - own.current.surviving.survivors().size();
        byte[] body = RoundMessages.pieces(
                own.current.asked.taking().places().toArray(),
                party -> RecoverableSum.shareFor(
                        own.current.shares.get(party),
                        own.current.surviving.survivors().contains(party),
                        missing,
                        own.terms.layers()));
        own.current.opening = own.signed(own.current.number, MessageKind.OPENING, own.current.agreed.context(), body);
        own.journal.append(List.of(own.current.opening.toBytes()));
        forgetSecrets();
    }

    private void forgetSecrets() {
        own.unneeded.add(PartyMemory.secretName("keys", own.current));
        own.unneeded.add(PartyMemory.secretName("shares", own.current));
        own.current.secrets = null;
        own.current.ownShare = null;
        own.current.shares.clear();
    }
}
