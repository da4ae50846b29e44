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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Recomputes what a coordinator says it opened, from what parties sent, and compares what everybody kept.
 *
 * <pre>
 *   every message      is of this study and signed by whom it says
 *   every opened sum   Σ of the survivors' masked vectors without the masks that parties opened, has the hash that the coordinator signed
 *                      and t parties signed exactly its list of survivors before
 *   every log          is whole: messages to its last byte, and the coordinator's has all that parties say it sent them
 *   every two logs     hold the same message of a sender, kind and round
 *   every party        has at most one vector and one opening for a round
 *   without masks      every approximation that the coordinator sent or signed follows from the changes that it had then
 * </pre>
 *
 * Anybody can do this who has the study and the coordinator's log; it needs no key and no record. A party's log alone shows signatures and
 * consistency, not sums: it holds nobody else's vector.
 */
final class FederationAudit {
    /**
     * What was found.
     *
     * @param messages how many were looked at
     * @param sums how many were recomputed and are right
     * @param findings what is wrong, in sentences
     */
    record Findings(long messages, long sums, List<String> findings) {
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
        /** Whether a coordinator wrote it: it holds the keys of several senders. */
        boolean isCoordinators() {
            if (history.of(MessageKind.CHANGE)
                            .mapToInt(Envelope::sender)
                            .distinct()
                            .count()
                    > 1) {
                return true;
            }
            return history.of(MessageKind.KEYS)
                            .mapToInt(Envelope::sender)
                            .distinct()
                            .count()
                    > 1;
        }
    }

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

    Findings of(List<Log> logs) {
        for (Log log : logs) {
            whole(log);
            for (Envelope envelope : log.history().envelopes()) {
                messages++;
                signed(log, envelope);
                same(log, envelope);
            }
        }
        everythingThatWasSent(logs);
        logs.stream()
                .filter(Log::isCoordinators)
                .forEach(plan.changes().isPresent() ? this::approximations : this::sums);
        return new Findings(messages, sums, List.copyOf(findings));
    }

    private String sender(Envelope envelope) {
        return envelope.sender() == Envelope.COORDINATOR
                ? "the coordinator"
                : envelope.sender() < terms.size()
                        ? terms.parties().get(envelope.sender()).name()
                        : "nobody";
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

    /** A coordinator writes down what it sends before it sends it, so what a party was told is in its log. */
    private void everythingThatWasSent(List<Log> logs) {
        Set<String> written = new HashSet<>();
        List<String> names = new ArrayList<>();
        for (Log log : logs) {
            if (log.isCoordinators()) {
                names.add(log.name());
                log.history().envelopes().forEach(envelope -> written.add(said(envelope)));
            }
        }
        for (Log log : names.isEmpty() ? List.<Log>of() : logs) {
            log.history().envelopes().stream()
                    .filter(envelope -> envelope.sender() == Envelope.COORDINATOR && !written.contains(said(envelope)))
                    .mapToInt(Envelope::round)
                    .distinct()
                    .forEach(round -> findings.add(String.join(", ", names)
                            + " does not hold everything that the coordinator sent in round " + (round + 1) + ", as "
                            + log.name() + " shows."));
        }
    }

    /** What a message is called of which there is one. */
    private static String said(Envelope envelope) {
        return envelope.sender() + " " + envelope.kind() + " " + envelope.round()
                + (envelope.kind() == MessageKind.STATE ? " " + ChangeCoordinator.receiver(envelope) : "");
    }

    private void signed(Log log, Envelope envelope) {
        if (!Arrays.equals(envelope.study(), terms.binding())) {
            findings.add(log.name() + " holds a message of another study.");
            return;
        }
        Optional<byte[]> key = envelope.sender() == Envelope.COORDINATOR
                ? Optional.of(terms.coordinatorKey())
                : envelope.sender() < terms.size()
                        ? Optional.of(terms.parties().get(envelope.sender()).identityKey())
                        : Optional.empty();
        if (key.isEmpty() || !envelope.isSignedBy(key.get())) {
            findings.add(log.name() + " holds a message of round " + (envelope.round() + 1) + " that "
                    + sender(envelope) + " did not sign.");
        }
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
    }

    private static boolean agreed(CoordinatorMachine machine, int round) {
        try {
            return machine.hasQuorum(round);
        } catch (ProtocolRefusal unreadable) {
            return false;
        }
    }
}
