package dev.tacit.federated.run;

import dev.tacit.data.schema.Schema;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.RunRequest;
import dev.tacit.federated.factor.ChangeParty;
import dev.tacit.federated.keys.KeyFolder;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.policy.PolicyVerdict;
import dev.tacit.federated.protocol.PartyKeys;
import dev.tacit.federated.protocol.PartyMachine;
import dev.tacit.federated.release.FactorDoorway;
import dev.tacit.federated.release.PartyDoorway;
import dev.tacit.federated.store.EnvelopeLog;
import dev.tacit.federated.store.SecretFile;
import dev.tacit.federated.study.Study;
import dev.tacit.federated.study.StudyMember;
import dev.tacit.federated.study.StudyPlan;
import dev.tacit.federated.transport.Mailbox;
import dev.tacit.federated.transport.MailboxUnavailable;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.federation.Federation;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.ledger.LedgerRequest;
import dev.tacit.fit.run.FitRequest;
import dev.tacit.fit.run.HeldRecords;
import dev.tacit.fit.run.PlanChecks;
import dev.tacit.ledger.SealedFile;
import dev.tacit.noise.NoiseLayer;
import dev.tacit.noise.SecureNoise;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * A party of a study: its own records, ledger and policy, a machine of the protocol, and a mailbox to the coordinator.
 *
 * <p>It goes on where it was, whenever it was stopped, and connects again for ever. Before anything is charged the study must be the one
 * that was approved, the policy must allow it, and what it says about its cost must be true here.
 */
final class PartyRun {
    private static final Duration LISTEN = Duration.ofSeconds(5);

    /** How long a party whose work is done listens for the end of the study. */
    private static final Duration FAREWELL = Duration.ofSeconds(60);

    private final PartyFolder folder;
    private final PartyFolder.Approval approval;
    private final StudyPlan plan;
    private final KeyFolder keys;
    private final String name;
    private final Federation.Progress progress;
    private final Clock clock;
    private String said = "";

    PartyRun(PartyFolder folder, Federation.Progress progress, Clock clock) {
        this.folder = folder;
        this.approval = folder.approval();
        this.plan = StudyPlan.of(folder.study());
        this.keys = new KeyFolder(approval.keys());
        this.name = keys.name();
        this.progress = progress;
        this.clock = clock;
    }

    /** Takes part until the study is over; returns what the party promises. */
    PartyStatement run() {
        requireAllowed();
        Links.require(approval.at(), keys, clock.instant());
        try (EnvelopeLog log = EnvelopeLog.open(folder.log())) {
            requireUnderWay(log);
            return run(log);
        }
    }

    /** Who comes when a study is over is charged for nothing. */
    private void requireUnderWay(EnvelopeLog log) {
        if (!log.entries().isEmpty()) {
            return;
        }
        try (Mailbox mailbox = Links.mailbox(approval.at(), name, keys, plan.terms())) {
            for (byte[] message : mailbox.next(Duration.ZERO)) {
                if (PartyRole.isEnd(message, plan.terms())) {
                    throw new FitException(
                            FitException.Kind.CONFIGURATION,
                            "the study is over, and " + name + " took no part in it; nothing was charged.");
                }
            }
        } catch (MailboxUnavailable e) {
            say(e.getMessage());
        }
    }

    private PartyStatement run(EnvelopeLog log) {
        Study study = plan.study();
        int place = study.place(name);
        try (HeldRecords records = HeldRecords.open(request(study.members().get(place)), study.run());
                SealedFile sealed = SealedFile.open(new FitFolder(folder.path()).releases(), study.run())) {
            PartyRole role = plan.changes().isPresent()
                    ? changing(place, records, sealed, log)
                    : summing(place, records, sealed, log);
            takePart(role);
            role.stopped().ifPresent(reason -> {
                throw new FitException(FitException.Kind.CONFIGURATION, FitException.sentence(reason.sentence()));
            });
            PartyStatement statement =
                    PartyStatement.of(name, plan, EnvelopeHistory.of(log.entries()), records.total());
            folder.writeStatement(statement.text());
            records.published(statement.text());
            return statement;
        }
    }

    /** A party whose sums are masked. */
    private PartyRole summing(int place, HeldRecords records, SealedFile sealed, EnvelopeLog log) {
        PartyDoorway door =
                PartyDoorway.open(plan, sealed, new OwnLedger(records), layers -> open(records, sealed, layers));
        PartyMachine machine = PartyMachine.open(
                plan.terms(),
                place,
                new PartyKeys(keys.identity(), keys.sealing()),
                log,
                SecretFile.in(folder.secrets()),
                door,
                SecureNoise::create);
        return new SummingRole(machine, plan, name);
    }

