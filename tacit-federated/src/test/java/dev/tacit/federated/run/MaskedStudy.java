package dev.tacit.federated.run;

import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.Outgoing;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.protocol.CoordinatorMachine;
import dev.tacit.federated.protocol.CoordinatorRebuild;
import dev.tacit.federated.protocol.PartyKeys;
import dev.tacit.federated.protocol.PartyMachine;
import dev.tacit.federated.protocol.ReleaseSource;
import dev.tacit.federated.release.StateRequest;
import dev.tacit.federated.store.Journal;
import dev.tacit.federated.store.Secrets;
import dev.tacit.federated.study.Study;
import dev.tacit.federated.study.StudyFixture;
import dev.tacit.federated.study.StudyPlan;
import dev.tacit.noise.NoiseLayer;
import dev.tacit.noise.SecureNoise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A study of masked sums in memory, with doors that release zeros: what a test says does not arrive, who loses a release, and who is killed
 * when.
 */
final class MaskedStudy {
    static final int PARTIES = 5;
    static final int COORDINATOR_KEY = 99;

    /** A disk that keeps everything. */
    private static final class Shelf implements Journal, Secrets {
        private final List<byte[]> entries = new ArrayList<>();
        private final Map<String, byte[]> secrets = new HashMap<>();

        @Override
        public List<byte[]> entries() {
            return List.copyOf(entries);
        }

        @Override
        public void append(List<byte[]> added) {
            entries.addAll(added);
        }

        @Override
        public byte[] head() {
            return new byte[32];
        }

        @Override
        public void keep(String name, byte[] secret) {
            secrets.put(name, secret.clone());
        }

        @Override
        public Optional<byte[]> read(String name) {
            return Optional.ofNullable(secrets.get(name));
        }

        @Override
        public void erase(String name) {
            secrets.remove(name);
        }
    }

    private final class Zeros implements ReleaseSource {
        private final int place;

        Zeros(int place) {
            this.place = place;
        }

        @Override
        public Optional<String> refusal(int round, byte[] request) {
            return Optional.empty();
        }

        @Override
        public Optional<long[]> release(int index, int round, byte[] request, List<NoiseLayer> layers) {
            return lost.contains(place + " " + round)
                    ? Optional.empty()
                    : Optional.of(new long[plan.plan().phaseOf(round).dimension()]);
        }

        @Override
        public void outdateCopies(int rounds) {
            // nobody copies a folder here
        }

        @Override
        public int agreedRounds() {
            return 0;
        }

        @Override
        public long released() {
            return 0;
        }

        @Override
        public void kept(int index) {}

        @Override
        public byte[] ledgerHead() {
            return new byte[32];
        }

        @Override
        public boolean knowsLedgerHead(byte[] head) {
            return true;
        }
    }

    final Study study = StudyFixture.study(PARTIES, 1, 1, Study.Noise.LAYERS, Map.of("rounds", "4"));
    final StudyPlan plan = StudyPlan.of(study);

    /** Which releases are gone from a party's disk: place and round. */
    final Set<String> lost = new HashSet<>();

    /** What of a party does not arrive: place, kind and round. */
    final Set<String> dropped = new HashSet<>();

    private final Shelf coordinatorShelf = new Shelf();
    private final List<Shelf> shelves = new ArrayList<>();
    private final List<PartyMachine> parties = new ArrayList<>();
    private CoordinatorMachine coordinator;

    MaskedStudy() throws ProtocolRefusal {
        coordinator = coordinator();
        for (int place = 0; place < PARTIES; place++) {
            shelves.add(new Shelf());
            parties.add(party(place));
        }
    }

    private CoordinatorMachine coordinator() throws ProtocolRefusal {
        return CoordinatorMachine.open(
                plan.terms(), StudyFixture.identity(COORDINATOR_KEY), coordinatorShelf, CoordinatorRun.noise(plan));
    }

    private PartyMachine party(int place) {
        Shelf shelf = shelves.get(place);
        return PartyMachine.open(
                plan.terms(),
                place,
                new PartyKeys(StudyFixture.identity(place + 1), StudyFixture.box(place + 1)),
                shelf,
                shelf,
                new Zeros(place),
                SecureNoise::create);
    }

