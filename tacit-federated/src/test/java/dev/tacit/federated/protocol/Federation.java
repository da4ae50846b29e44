package dev.tacit.federated.protocol;

import dev.tacit.door.noise.NoiseSource;
import dev.tacit.federated.crypto.ContentHash;
import dev.tacit.federated.crypto.Identity;
import dev.tacit.federated.crypto.SealedBox;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.Outgoing;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.message.StudyParty;
import dev.tacit.federated.message.StudyTerms;
import dev.tacit.federated.noise.LayeredNoiseShare;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.noise.SecureNoise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;

/** A study with its parties and coordinator, all keys, disks and doors. */
final class Federation {
    final StudyTerms terms;
    final Identity coordinator;
    final Disk coordinatorDisk = new Disk();
    final List<PartyKeys> keys = new ArrayList<>();
    final List<Disk> disks = new ArrayList<>();
    final List<DoorSource.Seen> seen = new ArrayList<>();
    final List<double[]> rows = new ArrayList<>();
    final NoiseSource secrets;
    private long forks;

    /** The noise of each door; secure, unless a test replays it. */
    IntFunction<NoiseSource> doors = place -> SecureNoise.create();

    Federation(int parties, int colluders, int dropouts, boolean layered, int rounds, long seed) {
        secrets = ReplayNoise.ofSeed(seed);
        Random random = new Random(seed);
        coordinator = Identity.fresh(secrets);
        List<StudyParty> roster = new ArrayList<>();
        for (int party = 0; party < parties; party++) {
            PartyKeys own = new PartyKeys(Identity.fresh(secrets), SealedBox.fresh(secrets));
            keys.add(own);
            disks.add(new Disk());
            seen.add(new DoorSource.Seen());
            rows.add(random.doubles(6 * DoorSource.COLUMNS, -1, 1).toArray());
            roster.add(new StudyParty(
                    "party-" + party, own.identity().publicKey(), own.box().publicKey()));
        }
        terms = new StudyTerms(
                ContentHash.of("test study"),
                coordinator.publicKey(),
                roster,
                colluders,
                dropouts,
                layered,
                rounds,
                10_000);
    }

    PartyMachine party(int place) {
        return party(place, PartyTable.STANDARD, RoundMessages::context);
    }

    PartyMachine party(int place, PartyTable table, PartyMachine.ContextRule contexts) {
        Disk disk = disks.get(place);
        return new PartyMachine(
                terms,
                place,
                keys.get(place),
                disk.journal,
                disk,
                new DoorSource(terms, disk, rows.get(place), seen.get(place), () -> doors.apply(place)),
                () -> secrets.fork(forks++),
                table,
                contexts);
    }

    CoordinatorMachine coordinator() {
        try {
            return CoordinatorMachine.open(terms, coordinator, coordinatorDisk.journal, DoorSource.noise(terms));
        } catch (ProtocolRefusal refusal) {
            throw new IllegalStateException(refusal);
        }
    }

    /** What an opened sum must be: the plain sum of what the survivors' doors released, without the layers that are off. */
    long[] plainSum(OpenedSum opened, double l2Bound) {
        long[] sum = new long[opened.integers().length];
        int missing = terms.size() - opened.survivors().size();
        double whole = LayeredNoiseShare.publicPart(DoorSource.NOISE_MULTIPLIER, terms.noiseLayers())
                .wholeSteps(l2Bound, sum.length);
        for (int party : opened.survivors().places().toArray()) {
            long[] released = seen.get(party).released.get(opened.round());
            Arrays.setAll(sum, i -> sum[i] + released[i]);
            for (int layer = missing + 1; layer <= terms.layers(); layer++) {
                seen.get(party)
                        .layers
                        .get(opened.round())
                        .get(layer - 1)
                        .remove(terms.noiseLayers().layerDeviation(layer, whole), sum);
            }
        }
        return sum;
    }

    /** Runs messages between machines until nothing is left to say; parties that are null are not there. */
    static void settle(CoordinatorMachine coordinator, List<PartyMachine> parties, List<Outgoing> first) {
        Deque<Outgoing> down = new ArrayDeque<>(first);
        Deque<Envelope> up = new ArrayDeque<>();
        for (PartyMachine party : parties) {
            if (party != null) {
                up.addAll(party.outstanding());
            }
        }
        while (!down.isEmpty() || !up.isEmpty()) {
            if (up.isEmpty()) {
                Outgoing next = down.remove();
                if (parties.get(next.party()) != null) {
                    up.addAll(parties.get(next.party()).receive(next.envelope().toBytes()));
                }
            } else {
                try {
                    down.addAll(coordinator.receive(up.remove().toBytes()));
                } catch (ProtocolRefusal refusal) {
                    throw new IllegalStateException(refusal);
                }
            }
        }
    }
}
