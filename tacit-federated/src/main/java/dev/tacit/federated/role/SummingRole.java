package dev.tacit.federated.role;

import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.protocol.PartyMachine;
import dev.tacit.federated.protocol.PartyPhase;
import dev.tacit.federated.study.StudyPlan;
import java.util.List;
import java.util.Optional;

/** A party whose sums are masked. It is needed until the last sum is opened, which it may hear after its own part is done. */
public final class SummingRole implements PartyRole {
    private final PartyMachine machine;
    private final StudyPlan plan;
    private final String name;
    private boolean ended;

    public SummingRole(PartyMachine machine, StudyPlan plan, String name) {
        this.machine = machine;
        this.plan = plan;
        this.name = name;
    }

    @Override
    public List<Envelope> start() {
        return machine.start();
    }

    @Override
    public List<Envelope> receive(byte[] message) {
        List<Envelope> out = machine.receive(message);
        ended |= PartyRole.isEnd(message, plan.terms());
        return out;
    }

    @Override
    public List<Envelope> outstanding() {
        return machine.outstanding();
    }

    @Override
    public void tidy() {
        machine.tidy();
    }

    @Override
    public boolean isDone() {
        return machine.isDone();
    }

    @Override
    public boolean isOver() {
        return machine.isDone() && (ended || machine.phase() == PartyPhase.CLOSED);
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
        return isDone() ? doing() + "." : sum() + name + " takes part.";
    }

    @Override
    public String doing() {
        return isDone()
                ? name + " has done its part and waits for the end of the study"
                : sum() + name + " " + machine.phase().words();
    }

    private String sum() {
        return "Sum " + (machine.round() + 1) + " of " + plan.releases() + ": ";
    }
}
