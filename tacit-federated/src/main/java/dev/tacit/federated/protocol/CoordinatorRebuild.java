package dev.tacit.federated.protocol;

import dev.tacit.federated.crypto.RoundKeys;
import dev.tacit.federated.crypto.SealedBox;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.PartySet;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.message.ProtocolRefusal.Reason;
import dev.tacit.federated.message.StudyTerms;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Makes the log of a coordinator again from those of its parties.
 *
 * <p>A party's log has what it sent, and of what the coordinator said the requests and lists that it answered and the ends of rounds that it
 * did not open. Those are taken as they were signed, because nobody answers a second one; what is in no log was answered by nobody whose
 * log is here, and is said anew. A round that was over before ends as it did: opened to the same sum, or given up.
 */
public final class CoordinatorRebuild {
    private final StudyTerms terms;
    private final CoordinatorMachine machine;

    /** By round and kind: of the coordinator, and of parties by place. */
    private final Map<Integer, Map<MessageKind, Envelope>> said = new TreeMap<>();

    private final Map<Integer, Map<MessageKind, Map<Integer, Envelope>>> given = new TreeMap<>();
    private final Set<Integer> owners = new HashSet<>();

    private CoordinatorRebuild(StudyTerms terms, CoordinatorMachine machine) {
        this.terms = terms;
        this.machine = machine;
    }

    /**
     * Gives a machine with an empty journal all that it had, as far as the logs show it.
     *
     * @param kept envelopes of parties' logs, of the study and signed as they say
     */
    public static void of(StudyTerms terms, CoordinatorMachine machine, List<Envelope> kept) throws ProtocolRefusal {
        CoordinatorRebuild rebuild = new CoordinatorRebuild(terms, machine);
        for (Envelope envelope : kept) {
            rebuild.sort(envelope);
        }
        rebuild.rounds();
    }

    private void sort(Envelope envelope) throws ProtocolRefusal {
        if (envelope.round() >= terms.rounds()) {
            return;
        }
        Envelope kept = envelope.kind() == MessageKind.KEYS ? withItsShares(envelope) : envelope;
        Envelope known = kept.sender() == Envelope.COORDINATOR
                ? said.computeIfAbsent(envelope.round(), unused -> new TreeMap<>())
                        .merge(kept.kind(), kept, (first, second) -> first)
                : given.computeIfAbsent(envelope.round(), unused -> new TreeMap<>())
                        .computeIfAbsent(envelope.kind(), unused -> new TreeMap<>())
                        .merge(kept.sender(), kept, CoordinatorRebuild::better);
        if (!known.saysTheSameAs(kept) && kept.kind() != MessageKind.REFUSAL) {
            throw refused(envelope.round(), "two of the logs hold different messages of one sender (" + envelope + ")");
        }
        if (envelope.sender() != Envelope.COORDINATOR) {
            owners.add(envelope.sender());
        }
    }

    /** Of two messages that say the same, the one with shares; of others the first, which is refused then. */
    private static Envelope better(Envelope first, Envelope second) {
        return first.saysTheSameAs(second) && !RoundMessages.hasItsShares(first) ? second : first;
    }

    private static ProtocolRefusal refused(int round, String what) {
        return new ProtocolRefusal(Reason.OUT_OF_ORDER, "round " + (round + 1) + " cannot be made again: " + what);
    }

    private Optional<Envelope> said(int round, MessageKind kind) {
        return Optional.ofNullable(said.getOrDefault(round, Map.of()).get(kind));
    }

    private Map<Integer, Envelope> given(int round, MessageKind kind) {
        return given.getOrDefault(round, Map.of()).getOrDefault(kind, Map.of());
    }

    private void rounds() throws ProtocolRefusal {
        for (int round = 0; round < terms.rounds(); round++) {
            boolean givenUp = isGivenUp(round);
            Optional<Envelope> ask = said(round, MessageKind.ASK);
            if (ask.isPresent()) {
                goThrough(round, ask.get(), givenUp);
            }
            if (machine.round() == round && (givenUp || isPassed(round))) {
                machine.adopt(machine.givenUp(round));
            }
            if (machine.round() == round) {
                break;
            }
        }
        for (int round = machine.round(); round < Math.min(machine.round() + 2, terms.rounds()); round++) {
            if (said(round, MessageKind.ASK).isEmpty()) {
                take(given(round, MessageKind.KEYS));
            }
        }
        machine.goOn();
    }