    /** A party that adds all of its noise itself. */
    private PartyRole changing(int place, HeldRecords records, SealedFile sealed, EnvelopeLog log) {
        FactorDoorway door;
        try {
            door = FactorDoorway.open(
                    plan,
                    place,
                    records.data(),
                    new FactorDoorway.WholeStudy(
                            records.ledger(plan.event()),
                            label(),
                            clock.instant().truncatedTo(ChronoUnit.SECONDS),
                            LedgerRequest.user()),
                    SecureNoise.create(),
                    sealed,
                    new FactorDoorway.StateFile(folder.state()),
                    new OwnLedger(records));
        } catch (IllegalStateException | IllegalArgumentException e) { // state, ledger and records do not fit together
            throw new FitException(FitException.Kind.CONFIGURATION, FitException.sentence(e.getMessage()), e);
        }
        ChangeParty machine =
                ChangeParty.open(plan.terms(), place, new PartyKeys(keys.identity(), keys.sealing()), log, door);
        return new ChangingRole(machine, plan, name);
    }

    private void requireAllowed() {
        folder.policy().ifPresent(policy -> {
            PolicyVerdict verdict = policy.verdict(plan);
            if (!verdict.allowed()) {
                throw new FitException(FitException.Kind.CONFIGURATION, verdict.sentence());
            }
        });
        double epsilon = plan.epsilon();
        if (epsilon > plan.study().budget().epsilon() * (1 + 1e-9)) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION,
                    "the releases of the study cost more epsilon than it says; do not take part in it.");
        }
        PlanChecks.requireMemory(plan.method(), plan.partyPlan());
        plan.confirmed();
    }

    /** The party's records are read as the study's schema says, which is the same for all; its size is its own. */
    private FitRequest request(StudyMember member) {
        Study study = plan.study();
        Schema own = StudyWork.sized(study.fitted().schema(), member.units());
        return new FitRequest(
                approval.data(),
                own,
                study.fitted().model(),
                study.fitted().method(),
                Map.copyOf(study.fitted().settings()),
                Optional.of(study.budget()),
                folder.path(),
                new LedgerRequest(
                        approval.ledger(), OptionalDouble.empty(), Optional.of(label()), LedgerRequest.user(), false),
                0,
                OptionalDouble.empty(),
                OptionalLong.empty(),
                Runtime.getRuntime().availableProcessors());
    }

    private String label() {
        return "study " + plan.study().name();
    }

    private PrivateSession open(HeldRecords records, SealedFile sealed, Supplier<List<NoiseLayer>> layers) {
        RunRequest run = RunRequest.of(label(), plan.partyPlan())
                .named(plan.study().run())
                .sealedIn(sealed)
                .askedFor(clock.instant().truncatedTo(ChronoUnit.SECONDS), LedgerRequest.user());
        try {
            return records.data()
                    .open(run, plan.partyMechanism(layers), records.ledger(plan.event()), SecureNoise.create());
        } catch (BudgetExhausted e) {
            throw new FitException(FitException.Kind.BUDGET_EXHAUSTED, e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new FitException(FitException.Kind.CONFIGURATION, FitException.sentence(e.getMessage()), e);
        }
    }

    private record OwnLedger(HeldRecords records) implements PartyDoorway.Ledger {
        @Override
        public String head() {
            return records.head();
        }

        @Override
        public boolean knows(String head) {
            return records.knows(head);
        }
    }

    private static boolean over(PartyRole role) {
        return role.stopped().isPresent() || role.isOver();
    }

    private void takePart(PartyRole role) {
        BackOff backOff = new BackOff();
        long doneSince = 0;
        while (!over(role)) {
            try (Mailbox mailbox = Links.mailbox(approval.at(), name, keys, plan.terms())) {
                put(mailbox, role.start());
                while (!over(role)) {
                    say(role.isDone() ? "has done its part and waits for the end" : role.doing());
                    if (Thread.currentThread().isInterrupted()) {
                        throw stopped(null);
                    }
                    boolean heard = false;
                    for (byte[] message : mailbox.next(LISTEN, role::tidy)) {
                        heard = true;
                        put(mailbox, role.receive(message));
                        role.lastRefusal().ifPresent(refusal -> say("refused a message: " + refusal.sentence()));
                    }
                    if (!heard) {
                        put(mailbox, role.outstanding());
                    }
                    backOff.reset();
                }
                put(mailbox, role.outstanding());
                role.tidy();
            } catch (MailboxUnavailable e) {
                say(e.getMessage() + "; " + name + " tries again");
                long now = clock.millis();
                doneSince = role.isDone() ? (doneSince == 0 ? now : doneSince) : 0;
                if (doneSince > 0 && now - doneSince > FAREWELL.toMillis()) {
                    return; // everything that it had to give is given, and nobody is there any more
                }
                pause(backOff.nextMillis());
            }
        }
    }

    private static void put(Mailbox mailbox, List<Envelope> envelopes) throws MailboxUnavailable {
        for (Envelope envelope : envelopes) {
            mailbox.put(envelope);
        }
    }

    private void say(String sentence) {
        if (!sentence.equals(said)) {
            said = sentence;
            progress.says(sentence);
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw stopped(e);
        }
    }

    private static FitException stopped(InterruptedException e) {
        return new FitException(FitException.Kind.CONFIGURATION, "the party was stopped; party run goes on.", e);
    }
}
