package dev.tacit.federated.run;

import dev.tacit.federated.crypto.ContentHash;
import dev.tacit.federated.factor.ChangeCoordinator;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.message.StudyTerms;
import dev.tacit.federated.protocol.CoordinatorMachine;
import dev.tacit.federated.protocol.OpenedSum;
import dev.tacit.federated.store.Journal;
import dev.tacit.federated.study.Study;
import dev.tacit.federated.study.StudyPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Recomputes what a coordinator says it opened, from what parties sent, and compares what everybody kept.
 *
 * <pre>
 *   every message      is of this study and signed by whom it says
 *   every opened sum   Σ of the survivors' masked vectors without the masks that parties opened, has the hash that the coordinator signed
 *                      and t parties signed exactly its list of survivors before, with the hashes of exactly these vectors
 *   every other round  was given up because the coordinator's log does not hold what opens it
 *   every request      names the hash of the end of the round before as it is kept
 *   every log          is whole: messages to its last byte
 *                      the coordinator's has all that parties say it sent them, also the signatures without which they open nothing
 *                      a party's has all that the coordinator's has of it, but for refusals
 *   every two logs     hold the same message of a sender, kind and round, and are not of one and the same party
 *   every party        has at most one vector and one opening for a round
 *   without masks      every approximation that the coordinator sent or signed follows from the changes that it had then
 *                      and no round ended before all had answered with fewer than M − d changes
 *                      but one in which it signed that the study was given up, which it does not say of rounds with as many
 * </pre>
 *
 * Anybody can do this who has the study and the coordinator's log; it needs no key and no record. A party's log alone shows signatures and
 * consistency, not sums: it holds nobody else's vector. It is for logs of roles that are not running: nobody can tell one
 * that was copied before the others went on from one that was shortened.
 */
final class FederationAudit {
    /**
     * What was found.
     *
     * @param messages how many were looked at
     * @param sums how many were recomputed and are right
     * @param coordinators whether a coordinator's log is among them; nothing can be recomputed from others
     * @param over whether one of these shows the end of the study
     * @param findings what is wrong, in sentences
     */
    record Findings(long messages, long sums, boolean coordinators, boolean over, List<String> findings) {
        boolean clean() {
            return findings.isEmpty();
        }
    }

    /** A log that nothing is written to. */
    record Copy(EnvelopeHistory history) implements Journal {
        @Override
        public List<byte[]> entries() {
            return history.envelopes().stream().map(Envelope::toBytes).toList();
        }

        @Override
        public void append(List<byte[]> entries) {
            // what would follow is of no interest
        }

        @Override
        public byte[] head() {
            return new byte[ContentHash.BYTES];
        }
    }

    /** One role's log. */
    record Log(String name, EnvelopeHistory history) {
        /** The places of parties that something in it is from, or, without masks, for. */
        private IntStream places() {
            return history.envelopes().stream()
                    .mapToInt(envelope -> envelope.kind() == MessageKind.STATE
                            ? ChangeCoordinator.receiver(envelope)
                            : envelope.sender())
                    .filter(place -> place != Envelope.COORDINATOR)
                    .distinct();
        }

        /** Whether a coordinator wrote it: it has to do with several parties, or holds what no party writes down. */
        boolean isCoordinators() {
            return places().limit(2).count() > 1
                    || history.of(MessageKind.QUORUM).findAny().isPresent();
        }
    }

    /** The log of a party, by its place. */
    private record PartysLog(int place, Log log) {}

    private static final HexFormat HEX = HexFormat.of();

    private final StudyPlan plan;
    private final StudyTerms terms;
    private final List<String> findings = new ArrayList<>();
    private final Map<String, Envelope> first = new HashMap<>();
    private long messages;
    private long sums;

    FederationAudit(Study study) {
        this.plan = StudyPlan.of(study);
        this.terms = plan.terms();
    }

