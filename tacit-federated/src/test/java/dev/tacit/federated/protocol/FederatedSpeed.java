package dev.tacit.federated.protocol;

import dev.tacit.federated.crypto.ContentHash;
import dev.tacit.federated.crypto.Identity;
import dev.tacit.federated.crypto.KeyDerivation;
import dev.tacit.federated.crypto.RoundMasks;
import dev.tacit.federated.crypto.SealedBox;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.Outgoing;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.message.StudyParty;
import dev.tacit.federated.message.StudyTerms;
import dev.tacit.federated.noise.LayeredNoiseShare;
import dev.tacit.noise.NoiseLayer;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.noise.SecureNoise;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What masked sums cost, in CPU time of one thread: masks beside the construction of Flower in numpy, a party's round, and bytes beside plain
 * sums.
 *
 * <p>Rounds are of parties that do everything but read records and force disks. All times are means over many turns, because the clock of a
 * thread may go in steps; the first round is left out.
 */
final class FederatedSpeed {
    private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

    /**
     * As {@code flwr} masks: {@code pseudo_rand_gen} draws from a Mersenne twister with 32 bits of seed, below the modulus less one, and
     * {@code parameters_addition} makes a new vector. Prints both together, as ours is measured, and the drawing alone.
     */
    private static final String NUMPY = """
            import time, numpy as np
            for n in (10**4, 10**6):
                turns = 200_000_000 // n
                numbers = [np.zeros(n, dtype=np.int64)]
                whole = drawing = 0.0
                for i in range(turns):
                    start = time.process_time()
                    drawn = [np.random.RandomState(12345 + i).randint(0, (1 << 32) - 1, n, dtype=np.int64)]
                    drawing += time.process_time() - start
                    numbers = [np.add(a, b) for a, b in zip(numbers, drawn)]
                    whole += time.process_time() - start
                print(n, whole / turns, drawing / turns)
            """;

