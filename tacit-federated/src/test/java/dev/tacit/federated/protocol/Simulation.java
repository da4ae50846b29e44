package dev.tacit.federated.protocol;

import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.Outgoing;
import dev.tacit.federated.message.PartySet;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.transport.Mailbox;
import dev.tacit.federated.transport.MailboxUnavailable;
import dev.tacit.federated.transport.MemoryMailbox;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * All roles over mailboxes in memory with a seeded scheduler: messages are lost, doubled, held back and handed out in another order, every
 * process may die before or after any write, and some parties never come back.
 *
 * <p>In the end the weather is fair, and every round that was not given up must be open: the sum is the plain sum of the survivors to the
 * bit, every ledger knows exactly the releases that were made, no noise was drawn twice, and nobody said two things in one round.
 *
 * <p>{@code main} takes the number of seeds, the first of them, and what else happens.
 */
final class Simulation {
    /** What happens beside crashes. */
    enum Trouble {
        NONE,

        /** The twin: a crash takes the newest entry of a party's journal with it, as a disk does that only says it was forced. */
        FORGETFUL_DISKS,

        /** The coordinator's log is lost with all messages on their way, and made again from those of all parties. */
        LOST_LOGS
    }

    private static final double BOUND = 1.5;
    private static final int ROUGH_TURNS = 160;
    private static final int MOST_TURNS = 4_000;

    private final Random random;
    private final Federation federation;
    private MemoryMailbox post;
    private final List<PartyMachine> parties = new ArrayList<>();
    private final List<Mailbox> boxes = new ArrayList<>();
    private final List<Integer> gone = new ArrayList<>();
    private final Map<String, byte[]> said = new HashMap<>();
    private CoordinatorMachine coordinator;
    private boolean rough = true;

    private final Trouble trouble;
    private int crashes;
    private int rebuilds;
    private final Set<Integer> givenUp = new HashSet<>();

    /** What a run showed. */
    record Outcome(int opened, int givenUp, int crashes, int rebuilds) {}

    Simulation(long seed, Trouble trouble) {
        this.trouble = trouble;
        random = new Random(seed);
        int[][] shapes = {{3, 0, 1}, {4, 1, 1}, {5, 1, 1}, {5, 0, 2}, {3, 1, 0}};
        int[] shape = shapes[random.nextInt(shapes.length)];
        federation = new Federation(shape[0], shape[1], shape[2], random.nextBoolean(), 2 + random.nextInt(2), seed);
        for (int place = 0; place < shape[0]; place++) {
            parties.add(null);
        }
        openMailboxes();
        int leaves = random.nextInt(shape[2] + 1);
        for (int i = 0; i < leaves; i++) {
            gone.add(random.nextInt(shape[0]));
        }
    }

    private void openMailboxes() {
        post = new MemoryMailbox(this::handOut);
        boxes.clear();
        for (int place = 0; place < parties.size(); place++) {
            boxes.add(post.of("party-" + place));
        }
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
        while (coordinator == null || coordinator.round() < federation.terms.rounds()) {
            if (turn++ > MOST_TURNS) {
                throw new IllegalStateException("a round is lost: nothing happens any more in round "
                        + coordinator.round() + ", which " + coordinator.phase().words() + describe());
            }
            rough = turn < ROUGH_TURNS;
            int actor = random.nextInt(parties.size() + 2);
            if (actor < parties.size()) {
                partyTurn(actor, turn);
            } else {
                coordinatorTurn();
            }
        }
        return check();
    }

    private String describe() {
        StringBuilder text = new StringBuilder("; waited for " + coordinator.waitedFor());
        for (PartyMachine party : parties) {
            text.append(
                    party == null
                            ? "; gone"
                            : "; round " + party.round() + " " + party.phase() + " "
                                    + party.lastRefusal()
                                            .map(ProtocolRefusal::sentence)
                                            .orElse(""));
        }
        return text.toString();
    }

    private void light(Disk disk) {
        disk.fuse = rough && random.nextInt(3) == 0 ? random.nextInt(12) : -1;
        disk.after = random.nextBoolean();
    }

    private void partyTurn(int place, int turn) {
        if (gone.contains(place) && turn > ROUGH_TURNS / 4) {
            parties.set(place, null);
            return;
        }
        Disk disk = federation.disks.get(place);
        light(disk);
        try {
            if (parties.get(place) == null) {
                PartyMachine machine = federation.party(place);
                parties.set(place, machine);
                put(place, machine.start());
            }
            PartyMachine machine = parties.get(place);
            for (byte[] message : boxes.get(place).next(Duration.ZERO)) {
                put(place, machine.receive(message));
            }
            if (random.nextInt(3) == 0) {
                put(place, machine.outstanding());
            }
        } catch (Crash crash) {
            crashes++;
            parties.set(place, null);
            if (trouble == Trouble.FORGETFUL_DISKS) {
                disk.restoreJournal(Math.max(0, disk.journal.entries().size() - 1));
            }
        } catch (MailboxUnavailable impossible) {
            throw new IllegalStateException(impossible);
        } finally {
            disk.fuse = -1;
        }
    }

    private void put(int place, List<Envelope> envelopes) throws MailboxUnavailable {
        for (Envelope envelope : envelopes) {
            if (envelope.kind() == MessageKind.VECTOR
                    && federation.disks.get(place).announced()
                            < parties.get(place).releases()) {
                throw new IllegalStateException("a vector left before the ledger had it");
            }
            if (envelope.kind() != MessageKind.REFUSAL) {
                byte[] before =
                        said.putIfAbsent(envelope.kind() + " " + envelope.round() + " " + place, envelope.toBytes());
                if (before != null && !Arrays.equals(before, envelope.toBytes())) {
                    throw new IllegalStateException("a party said two things: " + envelope);
                }
            }
            boxes.get(place).put(envelope);
        }
    }