    Findings of(List<Log> given) {
        List<Log> logs = given.stream().filter(this::isOfThisStudy).toList();
        for (Log log : logs) {
            whole(log);
            for (Envelope envelope : log.history().envelopes()) {
                messages++;
                if (signed(log, envelope)) {
                    same(log, envelope);
                }
            }
        }
        List<Log> coordinators = new ArrayList<>();
        List<PartysLog> parties = new ArrayList<>();
        for (Log log : logs) {
            if (log.isCoordinators()) {
                coordinators.add(log);
            } else {
                log.places().forEach(place -> parties.add(new PartysLog(place, log)));
            }
        }
        coordinators.forEach(log -> everythingThatTheCoordinatorSent(log, logs));
        parties.forEach(log -> everythingThatItsPartySent(log, coordinators));
        onePartyOneLog(parties);
        ends(coordinators, logs);
        coordinators.forEach(plan.changes().isPresent() ? this::approximations : this::sums);
        boolean over = coordinators.stream().anyMatch(this::isOver);
        return new Findings(messages, sums, !coordinators.isEmpty(), over, List.copyOf(findings));
    }

    /** A log of which nothing is of this study is none of its logs, and nobody's lie. */
    private boolean isOfThisStudy(Log log) {
        List<Envelope> envelopes = log.history().envelopes();
        boolean other = !envelopes.isEmpty()
                && envelopes.stream().noneMatch(envelope -> Arrays.equals(envelope.study(), terms.binding()));
        if (other) {
            findings.add(log.name() + " is the log of another study.");
        }
        return !other;
    }

    private boolean isOver(Log log) {
        return log.history().of(MessageKind.RESULT).anyMatch(result -> result.round() == terms.rounds() - 1);
    }

    private String sender(Envelope envelope) {
        return envelope.sender() == Envelope.COORDINATOR ? "the coordinator" : party(envelope.sender());
    }

    private String party(int place) {
        return place < terms.size() ? terms.parties().get(place).name() : "nobody";
    }

    private void whole(Log log) {
        if (log.history().envelopes().isEmpty()) {
            findings.add(log.name() + " holds no message at all, so nothing can be said of it.");
        }
        if (log.history().bytesBehind() > 0) {
            findings.add(
                    log.name() + " holds " + log.history().bytesBehind() + " bytes behind its message "
                            + log.history().envelopes().size()
                            + " that are no message: somebody changed it, or its program was killed there and not started again.");
        }
    }

    /** A coordinator writes down what it sends before it sends it, so what a party was told, or answered, is in its log. */
    private void everythingThatTheCoordinatorSent(Log coordinators, List<Log> logs) {
        Set<String> written = said(coordinators);
        for (Log log : logs) {
            log.history().envelopes().stream()
                    .filter(envelope -> sentBefore(envelope)
                            .filter(sent -> !written.contains(sent))
                            .isPresent())
                    .mapToInt(Envelope::round)
                    .distinct()
                    .forEach(round -> findings.add(coordinators.name()
                            + " does not hold everything that the coordinator sent in round " + (round + 1) + ", as "
                            + log.name() + " shows."));
        }
    }

    /** What the coordinator sent if there is a message: that itself, or the signatures that a party sees before it opens anything. */
    private static Optional<String> sentBefore(Envelope envelope) {
        return envelope.sender() == Envelope.COORDINATOR
                ? Optional.of(said(envelope))
                : envelope.kind() == MessageKind.OPENING
                        ? Optional.of(said(Envelope.COORDINATOR, MessageKind.QUORUM, envelope.round()))
                        : Optional.empty();
    }

