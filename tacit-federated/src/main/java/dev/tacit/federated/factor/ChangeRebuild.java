package dev.tacit.federated.factor;

import dev.tacit.federated.crypto.Identity;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.message.ProtocolRefusal.Reason;
import dev.tacit.federated.message.StudyTerms;
import dev.tacit.federated.store.Journal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Makes the log of a coordinator of changes again from those of its parties.
 *
 * <p>A party's log has every approximation that it was sent and every change that it gave. Whose changes were used, and in which order, is in the
 * approximations: the one after a change is q · change^damping to the bit, so an order that leads to all of them is the order. Of changes
 * that no approximation followed the order is free, unless the end of the study is known, which names what they led to. What the
 * coordinator that is made again has said contradicts nothing in these logs; a party whose log is not among them may have been told
 * something else, so all are asked for. A log without any message is that of a party that was told nothing.
 */
public final class ChangeRebuild {
    /** Parties of whom it is not known whether a round has used them; each doubles what is tried. */
    private static final int MOST_UNKNOWN = 12;

    /** Orders that are tried before it is said that the logs do not show it. */
    private static final int MOST_TRIALS = 5_000;

    /** A journal that nobody keeps. */
    private record Draft(List<byte[]> entries) implements Journal {
        @Override
        public void append(List<byte[]> added) {
            entries.addAll(added);
        }

        @Override
        public byte[] head() {
            throw new UnsupportedOperationException("a draft has no chain");
        }
    }

    /** A log as far as it is made, and the machine that it makes. */
    private record Attempt(Draft draft, ChangeCoordinator machine) {}

    private final StudyTerms terms;
    private final ChangeRules rules;
    private final Identity identity;
    private final List<TreeMap<Integer, Envelope>> states = new ArrayList<>();
    private final List<TreeMap<Integer, Envelope>> answers = new ArrayList<>();
    private Optional<Envelope> result = Optional.empty();
    private int trials;

    private ChangeRebuild(StudyTerms terms, ChangeRules rules, Identity identity, List<Envelope> kept, long emptyLogs)
            throws ProtocolRefusal {
        this.terms = terms;
        this.rules = rules;
        this.identity = identity;
        for (int party = 0; party < terms.size(); party++) {
            states.add(new TreeMap<>());
            answers.add(new TreeMap<>());
        }
        for (Envelope envelope : kept) {
            sort(envelope);
        }
        int silent = 0;
        for (int party = 0; party < terms.size(); party++) {
            if (states.get(party).isEmpty() && ++silent > emptyLogs) {
                throw new ProtocolRefusal(
                        Reason.MALFORMED,
                        "the log of party " + terms.parties().get(party).name()
                                + " is not among them, and without masks all are needed");
            }
        }
    }

    private void sort(Envelope envelope) throws ProtocolRefusal {
        boolean ours = Arrays.equals(envelope.study(), terms.binding());
        boolean signed = envelope.sender() == Envelope.COORDINATOR
                ? envelope.isSignedBy(terms.coordinatorKey())
                : envelope.sender() < terms.size()
                        && envelope.isSignedBy(
                                terms.parties().get(envelope.sender()).identityKey());
        if (!ours || !signed) {
            throw new ProtocolRefusal(
                    Reason.NOT_SIGNED,
                    "a log holds a message of another study or one that nobody in this study signed");
        }
        switch (envelope.kind()) {
            case STATE -> states.get(StateBody.read(envelope).party()).put(envelope.round(), envelope);
            case CHANGE, REFUSAL -> answers.get(envelope.sender()).put(envelope.round(), envelope);
            case RESULT -> result = Optional.of(envelope);
            default -> throw Envelope.malformed();
        }
    }

    /**
     * The entries of the log.
     *
     * @param kept everything in the parties' logs
     * @param emptyLogs how many logs were handed over that hold no message
     */
    public static List<byte[]> entries(
            StudyTerms terms, ChangeRules rules, Identity identity, List<Envelope> kept, long emptyLogs)
            throws ProtocolRefusal {
        ChangeRebuild rebuild = new ChangeRebuild(terms, rules, identity, kept, emptyLogs);
        Attempt first = rebuild.attempt(List.of());
        if (!rebuild.agrees(first)) {
            throw unknown("what the first approximation was");
        }
        Attempt made = rules.asynchronous()
                ? rebuild.inOrder(first).orElseThrow(() -> unknown("in which order the coordinator used the changes"))
                : rebuild.byRounds(first);
        return List.copyOf(made.draft.entries);
    }

    private static ProtocolRefusal unknown(String what) {
        return new ProtocolRefusal(
                Reason.MALFORMED, "they do not show " + what + "; give those of all parties, as new as they are");
    }

    private Attempt attempt(List<byte[]> entries) throws ProtocolRefusal {
        Draft draft = new Draft(new ArrayList<>(entries));
        ChangeCoordinator machine = ChangeCoordinator.open(terms, rules, identity, draft);
        machine.start();
        return new Attempt(draft, machine);
    }

    /** Whether nothing that a coordinator has said here is something else than what parties were told. */
    private boolean agrees(Attempt attempt) throws ProtocolRefusal {
        for (byte[] entry : attempt.draft.entries) {
            Envelope envelope = Envelope.read(entry, Integer.MAX_VALUE);
            if (envelope.kind() == MessageKind.STATE) {
                Envelope told = states.get(StateBody.read(envelope).party()).get(envelope.round());
                if (told != null && !told.saysTheSameAs(envelope)) {
                    return false;
                }
            }
            if (envelope.kind() == MessageKind.RESULT
                    && result.isPresent()
                    && result.get().round() == envelope.round()
                    && !result.get().saysTheSameAs(envelope)) {
                return false;
            }
        }
        return true;
    }

