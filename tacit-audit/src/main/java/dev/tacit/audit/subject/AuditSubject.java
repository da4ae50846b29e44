package dev.tacit.audit.subject;

import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.run.method.DataShape;
import dev.tacit.run.method.FitMethod;
import java.util.List;

/**
 * A run as it can be simulated: everything that was public before it began.
 *
 * @param method kernel and model
 * @param shape what is declared about records
 * @param unit who is protected
 * @param plan the releases that are simulated, those of the prelude first
 * @param prelude releases that are made before the kernel begins, and are the same in every run
 * @param mechanism as it is said to be
 * @param door what the run goes through, with the noise that it really adds
 * @param added the noise that the door really gets; the mechanism itself, unless something is wrong
 * @param claim what was promised for all of it
 */
public record AuditSubject<M, S extends Record>(
        FitMethod<M, S> method,
        DataShape shape,
        PrivacyUnit unit,
        ReleasePlan plan,
        List<Asked> prelude,
        NoiseMechanism mechanism,
        AuditedDoor door,
        NoiseMechanism added,
        PrivacyClaim claim) {
    /**
     * A release whose question is known beforehand.
     *
     * @param query what a unit contributes
     * @param l2Bound to which it is clipped
     */
    public record Asked(RecordSum query, double l2Bound) {}

    public AuditSubject {
        prelude = List.copyOf(prelude);
        if (prelude.size() >= plan.releases()) {
            throw new IllegalArgumentException("a plan has a release of the kernel's after those of the prelude");
        }
    }

    /** A kernel's own plan behind the door of every run. */
    public static <M, S extends Record> AuditSubject<M, S> of(
            FitMethod<M, S> method,
            DataShape shape,
            PrivacyUnit unit,
            ReleasePlan plan,
            NoiseMechanism mechanism,
            PrivacyClaim claim) {
        return new AuditSubject<>(
                method, shape, unit, plan, List.of(), mechanism, AuditedDoor.STANDARD, mechanism, claim);
    }

    /** The same run with releases before those of its kernel. */
    public AuditSubject<M, S> after(List<Asked> before) {
        return new AuditSubject<>(method, shape, unit, plan, before, mechanism, door, added, claim);
    }

    /** The same run through another door. */
    public AuditSubject<M, S> through(AuditedDoor other) {
        return new AuditSubject<>(method, shape, unit, plan, prelude, mechanism, other, added, claim);
    }

    /** The same run with other noise than it says. */
    public AuditSubject<M, S> adding(NoiseMechanism really) {
        return new AuditSubject<>(method, shape, unit, plan, prelude, mechanism, door, really, claim);
    }

    /** The same run with a part of its noise. */
    public AuditSubject<M, S> withNoise(double factor) {
        return adding(new LessNoise(added, factor));
    }

    /** The same run, protecting somebody else or against other neighbours than its claim is about. */
    public AuditSubject<M, S> protecting(PrivacyUnit other) {
        return new AuditSubject<>(method, shape, other, plan, prelude, mechanism, door, added, claim);
    }
}
