package dev.tacit.federated.run;

import dev.tacit.data.schema.Schema;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.RunRequest;
import dev.tacit.federated.draft.StudyWork;
import dev.tacit.federated.factor.ChangeParty;
import dev.tacit.federated.keys.KeyFolder;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.policy.PolicyVerdict;
import dev.tacit.federated.protocol.PartyKeys;
import dev.tacit.federated.protocol.PartyMachine;
import dev.tacit.federated.release.FactorDoorway;
import dev.tacit.federated.release.PartyDoorway;
import dev.tacit.federated.role.ChangingRole;
import dev.tacit.federated.role.PartyRole;
import dev.tacit.federated.role.SummingRole;
import dev.tacit.federated.store.EnvelopeLog;
import dev.tacit.federated.store.SecretFile;
import dev.tacit.federated.study.Study;
import dev.tacit.federated.study.StudyException;
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
import java.nio.file.Files;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
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

    /** How long a party that knows that the study is over listens for somebody who needs something again. */
    private static final Duration ASK_AGAIN = Duration.ofSeconds(1);

    /** How long a party whose part is done tries to reach a coordinator that may be over, or may be started again. */
    private static final Duration FAREWELL = Duration.ofMinutes(5);

    private final PartyFolder folder;
    private final PartyFolder.Approval approval;
    private final StudyPlan plan;
    private final KeyFolder keys;
    private final String name;
    private final PatientVoice voice;
    private final Times times;

    PartyRun(PartyFolder folder, Federation.Progress progress, Times times) {
        this.folder = folder;
        this.approval = folder.approval();
        this.plan = StudyPlan.of(folder.study());
        this.keys = new KeyFolder(approval.keys());
        this.name = keys.name();
        this.voice = new PatientVoice(progress, times);
        this.times = times;
    }

    /** Takes part until the study is over; returns what the party promises. */
    PartyStatement run() {
        PartyKeys own = requireKeys(plan.study(), keys);
        requireAllowed(own);
        Links.require(approval.at(), keys, times.now());
        if (EnvelopeHistory.read(folder.log()).envelopes().isEmpty()
                && PartyWork.charged(folder, plan.study()).isEmpty()) {
            requireUnderWay(); // before there is a log: who took no part has none
        }
        try (EnvelopeLog log = EnvelopeLog.open(folder.log())) {
            return run(own, log);
        }
    }

    /** Both private keys, which must be those that the study names: nobody believes what is signed by others. */
    static PartyKeys requireKeys(Study study, KeyFolder keys) {
        PartyKeys own = new PartyKeys(keys.identity(), keys.sealing());
        String name = keys.name();
        StudyMember here = new StudyMember(
                name,
                study.member(name).units(),
                HexFormat.of().formatHex(own.identity().publicKey()),
                HexFormat.of().formatHex(own.box().publicKey()));
        if (!here.equals(study.member(name))) {
            throw new StudyException("the study names other keys for " + name + " than those in " + keys.path());
        }
        return own;
    }

    /**
     * Who comes for the first time is charged when the coordinator has answered, and not if the study is over. A folder is a coordinator that
     * answers later.
     */
    private void requireUnderWay() {
        BackOff backOff = new BackOff();
        while (true) {
            try (Mailbox mailbox = Links.mailbox(approval.at(), name, keys, plan.terms())) {
                for (byte[] message : mailbox.next(Duration.ZERO)) {
                    if (PartyRole.isEnd(message, plan.terms())) {
                        throw new FitException(
                                FitException.Kind.CONFIGURATION,
                                "the study is over, and " + name + " took no part in it; nothing was charged.");
                    }
                }
                return;
            } catch (MailboxUnavailable e) {
                voice.says(e.getMessage() + "; " + name + " tries again, and nothing is charged before");
                pause(backOff.nextMillis());
            }
        }
    }

    private PartyStatement run(PartyKeys own, EnvelopeLog log) {
        Study study = plan.study();
        int place = study.place(name);
        try (HeldRecords records = HeldRecords.open(request(study.members().get(place)), study.run());
                SealedFile sealed = SealedFile.open(new FitFolder(folder.path()).releases(), study.run())) {
            PartyRole role = plan.changes().isPresent()
                    ? changing(place, own, records, sealed, log)
                    : summing(place, own, records, sealed, log);
            boolean told = role.stopped().isPresent() && isTold(role.start(), plan, keys, approval.at());
            boolean finished = Files.exists(folder.statement());
            boolean ended = takePart(role, finished);
            role.stopped().ifPresent(reason -> {
                throw new FitException(
                        FitException.Kind.CONFIGURATION,
                        FitException.sentence(reason.sentence() + (told ? "; the coordinator was told so" : "")));
            });
            PartyStatement statement =
                    PartyStatement.of(name, plan, EnvelopeHistory.of(log.entries()), records.total());
            if (ended && !finished) { // each one names the ledger's newest line, and is one itself
                folder.writeStatement(statement.text());
                records.published(statement.text());
            }
            return statement;
        }
    }

    /** A party whose sums are masked. */
    private PartyRole summing(int place, PartyKeys own, HeldRecords records, SealedFile sealed, EnvelopeLog log) {
        PartyDoorway door = PartyDoorway.open(
                plan, sealed, new OwnLedger(records, plan.study().run()), layers -> open(records, sealed, layers));
        PartyMachine machine = PartyMachine.open(
                plan.terms(), place, own, log, SecretFile.in(folder.secrets()), door, SecureNoise::create);
        return new SummingRole(machine, plan, name);
    }

    /** A party that adds all of its noise itself. */
    private PartyRole changing(int place, PartyKeys own, HeldRecords records, SealedFile sealed, EnvelopeLog log) {
        FactorDoorway door;
        try {
            door = FactorDoorway.open(
                    plan,
                    place,
                    records.data(),
                    new FactorDoorway.WholeStudy(
                            records.ledger(plan.event()),
                            label(),
                            times.now().truncatedTo(ChronoUnit.SECONDS),
                            LedgerRequest.user()),
                    SecureNoise.create(),
                    sealed,
                    new FactorDoorway.StateFile(folder.state()),
                    new OwnLedger(records, plan.study().run()));
        } catch (IllegalStateException | IllegalArgumentException e) { // state, ledger and records do not fit together
            throw new FitException(FitException.Kind.CONFIGURATION, FitException.sentence(e.getMessage()), e);
        }
        ChangeParty machine = ChangeParty.open(plan.terms(), place, own, log, door);
        return new ChangingRole(machine, plan, name);
    }

    private void requireAllowed(PartyKeys own) {
        folder.policy().ifPresent(policy -> {
            PolicyVerdict verdict = policy.verdict(plan);
            if (!verdict.allowed()) {
                int round = EnvelopeHistory.read(folder.log()).envelopes().stream()
                        .mapToInt(Envelope::round)
                        .max()
                        .orElse(0);
                throw refused(plan, verdict, round, own, keys, approval.at());
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

    /** A study that the policy forbids is refused in words, which the party signs and puts into the coordinator's mailbox if it can. */
    static FitException refused(
            StudyPlan plan, PolicyVerdict verdict, int round, PartyKeys own, KeyFolder keys, String at) {
        String name = keys.name();
        ProtocolRefusal refusal = new ProtocolRefusal(
                ProtocolRefusal.Reason.POLICY,
                "the policy of " + name + " does not allow the study: " + String.join("; ", verdict.refusals()));
        Envelope envelope = Envelope.signed(
                own.identity(),
                plan.terms().binding(),
                round,
                MessageKind.REFUSAL,
                plan.study().place(name),
                Envelope.noContext(),
                refusal.toBytes());
        return new FitException(
                FitException.Kind.CONFIGURATION,
                verdict.words()
                        + (isTold(List.of(envelope), plan, keys, at)
                                ? "; the coordinator was told so."
                                : "; the coordinator could not be told."));
    }

    private static boolean isTold(List<Envelope> refusals, StudyPlan plan, KeyFolder keys, String at) {
        try (Mailbox mailbox = Links.mailbox(at, keys.name(), keys, plan.terms())) {
            put(mailbox, refusals);
            mailbox.next(Duration.ZERO);
            return true;
        } catch (MailboxUnavailable | StudyException e) {
            return false;
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
                .askedFor(times.now().truncatedTo(ChronoUnit.SECONDS), LedgerRequest.user());
        try {
            return records.data()
                    .open(run, plan.partyMechanism(layers), records.ledger(plan.event()), SecureNoise.create());
        } catch (BudgetExhausted e) {
            throw new FitException(FitException.Kind.BUDGET_EXHAUSTED, e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new FitException(FitException.Kind.CONFIGURATION, FitException.sentence(e.getMessage()), e);
        }
    }

    private record OwnLedger(HeldRecords records, String run) implements PartyDoorway.Ledger {
        @Override
        public long released() {
            return records.released(run);
        }

        @Override
        public String head() {
            return records.head();
        }

        @Override
        public boolean knows(String head) {
            return records.knows(head);
        }

        @Override
        public void outdateCopies(long rounds) {
            records.outdateCopies(rounds);
        }

        @Override
        public long agreedRounds() {
            return records.mark();
        }
    }

    private static boolean over(PartyRole role) {
        return role.stopped().isPresent() || role.isOver();
    }

    /**
     * Returns whether the study is over; a party that nobody answers any more leaves without knowing.
     *
     * @param finished whether it heard so before, and is only asked whether somebody needs something again
     */
    private boolean takePart(PartyRole role, boolean finished) {
        BackOff backOff = new BackOff();
        long away = 0;
        while (!over(role)) {
            try (Mailbox mailbox = Links.mailbox(approval.at(), name, keys, plan.terms())) {
                put(mailbox, role.start());
                while (!over(role)) {
                    if (!finished) {
                        voice.stands(role.standing());
                        voice.waits(role.doing(), since -> role.doing() + "," + since + ".");
                    }
                    if (Thread.currentThread().isInterrupted()) {
                        throw stopped(null);
                    }
                    boolean heard = false;
                    for (byte[] message : mailbox.next(finished ? ASK_AGAIN : LISTEN, role::tidy)) {
                        heard = true;
                        put(mailbox, role.receive(message));
                        role.lastRefusal().ifPresent(refusal -> voice.says("refused a message: " + refusal.sentence()));
                    }
                    if (!heard && finished) {
                        return true;
                    }
                    if (!heard) {
                        put(mailbox, role.outstanding());
                    }
                    backOff.reset();
                    voice.back();
                    away = 0;
                }
                put(mailbox, role.outstanding());
                role.tidy();
            } catch (MailboxUnavailable e) {
                if (finished) {
                    return true;
                }
                voice.away(e.getMessage() + "; " + name + " tries again");
                long now = times.passedMillis();
                away = away == 0 ? now : away;
                if (role.isDone() && now - away > FAREWELL.toMillis()) {
                    voice.says(name + " has given all that it had to give, and nobody has answered for "
                            + FAREWELL.toMinutes() + " minutes; party run hears later whether the study is over");
                    return false;
                }
                pause(backOff.nextMillis());
            }
        }
        return true;
    }

    private static void put(Mailbox mailbox, List<Envelope> envelopes) throws MailboxUnavailable {
        for (Envelope envelope : envelopes) {
            mailbox.put(envelope);
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
