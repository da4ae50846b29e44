package dev.tacit.federated.run;

import dev.tacit.data.schema.Schema;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.RunRequest;
import dev.tacit.federated.keys.KeyFolder;
import dev.tacit.federated.policy.PolicyVerdict;
import dev.tacit.federated.protocol.Envelope;
import dev.tacit.federated.protocol.MessageKind;
import dev.tacit.federated.protocol.PartyKeys;
import dev.tacit.federated.protocol.PartyMachine;
import dev.tacit.federated.protocol.PartyPhase;
import dev.tacit.federated.protocol.ProtocolRefusal;
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
    private boolean ended;

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
        Study study = plan.study();
        int place = study.place(name);
        try (HeldRecords records = HeldRecords.open(request(study.members().get(place)), study.run());
                SealedFile sealed = SealedFile.open(new FitFolder(folder.path()).releases(), study.run());
                EnvelopeLog log = EnvelopeLog.open(folder.log())) {
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
            takePart(machine);
            machine.stopped().ifPresent(reason -> {
                throw new FitException(FitException.Kind.CONFIGURATION, FitException.sentence(reason.sentence()));
            });
            PartyStatement statement =
                    PartyStatement.of(name, plan, EnvelopeHistory.of(log.entries()), records.total());
            folder.writeStatement(statement.text());
            records.published(statement.text());
            return statement;
        }
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

    private boolean over(PartyMachine machine) {
        return machine.stopped().isPresent() || (machine.isDone() && (ended || machine.phase() == PartyPhase.CLOSED));
    }

    /** Whether a message says that the last round is over, so that nobody needs this party any more. */
    private boolean isEnd(byte[] message) {
        try {
            Envelope envelope = Envelope.read(message, plan.terms().mostBytes());
            return envelope.kind() == MessageKind.RESULT
                    && envelope.round() == plan.releases() - 1
                    && envelope.isSignedBy(plan.terms().coordinatorKey());
        } catch (ProtocolRefusal e) {
            return false;
        }
    }

    private void takePart(PartyMachine machine) {
        BackOff backOff = new BackOff();
        long doneSince = 0;
        while (!over(machine)) {
            try (Mailbox mailbox = Links.mailbox(approval.at(), name, keys, plan.terms())) {
                put(mailbox, machine.start());
                while (!over(machine)) {
                    say(machine.isDone() ? "has done its part and waits for the end" : waitsFor(machine));
                    boolean heard = false;
                    for (byte[] message : mailbox.next(LISTEN)) {
                        heard = true;
                        put(mailbox, machine.receive(message));
                        ended |= isEnd(message);
                        machine.lastRefusal().ifPresent(refusal -> say("refused a message: " + refusal.sentence()));
                    }
                    if (!heard) {
                        put(mailbox, machine.outstanding());
                    }
                    backOff.reset();
                }
                put(mailbox, machine.outstanding());
            } catch (MailboxUnavailable e) {
                say(e.getMessage() + "; " + name + " tries again");
                long now = clock.millis();
                doneSince = machine.isDone() ? (doneSince == 0 ? now : doneSince) : 0;
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

    private String waitsFor(PartyMachine machine) {
        return "round " + (machine.round() + 1) + " of " + plan.releases() + ": " + name + " "
                + machine.phase().words();
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
            throw new FitException(FitException.Kind.CONFIGURATION, "the party was stopped; party run goes on.", e);
        }
    }
}