    /**
     * Plays the round that is next to its end, and gives it up if nothing is left to say before.
     *
     * @param killed whether every role is killed, and opened again, after each message that it takes
     * @param after what is done after each message that arrived
     */
    void round(boolean killed, Runnable after) throws ProtocolRefusal {
        int round = coordinator.round();
        byte[] request = new StateRequest(round, 1, Map.of()).toBytes();
        Deque<Envelope> up = new ArrayDeque<>();
        for (int place = 0; place < PARTIES; place++) {
            parties.set(place, party(place));
            up.addAll(parties.get(place).start());
        }
        Deque<Outgoing> down = new ArrayDeque<>(coordinator.request(request));
        for (int patience = 0; coordinator.round() == round; patience++) {
            down.addAll(coordinator.outstanding());
            settle(up, down, killed, after);
            if (coordinator.round() == round) {
                coordinator.request(request);
                down.addAll(patience < 3 ? coordinator.hurry() : coordinator.giveUp());
            }
        }
        settle(up, down, killed, after);
    }

    /** Begins the first round: all have given keys, and the first party has answered the request. */
    void begin() throws ProtocolRefusal {
        for (PartyMachine party : parties) {
            coordinator.receive(party.start().get(0));
        }
        byte[] request = new StateRequest(0, 1, Map.of()).toBytes();
        parties.get(0).receive(coordinator.request(request).get(0).envelope());
    }

    private void settle(Deque<Envelope> up, Deque<Outgoing> down, boolean killed, Runnable after)
            throws ProtocolRefusal {
        while (!up.isEmpty() || !down.isEmpty()) {
            if (up.isEmpty()) {
                Outgoing next = down.remove();
                up.addAll(parties.get(next.party()).receive(next.envelope()));
                if (killed) {
                    parties.set(next.party(), party(next.party()));
                }
            } else {
                Envelope next = up.remove();
                if (!dropped.contains(next.sender() + " " + next.kind() + " " + next.round())) {
                    down.addAll(coordinator.receive(next));
                    coordinator = killed ? coordinator() : coordinator;
                }
            }
            after.run();
        }
    }

    /** What a party refuses without losing a round: its own log does not have it. */
    void refuses(int place, ProtocolRefusal refusal) throws ProtocolRefusal {
        coordinator.receive(Envelope.signed(
                StudyFixture.identity(place + 1),
                plan.terms().binding(),
                coordinator.round(),
                MessageKind.REFUSAL,
                place,
                Envelope.noContext(),
                refusal.toBytes()));
    }

    /** How many rounds are over. */
    int rounds() {
        return coordinator.round();
    }

    EnvelopeHistory coordinatorsLog() {
        return EnvelopeHistory.of(coordinatorShelf.entries());
    }

    EnvelopeHistory partysLog(int place) {
        return EnvelopeHistory.of(shelves.get(place).entries());
    }

    /** A coordinator's log that is made again from those of all parties. */
    EnvelopeHistory rebuiltLog() throws ProtocolRefusal {
        List<Envelope> kept = new ArrayList<>();
        IntStream.range(0, PARTIES)
                .forEach(place -> kept.addAll(partysLog(place).envelopes()));
        return rebuiltLog(kept);
    }

    /** A coordinator's log that is made again from what parties kept. */
    EnvelopeHistory rebuiltLog(List<Envelope> kept) throws ProtocolRefusal {
        Shelf shelf = new Shelf();
        CoordinatorRebuild.of(
                plan.terms(),
                CoordinatorMachine.open(
                        plan.terms(), StudyFixture.identity(COORDINATOR_KEY), shelf, CoordinatorRun.noise(plan)),
                kept);
        return EnvelopeHistory.of(shelf.entries());
    }

    /** The logs of all roles as they are. */
    List<FederationAudit.Log> logs() {
        List<FederationAudit.Log> logs = new ArrayList<>();
        logs.add(new FederationAudit.Log("coordinator", coordinatorsLog()));
        IntStream.range(0, PARTIES)
                .forEach(place -> logs.add(new FederationAudit.Log("party-" + place, partysLog(place))));
        return logs;
    }
}
