package dev.tacit.federated.run;

import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.protocol.CoordinatorMachine;
import dev.tacit.federated.protocol.CoordinatorPhase;
import dev.tacit.federated.protocol.OpenedSum;
import dev.tacit.federated.study.Study;
import dev.tacit.federated.study.StudyPlan;
import dev.tacit.federated.transport.PostOffice;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * All parties as the coordinator asks them: one request in, one sum out, however long it takes.
 *
 * <p>Patience decides who is in a sum and nothing else: when it is over, the round goes on without those who may be missing. With fewer than
 * that it is waited for ever, and nothing is lost by time, because vectors that arrived are durable; or, if people say so, the sum is given
 * up, which all parties are told.
 */
final class RemoteParties {
    private static final Duration LISTEN = Duration.ofMillis(500);
    private static final long REMIND_MILLIS = 5_000;

    private final Study study;
    private final StudyPlan plan;
    private final CoordinatorMachine machine;
    private final PatientOffice office;
    private final Waiting patience;
    private final RoundWatcher watcher;
    private final Times times;

    RemoteParties(
            StudyPlan plan,
            CoordinatorMachine machine,
            PostOffice office,
            Waiting patience,
            RoundWatcher watcher,
            Times times) {
        this.plan = plan;
        this.study = plan.study();
        this.machine = machine;
        this.office = new PatientOffice(study, office, watcher);
        this.patience = patience;
        this.watcher = watcher;
        this.times = times;
    }

    /** The sum of the next round; empty if it was given up. */
    Optional<OpenedSum> sum(byte[] request) {
        int round = machine.round();
        watcher.begins(round, plan.plan().phaseOf(round).label());
        office.post(machine.request(request));
        office.post(machine.outstanding());
        CoordinatorPhase phase = machine.phase();
        long since = times.passedMillis();
        long reminded = since;
        while (machine.round() == round) {
            watcher.waits(round, machine.phase(), names());
            receive(office.collect(LISTEN));
            long now = times.passedMillis();
            if (machine.round() == round && machine.phase() != phase) {
                phase = machine.phase();
                since = now;
            }
            if (now - since >= patience.time().toMillis()) {
                office.post(machine.hurry());
                if (patience.givesUp() && machine.round() == round && machine.phase() == phase) {
                    office.post(machine.giveUp());
                }
            }
            if (now - reminded >= REMIND_MILLIS) {
                office.post(machine.outstanding());
                reminded = now;
            }
        }
        return machine.opened(round);
    }

    private List<String> names() {
        return machine.waitedFor()
                .places()
                .mapToObj(place -> study.members().get(place).name())
                .toList();
    }

    /** What came together is written together. */
    private void receive(List<byte[]> messages) {
        for (byte[] message : messages) {
            try {
                Envelope envelope = Envelope.read(message, plan.terms().mostBytesOfAParty());
                machine.take(envelope);
                if (envelope.round() >= machine.round() - 1 && envelope.sender() < study.parties()) {
                    noted(envelope);
                }
            } catch (ProtocolRefusal refusal) {
                watcher.refusedMessage(refusal);
            }
        }
        if (!messages.isEmpty()) {
            office.post(machine.goOn());
        }
    }

    private void noted(Envelope envelope) {
        String party = study.members().get(envelope.sender()).name();
        if (envelope.kind() == MessageKind.REFUSAL) {
            ProtocolRefusal refusal = machine.refusals(envelope.round()).get(envelope.sender());
            if (refusal != null) {
                watcher.refuses(party, refusal);
            }
        } else if (envelope.round() == machine.round()) {
            watcher.reached(
                    party,
                    switch (envelope.kind()) {
                        case KEYS -> "keys";
                        case VECTOR -> "vector";
                        case AGREED -> "agreed";
                        default -> "opened";
                    });
        }
    }

    /** Gives up all sums that are left, so that nobody waits for them. */
    void giveUpTheRest() {
        while (machine.round() < plan.releases()) {
            office.post(machine.giveUp());
        }
    }

    /** Tells everybody that the last round is over, and listens a while for those who have not heard of it. */
    void farewell(Envelope lastResult, Duration time) {
        long end = times.passedMillis() + time.toMillis();
        long reminded = Long.MIN_VALUE;
        for (long now = times.passedMillis(); now < end; now = times.passedMillis()) {
            if (now - REMIND_MILLIS >= reminded) {
                office.postToAll(lastResult);
                reminded = now;
            }
            receive(office.collect(LISTEN));
        }
    }
}
