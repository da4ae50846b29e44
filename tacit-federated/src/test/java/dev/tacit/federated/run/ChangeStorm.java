package dev.tacit.federated.run;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.federated.factor.ChangeCoordinator;
import dev.tacit.federated.factor.ChangeParty;
import dev.tacit.federated.factor.ChangeRebuild;
import dev.tacit.federated.factor.ChangeRules;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.Outgoing;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.message.StudyTerms;
import dev.tacit.federated.protocol.PartyKeys;
import dev.tacit.federated.release.FactorDoorway;
import dev.tacit.federated.study.Study;
import dev.tacit.federated.study.StudyFixture;
import dev.tacit.federated.study.StudyPlan;
import dev.tacit.federated.transport.Mailbox;
import dev.tacit.federated.transport.MailboxUnavailable;
import dev.tacit.federated.transport.MemoryMailbox;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.coordinator.Coordinator;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.message.FactorTerms;
import dev.tacit.partitioned.party.FactorParty;
import dev.tacit.partitioned.party.PartyDoor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * Parties that add all of their noise themselves, and their coordinator, over mailboxes in memory with a seeded scheduler: messages are lost,
 * doubled, held back and handed out in another order, and every process may die before or after any write.
 *
 * <p>{@code main} takes the number of seeds.
 */
final class ChangeStorm {
    private static final int PARTIES = 3;
    private static final int ROWS = 200;
    private static final int ROUNDS = 3;
    private static final int LOCAL_STEPS = 2;
    private static final int ROUGH_TURNS = 120;
    private static final int MOST_TURNS = 3_000;

    /** What a seed showed. */
    record Outcome(NaturalGaussian global, int crashes) {}

    private final Random random;
    private final StudyPlan plan;
    private final StudyTerms terms;
    private final ChangeRules rules;
    private final MemoryMailbox post;
    private final boolean forgetful;
    private final List<ChangeDisk> disks = new ArrayList<>();
    private final List<ChangeParty> parties = new ArrayList<>();
    private final List<Mailbox> boxes = new ArrayList<>();
    private final Map<String, byte[]> said = new HashMap<>();
    private final ChangeDisk coordinatorDisk = new ChangeDisk();
    private ChangeCoordinator coordinator;
    private boolean rough = true;
    private int crashes;

    ChangeStorm(long seed, boolean asynchronous, boolean forgetful) {
        this.random = new Random(seed);
        this.plan = plan(asynchronous);
        this.terms = plan.terms();
        this.rules = plan.changes().orElseThrow();
        this.forgetful = forgetful;
        this.post = new MemoryMailbox(this::handOut);
        for (int place = 0; place < PARTIES; place++) {
            disks.add(new ChangeDisk());
            parties.add(null);
            boxes.add(post.of("party-" + place));
        }
    }

    static StudyPlan plan(boolean asynchronous) {
        return plan(asynchronous, 1);
    }

    static StudyPlan plan(boolean asynchronous, int missing) {
        return StudyPlan.of(StudyFixture.study(
                PARTIES,
                PARTIES - 1,
                missing,
                Study.Noise.OWN,
                Map.of(
                        "way",
                        "dp-optimisation",
                        "rounds",
                        Integer.toString(ROUNDS),
                        "localSteps",
                        Integer.toString(LOCAL_STEPS),
                        "schedule",
                        asynchronous ? "asynchronous" : "synchronous")));
    }

    private static PrivateDataset data(StudyPlan plan, int place) {
        int columns = plan.changes().orElseThrow().prior().dimension();
        RandomStream numbers = RandomStream.ofSeed(11).fork(place);
        double[] values = new double[ROWS * columns];
        double[] labels = new double[ROWS];
        for (int row = 0; row < ROWS; row++) {
            for (int j = 0; j < columns; j++) {
                values[row * columns + j] = numbers.uniform() / columns;
            }
            labels[row] = numbers.uniform() < 0.3 + 0.4 * values[row * columns] ? 1 : 0;
        }
        return LocalSummation.dataset(
                RecordsInMemory.of(DenseBlock.of(ROWS, columns, values, labels), true), ChangeDisk.RECORD, ROWS, 1);
    }

