package dev.tacit.federated.run;

import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.federated.keys.Authority;
import dev.tacit.federated.keys.KeyFolder;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.noise.RoundNoise;
import dev.tacit.federated.protocol.CoordinatorMachine;
import dev.tacit.federated.protocol.OpenedSum;
import dev.tacit.federated.release.MethodSteps;
import dev.tacit.federated.release.StateRequest;
import dev.tacit.federated.store.EnvelopeLog;
import dev.tacit.federated.store.Journal;
import dev.tacit.federated.study.Study;
import dev.tacit.federated.study.StudyException;
import dev.tacit.federated.study.StudyMember;
import dev.tacit.federated.study.StudyPlan;
import dev.tacit.federated.transport.PostOffice;
import dev.tacit.fit.artefact.StudyRecord;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.federation.Federation;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.fit.run.PlanChecks;
import dev.tacit.fit.run.ReceivedFit;
import dev.tacit.inference.DivergedException;
import dev.tacit.inference.LostReleaseException;
import dev.tacit.partitioned.shard.PartyView;
import dev.tacit.run.ReleaseNote;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A study's coordinator: it drives the method through its releases, sees nothing but opened sums, and writes the fit.
 *
 * <p>Its log is all that it is: started again it takes requests and sums from there, and goes on with the round that was under way.
 */
final class CoordinatorRun {
    private static final Duration FAREWELL = Duration.ofSeconds(3);

    private final StudyPlan plan;
    private final KeyFolder keys;
    private final Path out;
    private final String at;
    private final Waiting patience;
    private final RoundWatcher watcher;
    private final Federation.Progress progress;
    private final Times times;

    CoordinatorRun(
            Study study,
            Authority authority,
            String at,
            Path out,
            Waiting patience,
            RoundWatcher watcher,
            Federation.Progress progress,
            Times times) {
        this.plan = StudyPlan.of(study);
        this.keys = authority.coordinator();
        this.at = at;
        this.out = out;
        this.patience = patience;
        this.watcher = watcher;
        this.progress = progress;
        this.times = times;
    }

    /** How much noise a request has, which layers are taken off from, and how long its vectors are. */
    static RoundNoise noise(StudyPlan plan) {
        return new RoundNoise() {
            @Override
            public double wholeSteps(int round, byte[] request) {
                ReleasePlan.Phase phase = plan.plan().phaseOf(round);
                return plan.publicNoise(phase)
                        .wholeSteps(StateRequest.read(request).l2Bound(), phase.dimension());
            }

            @Override
            public OptionalInt numbers(int round) {
                return OptionalInt.of(plan.plan().phaseOf(round).dimension());
            }
        };
    }

    /** Refuses what could not run, before anything is written. */
    void require() {
        if (!Arrays.equals(keys.identity().publicKey(), plan.terms().coordinatorKey())) {
            throw new StudyException(
                    "the study names another coordinator than the one whose keys are in " + keys.path());
        }
        PlanChecks.requireMemory(plan.method(), plan.plan());
        plan.confirmed();
        Links.require(at, keys, times.now());
    }

    /** Whether the study is over and its fit written. */
    boolean isOver() {
        return new FitFolder(out).complete();
    }

    /** Tells parties that were away when the study ended that it is over, for as long as patience lasts. */
    void tellTheEnd() {
        if (!Files.exists(log(out))) {
            throw noLog();
        }
        try (EnvelopeLog log = EnvelopeLog.open(log(out));
                PostOffice office = Links.office(at, keys, plan, times.date(), progress)) {
            if (plan.changes().isPresent()) {
                new ChangeRun(plan, keys.identity(), log, office, patience, watcher, times).farewell(patience.time());
                return;
            }
            CoordinatorMachine machine = CoordinatorMachine.open(plan.terms(), keys.identity(), log, noise(plan));
            Envelope end = lastResult(log).orElseThrow(this::noLog);
            new RemoteParties(plan, machine, office, patience, watcher, times).farewell(end, patience.time());
        } catch (ProtocolRefusal e) {
            throw new StudyException(e.sentence(), e);
        }
    }

    private StudyException noLog() {
        return new StudyException("the log of the coordinator is not in " + out
                + ", so nobody can be told that the study is over; coordinator rebuild makes it again");
    }

