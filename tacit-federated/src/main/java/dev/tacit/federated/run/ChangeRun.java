package dev.tacit.federated.run;

import dev.tacit.federated.crypto.Identity;
import dev.tacit.federated.factor.ChangeCoordinator;
import dev.tacit.federated.factor.ChangeRules;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.store.Journal;
import dev.tacit.federated.study.Study;
import dev.tacit.federated.study.StudyMember;
import dev.tacit.federated.study.StudyPlan;
import dev.tacit.federated.transport.PostOffice;
import dev.tacit.fit.artefact.StudyRecord;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.fit.run.ReceivedFit;
import dev.tacit.model.GaussianMarginModel;
import dev.tacit.partitioned.dealt.FactorInference;
import dev.tacit.posterior.Posterior;
import dev.tacit.run.method.FitMethod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The coordinator of a study whose parties add all of their noise themselves: it sees what each of them sends, and writes the fit.
 *
 * <p>Patience decides whose changes are in a round, or when a study that nobody answers any more ends, and nothing else. A round that too
 * few answer is waited for, or, if people say so, the study is given up there, which all parties are told, and the fit is of what came.
 */
final class ChangeRun {
    private static final String LABEL = "changes of factors";
    private static final Duration LISTEN = Duration.ofMillis(500);
    private static final Duration FAREWELL = Duration.ofSeconds(3);
    private static final long REMIND_MILLIS = 5_000;

    private final StudyPlan plan;
    private final Study study;
    private final ChangeRules rules;
    private final ChangeCoordinator machine;
    private final PatientOffice office;
    private final Waiting patience;
    private final RoundWatcher watcher;
    private final Times times;

    ChangeRun(
            StudyPlan plan,
            Identity identity,
            Journal log,
            PostOffice office,
            Waiting patience,
            RoundWatcher watcher,
            Times times)
            throws ProtocolRefusal {
        this.plan = plan;
        this.study = plan.study();
        this.rules = plan.changes().orElseThrow();
        this.machine = ChangeCoordinator.open(plan.terms(), rules, identity, log);
        this.office = new PatientOffice(study, office, watcher);
        this.patience = patience;
        this.watcher = watcher;
        this.times = times;
    }

    /** Runs the study to its end. */
    FitOutcome run(FitFolder folder) {
        Duration farewell = machine.isOver() ? patience.time() : FAREWELL;
        drive();
        try {
            return write(factorMethod(), folder);
        } finally {
            farewell(farewell);
        }
    }

    private void drive() {
        office.post(machine.start());
        office.post(machine.outstanding());
        long since = times.passedMillis();
        long reminded = since;
        long progress = progress();
        int shown = machine.roundsDone();
        watcher.begins(shown, LABEL);
        while (!machine.isOver()) {
            watcher.waitsForChanges(
                    machine.roundsDone(),
                    machine.waitedFor()
                            .places()
                            .mapToObj(place -> study.members().get(place).name())
                            .toList());
            receive(office.collect(LISTEN));
            long now = times.passedMillis();
            if (progress() != progress) {
                progress = progress();
                since = now;
            }
            if (now - since >= patience.time().toMillis()) {
                office.post(machine.hurry());
                if (patience.givesUp() && progress() == progress) {
                    giveUp();
                }
            }
            if (now - reminded >= REMIND_MILLIS) {
                office.post(machine.outstanding());
                reminded = now;
            }
            while (shown < machine.roundsDone()) {
                watcher.moved(shown, used(), () -> posterior(factorMethod()));
                shown++;
                watcher.begins(shown, LABEL);
            }
        }
    }

    private void giveUp() {
        boolean over = machine.isOver();
        office.post(machine.giveUp());
        if (machine.isOver() && !over) {
            watcher.givenUp(machine.roundsDone() * releasesOfARound(), LABEL);
        }
    }

    /** What patience counts from: the last round that ended, or the last change that arrived. */
    private long progress() {
        return rules.asynchronous() ? machine.changes() : machine.roundsDone();
    }

    /** How many parties have changes in the approximation. */
    private long present() {
        return used().stream().filter(changes -> changes > 0).count();
    }

    /** How many changes of each party are in the approximation. */
    private List<Long> used() {
        return IntStream.range(0, study.parties()).mapToObj(machine::used).toList();
    }

    private void receive(List<byte[]> messages) {
        for (byte[] message : messages) {
            try {
                Envelope envelope = Envelope.read(message, plan.terms().mostBytesOfAParty());
                ProtocolRefusal before = machine.refusals().get(envelope.sender());
                office.post(machine.receive(envelope));
                ProtocolRefusal refusal = machine.refusals().get(envelope.sender());
                String party = study.members().get(envelope.sender()).name();
                if (envelope.kind() == MessageKind.REFUSAL) {
                    watcher.refuses(party, refusal);
                } else if (refusal != null && refusal != before) {
                    watcher.refusedMessage(refusal);
                } else {
                    watcher.reached(party, "opened");
                }
            } catch (ProtocolRefusal refusal) {
                watcher.refusedMessage(refusal);
            }
        }
    }

    /** Tells everybody how the study stands, and listens a while for those who have not heard of it. */
    void farewell(Duration time) {
        office.post(machine.outstanding());
        long end = times.passedMillis() + time.toMillis();
        while (times.passedMillis() < end) {
            receive(office.collect(LISTEN));
        }
    }

    /** The method of the study, whose kernel is one of factors. */
    @SuppressWarnings("unchecked") // StudyPlan.factors() is present only if the kernel is this one
    private FitMethod<GaussianMarginModel, FactorInference.State> factorMethod() {
        return (FitMethod<GaussianMarginModel, FactorInference.State>) plan.method();
    }

    private FactorInference.State state() {
        return plan.factors().orElseThrow().reached(machine.global(), machine.noiseVariance());
    }

    private Posterior posterior(FitMethod<GaussianMarginModel, FactorInference.State> method) {
        return method.kernel().posterior(state(), method.model());
    }

    private int releasesOfARound() {
        return plan.factors().orElseThrow().local().releases().times();
    }

    private FitOutcome write(FitMethod<GaussianMarginModel, FactorInference.State> method, FitFolder folder) {
        if (present() == 0) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION,
                    "no party gave a change that can be used, so there is no fit; the study ends here, and what it cost"
                            + " stays spent.");
        }
        List<StudyRecord.Member> members = new ArrayList<>();
        int releasesOfARound = releasesOfARound();
        long least = rules.settings().rounds();
        for (int place = 0; place < study.parties(); place++) {
            StudyMember member = study.members().get(place);
            members.add(new StudyRecord.Member(member.name(), member.units(), machine.used(place) * releasesOfARound));
            least = Math.min(least, machine.used(place));
        }
        ReceivedFit fit = new ReceivedFit(
                study.parties() + " parties of " + study.name(),
                study.fitted().schema(),
                study.fitted().model(),
                study.fitted().method(),
                plan.plan(),
                study.budget(),
                study.noiseMultiplier(),
                new StudyRecord(
                        study.name(),
                        study.hashText(),
                        study.words(),
                        members,
                        false,
                        study.colluders(),
                        study.missing(),
                        plan.epsilonAlone(),
                        Math.sqrt((double) present()),
                        (rules.settings().rounds() - least) * releasesOfARound,
                        Optional.empty(),
                        plan.factors().orElseThrow().noiseCounted()));
        return fit.write(folder, method, state(), List.of(), times.now());
    }
}
