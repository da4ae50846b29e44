package dev.tacit.federated.protocol;

import dev.tacit.door.noise.RandomBits;
import dev.tacit.federated.crypto.RoundKeys;
import dev.tacit.federated.crypto.SealedBox;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.message.ProtocolRefusal.Reason;
import dev.tacit.federated.message.StudyParty;
import dev.tacit.federated.message.StudyTerms;
import dev.tacit.federated.store.Journal;
import dev.tacit.federated.store.Secrets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/** What a party of a study has and knows: its keys and disks, the round it is in, and the one before. */
final class PartyMemory {
    final StudyTerms terms;
    final byte[] binding;
    final int place;
    final PartyKeys keys;
    final Journal journal;
    final Secrets secrets;
    final ReleaseSource source;
    final Supplier<? extends RandomBits> random;
    private final PartyMachine.ContextRule contexts;

    PartyRound current = new PartyRound(0);
    Optional<PartyRound> previous = Optional.empty();

    /** Secrets of rounds that are over, by name. */
    final List<String> unneeded = new ArrayList<>();

    /** How many releases it has made or lost. */
    int releases;

    /** Why it takes no further part in the study. */
    Optional<ProtocolRefusal> stopped = Optional.empty();

    PartyMemory(
            StudyTerms terms,
            int place,
            PartyKeys keys,
            Journal journal,
            Secrets secrets,
            ReleaseSource source,
            Supplier<? extends RandomBits> random,
            PartyMachine.ContextRule contexts) {
        this.terms = Objects.requireNonNull(terms, "terms");
        this.binding = terms.binding();
        this.place = Objects.checkIndex(place, terms.size());
        this.keys = Objects.requireNonNull(keys, "keys");
        this.journal = Objects.requireNonNull(journal, "journal");
        this.secrets = Objects.requireNonNull(secrets, "secrets");
        this.source = Objects.requireNonNull(source, "source");
        this.random = Objects.requireNonNull(random, "random");
        this.contexts = Objects.requireNonNull(contexts, "contexts");
        StudyParty me = terms.parties().get(place);
        if (!Arrays.equals(me.identityKey(), keys.identity().publicKey())
                || !Arrays.equals(me.sealingKey(), keys.box().publicKey())) {
            throw new IllegalArgumentException(
                    "the study names other keys for party " + me.name() + " than it has here");
        }
    }

    int shareBytes() {
        return (2 + terms.layers()) * RoundKeys.SEED_BYTES;
    }

    static String secretName(String kind, PartyRound round) {
        return secretName(kind, round.number);
    }

    static String secretName(String kind, int round) {
        return kind + "-" + round;
    }

    void beginRound(int number) {
        previous = current.phase == PartyPhase.WAITING ? Optional.empty() : Optional.of(current);
        current = new PartyRound(number);
    }

    void bind(PartyRound round, Envelope ask) throws ProtocolRefusal {
        round.asked = RoundMessages.Ask.read(ask, terms.size());
        round.ask = ask.bare();
        round.context =
                contexts.context(binding, round.number, round.asked.request(), round.asked.taking(), terms.size());
    }

    void agree(PartyRound round, Envelope survivors) throws ProtocolRefusal {
        round.surviving = RoundMessages.Survivors.read(survivors.body(), terms.size());
        round.survivors = survivors;
    }

    void closed(Envelope result) {
        if (result.round() > current.number) {
            beginRound(result.round());
        }
        current.phase = PartyPhase.CLOSED;
    }

    Envelope refusal(int round, ProtocolRefusal refusal) {
        return signed(round, MessageKind.REFUSAL, Envelope.noContext(), refusal.toBytes());
    }

    Envelope signed(int round, MessageKind kind, byte[] context, byte[] body) {
        return Envelope.signed(keys.identity(), binding, round, kind, place, context, body);
    }

    static byte[] roundKey(Envelope keys) {
        return Arrays.copyOf(keys.body(), SealedBox.KEY_BYTES);
    }

    static ProtocolRefusal restored(String what) {
        return new ProtocolRefusal(
                Reason.RESTORED,
                what + ": a folder was put back from an older copy, and to go on could release something twice;"
                        + " this party takes no further part in the study");
    }
}