    /** The coordinator's machine burns down, and another one is given what parties kept. */
    private void loseLog() {
        federation.coordinatorDisk.restoreJournal(0);
        openMailboxes();
        List<Envelope> kept = new ArrayList<>();
        try {
            for (Disk disk : federation.disks) {
                for (byte[] entry : disk.journal.entries()) {
                    kept.add(Envelope.read(entry, Integer.MAX_VALUE));
                }
            }
            CoordinatorRebuild.of(federation.terms, federation.coordinator(), kept);
        } catch (ProtocolRefusal refusal) {
            throw new IllegalStateException("the log of the coordinator was not made again: " + refusal.sentence());
        }
        coordinator = null;
        rebuilds++;
    }

    private void coordinatorTurn() {
        Disk disk = federation.coordinatorDisk;
        if (trouble == Trouble.LOST_LOGS && rough && random.nextInt(15) == 0) {
            loseLog();
        }
        light(disk);
        try {
            if (coordinator == null) {
                coordinator = federation.coordinator();
                post(coordinator.outstanding());
            }
            if (coordinator.round() < federation.terms.rounds()) {
                post(coordinator.request(DoorSource.request(BOUND)));
            }
            boolean together = random.nextBoolean();
            for (byte[] message : post.collect(Duration.ZERO)) {
                try {
                    Envelope envelope = Envelope.read(message, federation.terms.mostBytesOfAParty());
                    coordinator.take(envelope);
                    if (!together) {
                        post(coordinator.goOn());
                    }
                } catch (ProtocolRefusal refusal) {
                    // a message of a round that has not begun here, because this coordinator crashed
                }
            }
            post(coordinator.goOn());
            if (random.nextInt(rough ? 8 : 4) == 0) {
                post(coordinator.hurry());
            }
            if (random.nextInt(3) == 0) {
                post(coordinator.outstanding());
            }
            if (!rough && isHopeless()) {
                givenUp.add(coordinator.round());
                post(coordinator.giveUp());
            }
            if (rough && random.nextInt(150) == 0 && coordinator.round() < federation.terms.rounds()) {
                givenUp.add(coordinator.round());
                post(coordinator.giveUp());
            }
        } catch (Crash crash) {
            crashes++;
            coordinator = null;
        } finally {
            disk.fuse = -1;
        }
    }

    /** An impatient coordinator left out some who are there, and of those it took too many are gone for good: more than d together. */
    private boolean isHopeless() {
        if (coordinator.round() >= federation.terms.rounds()
                || coordinator.taking(coordinator.round()).isEmpty()) {
            return false;
        }
        PartySet taking = coordinator.taking(coordinator.round()).get();
        PartySet left = taking.minus(PartySet.of(gone));
        return PartySet.of(gone).size() <= federation.terms.dropouts()
                && left.size() < federation.terms.least()
                && coordinator.waitedFor().minus(PartySet.of(gone)).size() == 0;
    }

    private void post(List<Outgoing> outgoing) {
        for (Outgoing each : outgoing) {
            post.post("party-" + each.party(), each.envelope());
        }
    }

    private Outcome check() {
        int opened = 0;
        for (int round = 0; round < federation.terms.rounds(); round++) {
            if (coordinator.opened(round).isPresent()) {
                OpenedSum sum = coordinator.opened(round).get();
                require(
                        Arrays.equals(sum.integers(), federation.plainSum(sum, BOUND)),
                        "the sum of round " + round + " is not the plain sum of its survivors");
                require(sum.survivors().size() >= federation.terms.least(), "a sum of too few parties");
                opened++;
            } else {
                require(givenUp.contains(round), "round " + round + " is lost, and nobody gave it up");
            }
        }
        for (int place = 0; place < parties.size(); place++) {
            Disk disk = federation.disks.get(place);
            require(disk.drawn.stream().distinct().count() == disk.drawn.size(), "noise was drawn twice");
            if (parties.get(place) != null) {
                require(parties.get(place).stopped().isEmpty(), "a party stopped");
                require(
                        disk.announced() == parties.get(place).releases() && disk.drawn.size() == disk.announced(),
                        "a ledger does not know exactly what was released");
            }
        }
        return new Outcome(opened, federation.terms.rounds() - opened, crashes, rebuilds);
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }

    /** Runs seeds one after the other; the first that fails is named. */
    static Outcome runAll(long first, int seeds, Trouble trouble) {
        int opened = 0;
        int givenUp = 0;
        int crashes = 0;
        int rebuilds = 0;
        for (long seed = first; seed < first + seeds; seed++) {
            try {
                Outcome outcome = new Simulation(seed, trouble).run();
                opened += outcome.opened;
                givenUp += outcome.givenUp;
                crashes += outcome.crashes;
                rebuilds += outcome.rebuilds;
            } catch (RuntimeException failure) {
                throw new IllegalStateException("seed " + seed + ": " + failure.getMessage(), failure);
            }
        }
        return new Outcome(opened, givenUp, crashes, rebuilds);
    }

    public static void main(String[] arguments) {
        int seeds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10_000;
        long first = arguments.length > 1 ? Long.parseLong(arguments[1]) : 1;
        Trouble trouble = arguments.length > 2 ? Trouble.valueOf(arguments[2]) : Trouble.NONE;
        Outcome outcome = runAll(first, seeds, trouble);
        System.out.println(seeds + " seeds: " + outcome.opened + " rounds opened, " + outcome.givenUp + " given up, "
                + outcome.crashes + " crashes, " + outcome.rebuilds + " logs made again");
    }
}