    static FactorDoorway door(StudyPlan plan, int place, ChangeDisk disk) {
        return FactorDoorway.open(
                plan, place, data(plan, place), disk.ledger, ReplayNoise.ofSeed(100 + place), disk, disk, disk);
    }

    static ChangeParty party(StudyPlan plan, int place, ChangeDisk disk) {
        return ChangeParty.open(
                plan.terms(),
                place,
                new PartyKeys(StudyFixture.identity(place + 1), StudyFixture.box(place + 1)),
                disk.journal,
                door(plan, place, disk));
    }

    /** The same study in one process: parties and coordinator of the library, on the same records with the same noise. */
    static NaturalGaussian inProcess() {
        StudyPlan plan = plan(false);
        ChangeRules rules = plan.changes().orElseThrow();
        List<FactorParty> parties = new ArrayList<>();
        for (int place = 0; place < PARTIES; place++) {
            FactorParty party = new FactorParty(
                    "party-" + place,
                    new PartyDoor(
                            data(plan, place),
                            Optional.of(new PartyDoor.Protection(plan.ownMechanism(), new ChangeDisk().ledger)),
                            ReplayNoise.ofSeed(100 + place)),
                    plan.factors().orElseThrow().local(),
                    FactorTerms.of(rules.prior(), rules.settings().damping())
                            .drawing(plan.study().seed(), place));
            party.join(ROUNDS);
            parties.add(party);
        }
        return new Coordinator(rules.prior(), rules.settings(), Optional.empty())
                .run(parties, Coordinator.Listener.NONE)
                .global();
    }

    private List<byte[]> handOut(List<byte[]> waiting) {
        List<byte[]> out = new ArrayList<>();
        for (byte[] message : List.copyOf(waiting)) {
            double luck = rough ? random.nextDouble() : 1;
            if (luck < 0.3) {
                continue;
            }
            waiting.remove(message);
            if (luck >= 0.4) {
                out.add(message);
            }
            if (luck >= 0.4 && luck < 0.5) {
                out.add(message.clone());
            }
        }
        if (rough) {
            Collections.shuffle(out, random);
        }
        return out;
    }

    Outcome run() {
        int turn = 0;
        while (coordinator == null || !coordinator.isOver()) {
            if (turn++ > MOST_TURNS) {
                throw new IllegalStateException("nothing happens any more; waited for " + coordinator.waitedFor());
            }
            rough = turn < ROUGH_TURNS;
            int actor = random.nextInt(PARTIES + 1);
            if (actor < PARTIES) {
                partyTurn(actor);
            } else {
                coordinatorTurn();
            }
        }
        check();
        return new Outcome(coordinator.global(), crashes);
    }

    private void light(ChangeDisk disk) {
        disk.fuse = rough && random.nextInt(3) == 0 ? random.nextInt(14) : -1;
        disk.after = random.nextBoolean();
    }

    private void partyTurn(int place) {
        ChangeDisk disk = disks.get(place);
        light(disk);
        try {
            if (parties.get(place) == null) {
                ChangeParty machine = party(plan, place, disk);
                parties.set(place, machine);
                put(place, machine.start());
            }
            ChangeParty machine = parties.get(place);
            for (byte[] message : boxes.get(place).next(Duration.ZERO)) {
                put(place, machine.receive(message));
            }
            if (random.nextInt(3) == 0) {
                put(place, machine.outstanding());
            }
        } catch (ChangeDisk.Crash crash) {
            crashes++;
            parties.set(place, null);
            if (forgetful) {
                disk.forget();
            }
        } catch (MailboxUnavailable impossible) {
            throw new IllegalStateException(impossible);
        } finally {
            disk.fuse = -1;
        }
    }

    private void put(int place, List<Envelope> envelopes) throws MailboxUnavailable {
        for (Envelope envelope : envelopes) {
            require(parties.get(place).stopped().isEmpty(), "a party stopped");
            if (envelope.kind() == MessageKind.CHANGE) {
                require(
                        disks.get(place).announced()
                                >= (long) LOCAL_STEPS * parties.get(place).changes(),
                        "a change left before the ledger had it");
                byte[] before = said.putIfAbsent(envelope.round() + " " + place, envelope.toBytes());
                require(before == null || Arrays.equals(before, envelope.toBytes()), "a party said two things");
            }
            boxes.get(place).put(envelope);
        }
    }