    // ---- changes of a round together

    private Attempt byRounds(Attempt first) throws ProtocolRefusal {
        Attempt made = first;
        for (int round = 0; !made.machine.isOver() && made.machine.roundsDone() == round; round++) {
            made = isOver(round)
                    ? closed(made, round, false)
                    : isGivenUp() ? givenUp(made, round) : fed(made, round, everybody());
        }
        return made;
    }

    private List<Integer> everybody() {
        return IntStream.range(0, terms.size()).boxed().toList();
    }

    /** Whether somebody was told what a round led to. */
    private boolean isOver(int round) {
        return states.stream().anyMatch(told -> told.containsKey(round + 1))
                || (round == rules.rounds() - 1 && result.isPresent() && !isGivenUp());
    }

    private boolean isGivenUp() {
        return result.isPresent() && ChangeCoordinator.isGivenUp(result.get());
    }

    /** Given up in the newest round that parties know of, or in the one after it, which none of them was told of. */
    private Attempt givenUp(Attempt before, int round) throws ProtocolRefusal {
        List<Integer> used = ResultBody.read(result.orElseThrow(), terms.size())
                .used()
                .places()
                .boxed()
                .toList();
        Attempt tried = fed(before, round, used);
        tried.machine.giveUp();
        return tried.machine.isOver() && agrees(tried) ? tried : closed(before, round, true);
    }

    /** @param last whether the study was given up when it was over */
    private Attempt closed(Attempt before, int round, boolean last) throws ProtocolRefusal {
        List<Integer> used = new ArrayList<>();
        List<Integer> open = new ArrayList<>();
        for (int party = 0; party < terms.size(); party++) {
            Envelope answer = answers.get(party).get(round);
            Envelope next = states.get(party).higherEntry(round) == null
                    ? null
                    : states.get(party).higherEntry(round).getValue();
            boolean heard = answer != null
                    && (answer.kind() == MessageKind.REFUSAL
                            || (next != null && Arrays.equals(next.context(), answer.hash())));
            if (heard) {
                used.add(party);
            } else if (answer != null && next == null) {
                open.add(party);
            }
        }
        if (open.size() <= MOST_UNKNOWN) {
            for (int subset = (1 << open.size()) - 1; subset >= 0; subset--) {
                List<Integer> who = new ArrayList<>(used);
                for (int i = 0; i < open.size(); i++) {
                    if ((subset >> i & 1) == 1) {
                        who.add(open.get(i));
                    }
                }
                Attempt tried = fed(before, round, who);
                tried.machine.hurry();
                boolean over = tried.machine.roundsDone() > round;
                if (over && last) {
                    tried.machine.giveUp();
                }
                if (over && agrees(tried)) {
                    return tried;
                }
            }
        }
        throw unknown("whose changes are in round " + (round + 1));
    }

    private Attempt fed(Attempt before, int round, List<Integer> who) throws ProtocolRefusal {
        Attempt after = attempt(before.draft.entries);
        for (int party : who) {
            Envelope answer = answers.get(party).get(round);
            if (answer != null) {
                after.machine.receive(answer);
            }
        }
        return after;
    }

    // ---- changes as they arrive

    /** The first order that leads to everything that parties were told; empty if none does. */
    private Optional<Attempt> inOrder(Attempt before) throws ProtocolRefusal {
        Attempt made = attempt(before.draft.entries);
        List<Envelope> free = new ArrayList<>();
        boolean moved = true;
        boolean left = false;
        while (moved) {
            moved = false;
            left = false;
            free.clear();
            for (Envelope answer : waited(made)) {
                Envelope told = states.get(answer.sender()).get(answer.round() + 1);
                if (told == null) {
                    free.add(answer);
                } else if (made.machine.leadsTo(answer, told)) {
                    made.machine.receive(answer);
                    moved = true;
                    break;
                } else {
                    left = true;
                }
            }
        }
        Optional<Attempt> end = left ? Optional.empty() : end(made, free);
        if (end.isPresent()) {
            return end;
        }
        for (Envelope next : free) {
            if (trials++ < MOST_TRIALS) {
                Attempt tried = attempt(made.draft.entries);
                tried.machine.receive(next);
                Optional<Attempt> found = inOrder(tried);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    /**
     * The answers that are waited for. First those that leave the approximation as it is: what their party was told next may hold before
     * another change and not after it.
     */
    private List<Envelope> waited(Attempt made) throws ProtocolRefusal {
        List<Envelope> still = new ArrayList<>();
        List<Envelope> moving = new ArrayList<>();
        for (int party : made.machine.waitedFor().places().toArray()) {
            Envelope answer = answers.get(party).get(made.machine.asked(party));
            if (answer != null) {
                (ChangeBody.isUsable(answer) ? moving : still).add(answer);
            }
        }
        still.addAll(moving);
        return still;
    }

    /** The end: changes that nothing followed in any order, or the end that is known, if this is what was used before it. */
    private Optional<Attempt> end(Attempt made, List<Envelope> free) throws ProtocolRefusal {
        Attempt ended = attempt(made.draft.entries);
        if (result.isEmpty()) {
            for (Envelope answer : free) {
                ended.machine.receive(answer);
            }
            return Optional.of(ended);
        }
        if (isGivenUp()) {
            ended.machine.giveUp();
        } else {
            ended.machine.hurry();
        }
        return ended.machine.isOver() && agrees(ended) ? Optional.of(ended) : Optional.empty();
    }
}