    /** A round that somebody was asked for: its set and its list are those that were signed. */
    private void goThrough(int round, Envelope ask, boolean givenUp) throws ProtocolRefusal {
        for (Map.Entry<Integer, Envelope> each :
                RoundMessages.Ask.read(ask, terms.size()).keys().entrySet()) {
            Envelope own = given(round, MessageKind.KEYS).get(each.getKey());
            machine.adopt(own != null && own.saysTheSameAs(each.getValue()) ? own : withItsShares(each.getValue()));
        }
        machine.adopt(ask);
        take(given(round, MessageKind.VECTOR));
        take(given(round, MessageKind.REFUSAL));
        Optional<Envelope> list = said(round, MessageKind.SURVIVORS);
        if (list.isPresent()) {
            requireVectors(round, list.get(), givenUp);
            machine.adopt(list.get());
        } else if (givenUp) {
            return;
        }
        machine.goOn();
        take(given(round, MessageKind.AGREED));
        machine.goOn();
        if (!givenUp) {
            take(given(round, MessageKind.OPENING));
            machine.goOn();
            requireSameEnd(round);
        }
    }

    /**
     * Keys with the shares that their party sealed, which are in its own log only; others are replaced by zeros, and whoever was not asked yet
     * cannot be.
     */
    private Envelope withItsShares(Envelope keys) throws ProtocolRefusal {
        int box = (2 + terms.layers()) * RoundKeys.SEED_BYTES + SealedBox.OVERHEAD_BYTES;
        return RoundMessages.hasItsShares(keys) ? keys : keys.with(new byte[(terms.size() - 1) * box]);
    }

    private void take(Map<Integer, Envelope> messages) throws ProtocolRefusal {
        for (Envelope message : messages.values()) {
            machine.take(message);
        }
    }

    private void requireVectors(int round, Envelope list, boolean givenUp) throws ProtocolRefusal {
        PartySet survivors =
                RoundMessages.Survivors.read(list.body(), terms.size()).survivors();
        for (int party : survivors.places().toArray()) {
            if (!givenUp && !given(round, MessageKind.VECTOR).containsKey(party)) {
                throw refused(
                        round,
                        "the log of " + terms.parties().get(party).name() + " is needed, whose vector is in the sum");
            }
        }
    }

    private void requireSameEnd(int round) throws ProtocolRefusal {
        Optional<Envelope> end = said(round, MessageKind.RESULT);
        Optional<OpenedSum> opened = machine.opened(round);
        if (end.isPresent() && opened.isEmpty()) {
            throw tooFew(round);
        }
        if (end.isPresent() && !Arrays.equals(end.get().body(), opened.get().hash())) {
            throw refused(round, "it ended otherwise than these logs say");
        }
    }

    private static ProtocolRefusal tooFew(int round) {
        return refused(round, "it was opened, and these logs do not hold enough shares; ask for more logs");
    }

    /** Whether parties were told that a round was given up, or the next one was asked for on that ground. */
    private boolean isGivenUp(int round) throws ProtocolRefusal {
        Optional<Envelope> end = said(round, MessageKind.RESULT);
        Optional<Envelope> next = said(round + 1, MessageKind.ASK);
        if (end.isPresent() || next.isEmpty()) {
            return end.isPresent() && end.get().body().length == 0;
        }
        byte[] previous = RoundMessages.Ask.read(next.get(), terms.size()).previous();
        return Arrays.equals(previous, machine.givenUp(round).hash());
    }

    /** Whether a round that these logs do not open was over all the same, which only a round that was given up can be. */
    private boolean isPassed(int round) throws ProtocolRefusal {
        if (said(round + 1, MessageKind.ASK).isPresent()) {
            throw tooFew(round);
        }
        boolean passed = said.keySet().stream().anyMatch(later -> later > round);
        int mayHaveOpened = given(round, MessageKind.OPENING).size() + terms.size() - owners.size();
        if (passed && mayHaveOpened >= terms.threshold()) {
            throw refused(round, "these logs do not show whether it was opened; ask for more logs");
        }
        return passed;
    }
}