    private void coordinatorTurn() {
        light(coordinatorDisk);
        try {
            if (coordinator == null) {
                coordinator = ChangeCoordinator.open(terms, rules, StudyFixture.identity(99), coordinatorDisk.journal);
                post(coordinator.start());
            }
            for (byte[] message : post.collect(Duration.ZERO)) {
                post(coordinator.receive(message));
            }
            if (random.nextInt(3) == 0) {
                post(coordinator.outstanding());
            }
        } catch (ChangeDisk.Crash crash) {
            crashes++;
            coordinator = null;
        } catch (ProtocolRefusal refusal) {
            throw new IllegalStateException(refusal.sentence(), refusal);
        } finally {
            coordinatorDisk.fuse = -1;
        }
    }

    private void post(List<Outgoing> outgoing) {
        for (Outgoing each : outgoing) {
            post.post("party-" + each.party(), each.envelope());
        }
    }

    /** Every round has an answer of everybody, every ledger is exact, no noise was drawn for two answers, and the log can be recomputed. */
    private void check() {
        for (int place = 0; place < PARTIES; place++) {
            ChangeDisk disk = disks.get(place);
            require(coordinator.used(place) == ROUNDS, "a round is lost");
            require(disk.ledger.entries().size() == 1, "the study was charged twice");
            require(
                    disk.announced() == (long) ROUNDS * LOCAL_STEPS,
                    "a ledger does not know exactly what was released");
        }
        try {
            NaturalGaussian again = ChangeCoordinator.replayed(terms, rules, coordinatorDisk.journal, true)
                    .global();
            require(again.equals(coordinator.global()), "the log leads elsewhere");
            rebuild();
        } catch (ProtocolRefusal refusal) {
            throw new IllegalStateException("the audit refuses the log: " + refusal.sentence(), refusal);
        }
    }

    /** The parties' logs make a coordinator again that has said nothing else to anybody, and has the same approximation. */
    private void rebuild() throws ProtocolRefusal {
        List<Envelope> kept = new ArrayList<>();
        boolean ended = false;
        for (ChangeDisk disk : disks) {
            List<Envelope> envelopes =
                    EnvelopeHistory.of(disk.journal.entries()).envelopes();
            kept.addAll(envelopes);
            ended |= envelopes.stream().anyMatch(each -> each.kind() == MessageKind.RESULT);
        }
        ChangeDisk fresh = new ChangeDisk();
        fresh.journal.append(ChangeRebuild.entries(terms, rules, StudyFixture.identity(99), kept, 0));
        ChangeCoordinator again = ChangeCoordinator.replayed(terms, rules, fresh.journal, true);
        require(again.isOver(), "the end was not made again");
        double[] numbers = again.global().naturalParameters();
        double[] before = coordinator.global().naturalParameters();
        boolean free = rules.asynchronous() && !ended;
        for (int i = 0; i < numbers.length; i++) {
            // of the last changes, which nothing followed, the order is free, and sums of doubles depend on it
            double room = free ? 1e-9 * Math.max(1, Math.abs(before[i])) : 0;
            require(Math.abs(numbers[i] - before[i]) <= room, "the log that was made again leads elsewhere");
        }
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }

    /** Runs seeds one after the other, every second one asynchronously; the first that fails is named. Returns how many crashes there were. */
    static int runAll(long first, int seeds, boolean forgetful) {
        NaturalGaussian expected = inProcess();
        int crashes = 0;
        for (long seed = first; seed < first + seeds; seed++) {
            try {
                boolean asynchronous = seed % 2 == 0;
                Outcome outcome = new ChangeStorm(seed, asynchronous, forgetful).run();
                require(
                        asynchronous || outcome.global.equals(expected),
                        "the approximation is not that of one process");
                crashes += outcome.crashes;
            } catch (RuntimeException failure) {
                throw new IllegalStateException("seed " + seed + ": " + failure.getMessage(), failure);
            }
        }
        return crashes;
    }

    public static void main(String[] arguments) {
        int seeds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10_000;
        System.out.println(seeds + " seeds, " + runAll(1, seeds, false) + " crashes");
    }
}