    /** A party writes down what it sends before it sends it, all but what it refuses without losing the round. */
    private void everythingThatItsPartySent(PartysLog own, List<Log> coordinators) {
        Set<String> written = said(own.log());
        for (Log coordinator : coordinators) {
            coordinator.history().envelopes().stream()
                    .filter(envelope -> envelope.sender() == own.place() && envelope.kind() != MessageKind.REFUSAL)
                    .filter(envelope -> !written.contains(said(envelope)) && isSigned(envelope))
                    .min(Comparator.comparingInt(Envelope::round))
                    .ifPresent(envelope -> findings.add(lacks(own, envelope, coordinator)));
        }
    }

    private String lacks(PartysLog own, Envelope envelope, Log coordinator) {
        return own.log().name() + " does not hold everything that " + party(own.place()) + " sent, first in round "
                + (envelope.round() + 1) + " (" + envelope.kind() + "), as " + coordinator.name()
                + " shows: it was shortened, put back from an older copy, or copied before the other log was.";
    }

    /** A coordinator's log that is cut behind its first message looks like that of the party that sent this message. */
    private void onePartyOneLog(List<PartysLog> parties) {
        Map<Integer, Log> known = new HashMap<>();
        for (PartysLog own : parties) {
            Log other = known.putIfAbsent(own.place(), own.log());
            if (other != null && (isAsked(own.log()) || isAsked(other))) {
                findings.add(other.name() + " and " + own.log().name() + " both hold messages of " + party(own.place())
                        + " and of no other party: one is a copy, or the beginning of the coordinator's log.");
            }
        }
    }

    /** Before the coordinator said anything, its log and a party's are the same. */
    private static boolean isAsked(Log log) {
        return log.history().envelopes().stream().anyMatch(envelope -> envelope.sender() == Envelope.COORDINATOR);
    }

    /** Every request names the end of the round before, so that nobody can change afterwards how a round ended. */
    private void ends(List<Log> coordinators, List<Log> logs) {
        Map<Integer, Set<String>> kept = new HashMap<>();
        for (Log log : logs) {
            log.history()
                    .of(MessageKind.RESULT)
                    .filter(result -> result.sender() == Envelope.COORDINATOR)
                    .forEach(result -> kept.computeIfAbsent(result.round() + 1, round -> new HashSet<>())
                            .add(HEX.formatHex(result.hash())));
        }
        kept.put(0, Set.of(HEX.formatHex(Envelope.noContext())));
        Map<Integer, String> wrong = new TreeMap<>();
        for (Log log : logs) {
            log.history().of(MessageKind.ASK).forEach(ask -> {
                Set<String> ends = kept.getOrDefault(ask.round(), Set.of());
                Set<String> named = CoordinatorMachine.previous(ask, terms.size())
                        .map(hash -> Set.of(HEX.formatHex(hash)))
                        .orElse(Set.of());
                boolean unknown = ends.isEmpty() && coordinators.isEmpty();
                if (!unknown && (named.isEmpty() || !ends.equals(named))) {
                    wrong.putIfAbsent(ask.round(), log.name());
                }
            });
        }
        wrong.forEach((round, name) -> findings.add("the request of round " + (round + 1) + " in " + name
                + " does not name the end of the round before as it is kept: what the coordinator signed there was"
                + " taken away or replaced."));
    }

    /** What a message is called of which there is one. */
    private static String said(Envelope envelope) {
        return said(envelope.sender(), envelope.kind(), envelope.round())
                + (envelope.kind() == MessageKind.STATE ? " " + ChangeCoordinator.receiver(envelope) : "");
    }

    private static String said(int sender, MessageKind kind, int round) {
        return sender + " " + kind + " " + round;
    }

    private static Set<String> said(Log log) {
        return log.history().envelopes().stream().map(FederationAudit::said).collect(Collectors.toSet());
    }

    private boolean signed(Log log, Envelope envelope) {
        int before = findings.size();
        if (!Arrays.equals(envelope.study(), terms.binding())) {
            findings.add(log.name() + " holds a message of another study.");
        } else if (!isSigned(envelope)) {
            findings.add(log.name() + " holds a message of round " + (envelope.round() + 1) + " that "
                    + sender(envelope) + " did not sign.");
        }
        return findings.size() == before;
    }