    /** Runs the study to its end. */
    FitOutcome run() {
        FitFolder folder = new FitFolder(out);
        try (EnvelopeLog log = EnvelopeLog.open(log(out))) {
            if (plan.changes().isPresent()) {
                try (PostOffice office = Links.office(at, keys, plan, times.date(), progress)) {
                    return new ChangeRun(plan, keys.identity(), log, office, patience, watcher, times).run(folder);
                }
            }
            CoordinatorMachine machine = CoordinatorMachine.open(plan.terms(), keys.identity(), log, noise(plan));
            Duration farewell = machine.round() == plan.releases() ? patience.time() : FAREWELL;
            try (PostOffice office = Links.office(at, keys, plan, times.date(), progress)) {
                RemoteParties parties = new RemoteParties(plan, machine, office, patience, watcher, times);
                try {
                    return drive(MethodSteps.of(plan), machine, parties, folder);
                } catch (DivergedException e) {
                    parties.giveUpTheRest();
                    throw e;
                } finally {
                    if (machine.round() == plan.releases()) {
                        lastResult(log).ifPresent(result -> parties.farewell(result, farewell));
                    }
                }
            }
        } catch (ProtocolRefusal e) {
            throw new StudyException(e.sentence(), e);
        } catch (DivergedException e) {
            throw new FitException(FitException.Kind.CONFIGURATION, FitException.sentence(e.getMessage()), e);
        }
    }

    static Path log(Path out) {
        return out.resolve(PartyFolder.LOG);
    }

    private <M, S extends Record> FitOutcome drive(
            MethodSteps<M, S> steps, CoordinatorMachine machine, RemoteParties parties, FitFolder folder) {
        List<ReleaseNote> notes = new ArrayList<>();
        List<OpenedSum> sums = new ArrayList<>();
        S state = steps.first();
        for (int release = 0; release < plan.releases(); release++) {
            Optional<byte[]> asked = machine.requested(release);
            StateRequest request = asked.isPresent() ? StateRequest.read(asked.get()) : steps.request(state, release);
            S before = asked.isPresent() ? steps.state(request) : state;
            Optional<OpenedSum> opened = release < machine.round()
                    ? machine.opened(release)
                    : parties.sum(asked.orElseGet(request::toBytes));
            if (opened.isPresent()) {
                NoisySum sum = steps.sum(request, opened.get());
                String label = plan.plan().phaseOf(release).label();
                notes.add(ReleaseNote.of(label, sum));
                sums.add(opened.get());
                state = steps.after(before, request, opened.get()).state();
                S reached = state;
                watcher.opened(opened.get(), label, () -> steps.posterior(reached));
            } else {
                String label = plan.plan().phaseOf(release).label();
                watcher.givenUp(release, label);
                state = without(steps, before, label, parties);
            }
        }
        Study study = plan.study();
        ReceivedFit fit = new ReceivedFit(
                study.parties() + " parties of " + study.name(),
                study.fitted().schema(),
                study.fitted().model(),
                study.fitted().method(),
                plan.partyPlan(),
                study.budget(),
                study.noiseMultiplier(),
                record(sums));
        return fit.write(folder, steps.method(), state, notes, times.now());
    }

    private <M, S extends Record> S without(MethodSteps<M, S> steps, S before, String label, RemoteParties parties) {
        try {
            return steps.method().kernel().without(before, steps.method().model());
        } catch (LostReleaseException e) {
            parties.giveUpTheRest();
            throw new FitException(
                    FitException.Kind.CONFIGURATION,
                    "the sum of " + label + " was given up, and "
                            + plan.study().fitted().method()
                            + " cannot go on without it; the study ends here, and what it cost stays spent.",
                    e);
        }
    }

    private StudyRecord record(List<OpenedSum> sums) {
        Study study = plan.study();
        List<StudyRecord.Member> members = new ArrayList<>();
        for (int place = 0; place < study.parties(); place++) {
            int party = place;
            StudyMember member = study.members().get(place);
            long present =
                    sums.stream().filter(sum -> sum.survivors().contains(party)).count();
            members.add(new StudyRecord.Member(member.name(), member.units(), present));
        }
        double variance =
                sums.stream().mapToDouble(OpenedSum::relativeVariance).average().orElse(1);
        return new StudyRecord(
                study.name(),
                study.hashText(),
                study.words(),
                members,
                true,
                study.colluders(),
                study.missing(),
                plan.epsilonAlone(),
                Math.sqrt(variance),
                plan.releases() - sums.size(),
                PartyView.shardsOf(plan.plan()).map(shards -> new StudyRecord.Shards(shards.shards(), shards.key())),
                true);
    }

    private static Optional<Envelope> lastResult(Journal log) {
        List<byte[]> entries = log.entries();
        for (int place = entries.size() - 1; place >= 0; place--) {
            EnvelopeHistory one = EnvelopeHistory.of(List.of(entries.get(place)));
            Optional<Envelope> found = one.of(MessageKind.RESULT).findFirst();
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }
}
