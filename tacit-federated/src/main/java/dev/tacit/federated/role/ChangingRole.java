package dev.tacit.federated.role;

import dev.tacit.federated.factor.ChangeParty;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.study.StudyPlan;
import java.util.List;
import java.util.Optional;

/**
 * A party that adds all of its noise itself.
 *
 * @param name of the party
 */
public record ChangingRole(ChangeParty machine, StudyPlan plan, String name) implements PartyRole {
    @Override
    public List<Envelope> start() {
        return machine.start();
    }

    @Override
    public List<Envelope> receive(byte[] message) {
        return machine.receive(message);
    }

    @Override
    public List<Envelope> outstanding() {
        return machine.outstanding();
    }

    @Override
    public boolean isDone() {
        return machine.isDone();
    }

    @Override
    public boolean isOver() {
        return machine.isOver();
    }

    @Override
    public Optional<ProtocolRefusal> stopped() {
        return machine.stopped();
    }

    @Override
    public Optional<ProtocolRefusal> lastRefusal() {
        return machine.lastRefusal();
    }

    @Override
    public String standing() {
        return isDone()
                ? doing() + "."
                : "Round " + (machine.changes() + 1) + " of " + plan.terms().rounds() + ": " + name + " takes part.";
    }

    @Override
    public String doing() {
        return isDone()
                ? name + " has done its part and waits for the end of the study"
                : name + " has sent " + machine.changes() + " of "
                        + plan.terms().rounds() + " changes and waits for the next approximation";
    }
}