    private boolean isSigned(Envelope envelope) {
        Optional<byte[]> key = envelope.sender() == Envelope.COORDINATOR
                ? Optional.of(terms.coordinatorKey())
                : envelope.sender() < terms.size()
                        ? Optional.of(terms.parties().get(envelope.sender()).identityKey())
                        : Optional.empty();
        return key.isPresent() && envelope.isSignedBy(key.get());
    }

    /** A sender says one thing of a kind in a round, to everybody. */
    private void same(Log log, Envelope envelope) {
        if (envelope.kind() == MessageKind.REFUSAL) {
            return;
        }
        Envelope before = first.putIfAbsent(said(envelope), envelope);
        if (before != null && !Arrays.equals(before.hash(), envelope.hash())) {
            findings.add(sender(envelope) + " said two different things in round " + (envelope.round() + 1) + " ("
                    + envelope.kind() + "), as " + log.name() + " and another log show; both are signed.");
        }
    }

    /** Every approximation that was sent follows from the changes before it, to the bit. */
    private void approximations(Log log) {
        try {
            ChangeCoordinator.replayed(terms, plan.changes().orElseThrow(), new Copy(log.history()), true);
            sums += log.history().of(MessageKind.STATE).count()
                    + log.history().of(MessageKind.RESULT).count();
        } catch (ProtocolRefusal e) {
            findings.add(log.name() + " cannot be replayed: " + e.sentence() + ".");
        } catch (RuntimeException e) { // a dishonest log may hold any messages in any order
            findings.add(log.name() + " cannot be replayed: its messages do not follow from each other.");
        }
    }

    private void sums(Log log) {
        CoordinatorMachine machine;
        try {
            machine = CoordinatorMachine.replayed(terms, new Copy(log.history()), CoordinatorRun.noise(plan));
        } catch (ProtocolRefusal e) {
            findings.add(log.name() + " cannot be replayed: " + e.sentence() + ".");
            return;
        } catch (RuntimeException e) { // a dishonest log may hold any messages in any order
            findings.add(log.name() + " cannot be replayed: its messages do not follow from each other.");
            return;
        }
        for (int round : new TreeSet<>(log.history().opened())) {
            byte[] said = log.history()
                    .of(MessageKind.RESULT)
                    .filter(result -> result.round() == round)
                    .findFirst()
                    .orElseThrow()
                    .body();
            Optional<OpenedSum> sum = machine.opened(round);
            if (sum.isEmpty()) {
                findings.add("the sum of round " + (round + 1) + " cannot be recomputed from " + log.name() + ".");
            } else if (!Arrays.equals(sum.get().hash(), said)) {
                findings.add("the coordinator signed another sum for round " + (round + 1) + " than " + log.name()
                        + " gives.");
            } else if (!agreed(machine, round)) {
                findings.add("the sum of round " + (round + 1) + " was opened, and " + log.name()
                        + " does not show that " + terms.threshold() + " parties signed its list of survivors.");
            } else {
                sums++;
            }
        }
        log.history()
                .of(MessageKind.RESULT)
                .filter(result -> result.body().length == 0)
                .mapToInt(Envelope::round)
                .distinct()
                .filter(round -> canOpen(machine, round))
                .forEach(round -> findings.add("the coordinator signed that round " + (round + 1)
                        + " was given up, and " + log.name() + " holds all that opens its sum."));
    }

    private static boolean canOpen(CoordinatorMachine machine, int round) {
        try {
            return machine.canOpen(round);
        } catch (RuntimeException e) { // a dishonest log may hold any vectors and shares
            return false;
        }
    }

    private static boolean agreed(CoordinatorMachine machine, int round) {
        try {
            return machine.hasQuorum(round);
        } catch (ProtocolRefusal unreadable) {
            return false;
        }
    }
}