    private FederatedSpeed() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        masks();
        rounds(10, 1, 0, 6_000, 6);
        rounds(10, 1, 2, 6_000, 6);
        rounds(100, 1, 0, 10_000, 3);
        rounds(100, 1, 10, 10_000, 3);
    }

    private static double seconds() {
        return CPU.getCurrentThreadCpuTime() / 1e9;
    }

    private static void masks() throws IOException, InterruptedException {
        RoundMasks masks = new RoundMasks(ContentHash.of("speed"));
        double[] mean = new double[2];
        int[] counts = {10_000, 1_000_000};
        for (int c = 0; c < counts.length; c++) {
            long[] numbers = new long[counts[c]];
            int turns = 400_000_000 / counts[c];
            double start = 0;
            for (int i = -turns / 4; i < turns; i++) {
                start = i == 0 ? seconds() : start;
                masks.addPair(numbers, KeyDerivation.key(ContentHash.number(i), "speed"), 0, 1);
            }
            mean[c] = (seconds() - start) / turns;
            System.out.printf(
                    Locale.ROOT,
                    "mask of %d numbers: %.3f ms, %.2f GB/s%n",
                    counts[c],
                    1e3 * mean[c],
                    8e-9 * counts[c] / mean[c]);
        }
        for (String line : numpy()) {
            String[] words = line.split(" ", -1);
            int c = words[0].equals("10000") ? 0 : 1;
            double theirs = Double.parseDouble(words[1]);
            double drawing = Double.parseDouble(words[2]);
            System.out.printf(
                    Locale.ROOT,
                    "Flower's in numpy, %s numbers: %.3f ms, %.1f times ours; drawing alone %.3f ms, %.1f times%n",
                    words[0],
                    1e3 * theirs,
                    theirs / mean[c],
                    1e3 * drawing,
                    drawing / mean[c]);
        }
    }

    private static List<String> numpy() throws IOException, InterruptedException {
        Process python = new ProcessBuilder("python3", "-c", NUMPY).start();
        List<String> lines = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        if (python.waitFor() != 0) {
            System.out.println("numpy is not there");
            return List.of();
        }
        return lines;
    }

    /** A door without records: noise in its layers, as much as a release draws. */
    private record NoiseOnly(LayeredNoiseShare share, int numbers) implements ReleaseSource {
        @Override
        public Optional<String> refusal(int round, byte[] request) {
            return Optional.empty();
        }

        @Override
        public Optional<long[]> release(int index, int round, byte[] request, List<NoiseLayer> layers) {
            long[] sums = new long[numbers];
            new LayeredNoiseShare(share.noiseMultiplier(), share.layers(), () -> layers)
                    .addNoise(sums, 1, SecureNoise.create());
            return Optional.of(sums);
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
        public void kept(int index) {
            // nothing is sealed
        }

        @Override
        public byte[] ledgerHead() {
            return new byte[ContentHash.BYTES];
        }

        @Override
        public boolean knowsLedgerHead(byte[] head) {
            return true;
        }
    }

    private static void rounds(int size, int colluders, int dropouts, int numbers, int rounds) {
        ReplayNoise secrets = ReplayNoise.ofSeed(size);
        Identity identity = Identity.fresh(secrets);
        List<PartyKeys> keys = new ArrayList<>();
        List<StudyParty> roster = new ArrayList<>();
        for (int place = 0; place < size; place++) {
            PartyKeys own = new PartyKeys(Identity.fresh(secrets), SealedBox.fresh(secrets));
            keys.add(own);
            roster.add(new StudyParty(
                    "party-" + place, own.identity().publicKey(), own.box().publicKey()));
        }
        StudyTerms terms = new StudyTerms(
                ContentHash.of("speed"), identity.publicKey(), roster, colluders, dropouts, true, rounds, numbers);
        LayeredNoiseShare share = LayeredNoiseShare.publicPart(1, terms.noiseLayers());
        CoordinatorMachine coordinator;
        try {
            coordinator = CoordinatorMachine.open(
                    terms, identity, new Disk().journal, (round, request) -> share.wholeSteps(1, numbers));
        } catch (ProtocolRefusal impossible) {
            throw new IllegalStateException(impossible);
        }
        List<PartyMachine> parties = new ArrayList<>();
        for (int place = 0; place < size; place++) {
            Disk disk = new Disk();
            parties.add(PartyMachine.open(
                    terms,
                    place,
                    keys.get(place),
                    disk.journal,
                    disk,
                    new NoiseOnly(share, numbers),
                    SecureNoise::create));
        }
        List<Double> spent = new ArrayList<>();
        double coordinatorSpent = 0;
        long[] up = new long[size];
        long down = 0;
        Deque<Envelope> toCoordinator = new ArrayDeque<>();
        parties.forEach(party -> toCoordinator.addAll(party.start()));
        for (int round = 0; round < rounds; round++) {
            double[] party = new double[size];
            double start = seconds();
            Deque<Outgoing> toParties = new ArrayDeque<>(coordinator.request(new byte[100]));
            while (coordinator.round() == round) {
                while (!toCoordinator.isEmpty() && coordinator.round() == round) {
                    Envelope next = toCoordinator.remove();
                    up[next.sender()] += next.toBytes().length;
                    try {
                        toParties.addAll(coordinator.receive(next));
                    } catch (ProtocolRefusal impossible) {
                        throw new IllegalStateException(impossible);
                    }
                }
                coordinatorSpent += round == 0 ? 0 : seconds() - start;
                while (!toParties.isEmpty()) {
                    Outgoing next = toParties.remove();
                    down += next.party() == 0 ? next.envelope().toBytes().length : 0;
                    byte[] bytes = next.envelope().toBytes();
                    double begun = seconds();
                    toCoordinator.addAll(parties.get(next.party()).receive(bytes));
                    party[next.party()] += seconds() - begun;
                }
                start = seconds();
            }
            if (round > 0) {
                Arrays.stream(party).filter(each -> each > 0).forEach(spent::add);
            }
        }
        double plain = Envelope.OVERHEAD_BYTES + 8.0 * numbers;
        System.out.printf(
                Locale.ROOT,
                "%d parties, %d may be missing, %d numbers: a party's round %.1f ms, the coordinator's %.0f ms;"
                        + " up %.0f bytes, %.3f of plain sums; down %d bytes%n",
                size,
                dropouts,
                numbers,
                1e3 * spent.stream().mapToDouble(Double::doubleValue).average().orElseThrow(),
                1e3 * coordinatorSpent / (rounds - 1),
                (double) up[0] / rounds,
                (double) up[0] / rounds / plain,
                down / rounds);
    }
}
