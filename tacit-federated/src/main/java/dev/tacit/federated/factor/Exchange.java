package dev.tacit.federated.factor;

import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.PartySet;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.message.ProtocolRefusal.Reason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * What parties were asked and what they answered, by party and round.
 *
 * <p>A party that says that it was put back from an older copy has answered every later round as well, until it gives a change again.
 */
final class Exchange {
    private final List<TreeMap<Integer, Envelope>> states = new ArrayList<>();
    private final List<TreeMap<Integer, Envelope>> answers = new ArrayList<>();
    private final List<Set<Integer>> usable = new ArrayList<>();
    private final Set<Integer> gone = new HashSet<>();

    Exchange(int parties) {
        for (int party = 0; party < parties; party++) {
            states.add(new TreeMap<>());
            answers.add(new TreeMap<>());
            usable.add(new HashSet<>());
        }
    }

    /** Sorts in a STATE. */
    void ask(Envelope state) throws ProtocolRefusal {
        states.get(StateBody.read(state).party()).put(state.round(), state);
    }

    /** Sorts in a CHANGE; returns whether it can be used. */
    boolean change(Envelope change) throws ProtocolRefusal {
        answers.get(change.sender()).put(change.round(), change);
        gone.remove(change.sender());
        return ChangeBody.isUsable(change) && usable.get(change.sender()).add(change.round());
    }

    /** Sorts in a REFUSAL. */
    void refuse(Envelope refusal, Reason reason) {
        answers.get(refusal.sender()).put(refusal.round(), refusal);
        if (reason == Reason.RESTORED) {
            gone.add(refusal.sender());
        }
    }

    /** What a party was asked in a round. */
    Optional<Envelope> state(int party, int round) {
        return Optional.ofNullable(states.get(party).get(round));
    }

    /** What a party answered in a round. */
    Optional<Envelope> answer(int party, int round) {
        return Optional.ofNullable(answers.get(party).get(round));
    }

    /** The newest round that a party was asked for. */
    int newestAsked(int party) {
        return states.get(party).lastKey();
    }

    /** The newest round that a party has answered; -1 if none. */
    int newestAnswered(int party) {
        return answers.get(party).isEmpty() ? -1 : answers.get(party).lastKey();
    }

    /** What a party was asked last, if it has not answered that. */
    Optional<Envelope> unanswered(int party) {
        return states.get(party).isEmpty()
                        || answers.get(party).containsKey(states.get(party).lastKey())
                ? Optional.empty()
                : Optional.of(states.get(party).lastEntry().getValue());
    }

    /** The hash of a party's newest change, which its next STATE names. */
    byte[] contextFor(int party) {
        return answers.get(party).descendingMap().values().stream()
                .filter(answer -> answer.kind() == MessageKind.CHANGE)
                .findFirst()
                .map(Envelope::hash)
                .orElseGet(Envelope::noContext);
    }

    /** Whether everybody has answered in a round who takes part in the study. */
    boolean isAnswered(int round) {
        return where(party -> gone.contains(party) || answers.get(party).containsKey(round))
                        .size()
                == answers.size();
    }

    /** Who is asked and has not answered. */
    PartySet waitedFor() {
        return where(party -> !gone.contains(party) && unanswered(party).isPresent());
    }

    /** Who has given a change in a round that can be used. */
    PartySet usable(int round) {
        return where(party -> usable.get(party).contains(round));
    }

    /** The changes of some parties in a round, all of which can be used, in the order of parties. */
    List<Approximation.Used> changes(int round, PartySet who) throws ProtocolRefusal {
        List<Approximation.Used> found = new ArrayList<>();
        for (int party : who.places().toArray()) {
            found.add(Approximation.Used.of(answers.get(party).get(round)));
        }
        return found;
    }

    private PartySet where(IntPredicate holds) {
        return PartySet.of(
                IntStream.range(0, answers.size()).filter(holds).boxed().toList());
    }
}
