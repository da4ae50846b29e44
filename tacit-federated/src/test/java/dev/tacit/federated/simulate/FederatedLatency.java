package dev.tacit.federated.simulate;

import com.sun.management.OperatingSystemMXBean;
import dev.tacit.federated.crypto.ContentHash;
import dev.tacit.federated.crypto.Identity;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.Outgoing;
import dev.tacit.federated.message.StudyParty;
import dev.tacit.federated.message.StudyTerms;
import dev.tacit.federated.noise.RoundNoise;
import dev.tacit.federated.protocol.CoordinatorMachine;
import dev.tacit.federated.protocol.PartyKeys;
import dev.tacit.federated.protocol.PartyMachine;
import dev.tacit.federated.protocol.ReleaseSource;
import dev.tacit.federated.store.EnvelopeLog;
import dev.tacit.federated.store.Journal;
import dev.tacit.federated.store.SecretFile;
import dev.tacit.federated.transport.Mailbox;
import dev.tacit.noise.NoiseLayer;
import dev.tacit.noise.SecureNoise;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * How long a study takes without its computing: all parties and the coordinator in one process, over gRPC and a line with a delay.
 *
 * <p>{@code main} takes what to measure, parties, releases, the delay in milliseconds each way, how often, and a folder for files.
 * {@code messages} are three exchanges a release of messages that are signed before: all parties put one, and get the next when all of them
 * have. {@code rounds} are those of the protocol, with keys, masks and journals that are forced to the disk, of doors without records.
 * What is before the first request, in which connections are made, is left out. The CPU time is that of all roles and of the line, which on
 * machines of their own would pass side by side.
 */
final class FederatedLatency {
    private static final int EXCHANGES = 3;
    private static final int NUMBERS = 1_000;

    private FederatedLatency() {}

    /** What was measured, in seconds; CPU time is that of the whole process, forces are those of the coordinator's log. */
    private record Taken(double seconds, double cpuSeconds, long forces) {}

    /** A journal that counts how often it is forced to the disk. */
    private static final class Counted implements Journal {
        private final Journal journal;
        private long forces;

        Counted(Journal journal) {
            this.journal = journal;
        }

        @Override
        public List<byte[]> entries() {
            return journal.entries();
        }

        @Override
        public void append(List<byte[]> entries) {
            forces++;
            journal.append(entries);
        }

        @Override
        public byte[] head() {
            return journal.head();
        }
    }

    /** Begun now; ends when it is asked. */
    private static final class Watch {
        private final long begun = System.nanoTime();
        private final long cpuBegun = cpu();

        private static long cpu() {
            return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
        }

        Taken taken(long forces) {
            return new Taken((System.nanoTime() - begun) / 1e9, (cpu() - cpuBegun) / 1e9, forces);
        }
    }

    @FunctionalInterface
    private interface Measurement {
        Taken taken(LatencyNetwork network, int releases, ExecutorService threads) throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        Measurement measurement = arguments[0].equals("rounds") ? FederatedLatency::rounds : FederatedLatency::messages;
        int parties = Integer.parseInt(arguments[1]);
        int releases = Integer.parseInt(arguments[2]);
        int delay = Integer.parseInt(arguments[3]);
        Taken[] taken = new Taken[Integer.parseInt(arguments[4])];
        for (int turn = 0; turn < taken.length; turn++) {
            ExecutorService threads = Executors.newCachedThreadPool();
            try (LatencyNetwork network = new LatencyNetwork(Path.of(arguments[5]), parties, delay)) {
                taken[turn] = measurement.taken(network, releases, threads);
            } finally {
                threads.shutdownNow();
                threads.awaitTermination(10, TimeUnit.SECONDS);
            }
        }
        double[] sorted = Stream.of(taken).mapToDouble(Taken::seconds).sorted().toArray();
        double[] cpu = Stream.of(taken).mapToDouble(Taken::cpuSeconds).sorted().toArray();
        System.out.printf(
                Locale.ROOT,
                "%s, %d parties, %d releases at %d ms each way: at least %.3f s by the line alone; first %.3f s, least %.3f s,"
                        + " median %.3f s, most %.3f s of %d; CPU of all roles together: first %.3f s, least %.3f s, median %.3f s;"
                        + " forces of the coordinator's log a release: %.1f%n",
                arguments[0],
                parties,
                releases,
                delay,
                2e-3 * delay * EXCHANGES * releases,
                taken[0].seconds(),
                sorted[0],
                sorted[sorted.length / 2],
                sorted[sorted.length - 1],
                sorted.length,
                taken[0].cpuSeconds(),
                cpu[0],
                cpu[cpu.length / 2],
                Stream.of(taken).mapToLong(Taken::forces).average().orElse(0) / releases);
    }

    private static void end(List<Future<Void>> ends) throws Exception {
        for (Future<Void> end : ends) {
            end.get();
        }
    }

    // ---- messages

    private static Taken messages(LatencyNetwork network, int releases, ExecutorService threads) throws Exception {
        int exchanges = EXCHANGES * releases;
        int parties = network.parties.size();
        List<Envelope> answers =
                signed(network.coordinator.identity(), MessageKind.RESULT, Envelope.COORDINATOR, exchanges);
        List<Future<Void>> ends = new ArrayList<>();
        for (int place = 0; place < parties; place++) {
            ends.add(threads.submit(talker(network, place, exchanges)));
        }
        Watch watch = new Watch();
        for (int round = 0; round <= exchanges; round++) {
            Set<Integer> there = new HashSet<>();
            while (there.size() < parties) {
                for (byte[] message : network.office.collect(Duration.ofSeconds(1))) {
                    there.add(Envelope.read(message, LatencyNetwork.MOST_BYTES).sender());
                }
            }
            watch = round == 0 ? new Watch() : watch;
            for (int place = 0; place < parties; place++) {
                network.office.post(LatencyNetwork.name(place), answers.get(round));
            }
        }
        Taken taken = watch.taken(0);
        end(ends);
        return taken;
    }

    private static List<Envelope> signed(Identity identity, MessageKind kind, int sender, int exchanges) {
        List<Envelope> messages = new ArrayList<>();
        for (int round = 0; round <= exchanges; round++) {
            messages.add(Envelope.signed(
                    identity,
                    ContentHash.of("latency"),
                    round,
                    kind,
                    sender,
                    Envelope.noContext(),
                    new byte[Long.BYTES * NUMBERS]));
        }
        return messages;
    }

    private static Callable<Void> talker(LatencyNetwork network, int place, int exchanges) {
        return () -> {
            List<Envelope> own = signed(network.parties.get(place).identity(), MessageKind.REFUSAL, place, exchanges);
            try (Mailbox box = network.mailbox(place)) {
                for (int round = 0; round <= exchanges; round++) {
                    box.put(own.get(round));
                    int heard = -1;
                    while (heard < round) {
                        for (byte[] message : box.next(Duration.ofSeconds(5))) {
                            heard = Math.max(
                                    heard,
                                    Envelope.read(message, LatencyNetwork.MOST_BYTES)
                                            .round());
                        }
                    }
                }
            }
            return null;
        };
    }

    // ---- rounds

    /** A door without records, ledger and noise. */
    private record NoDoor() implements ReleaseSource {
        @Override
        public Optional<String> refusal(int round, byte[] request) {
            return Optional.empty();
        }

        @Override
        public Optional<long[]> release(int index, int round, byte[] request, List<NoiseLayer> layers) {
            return Optional.of(new long[NUMBERS]);
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

    private static Taken rounds(LatencyNetwork network, int releases, ExecutorService threads) throws Exception {
        List<StudyParty> roster = new ArrayList<>();
        for (int place = 0; place < network.parties.size(); place++) {
            roster.add(new StudyParty(
                    LatencyNetwork.name(place),
                    network.parties.get(place).identity().publicKey(),
                    network.parties.get(place).sealing().publicKey()));
        }
        StudyTerms terms = new StudyTerms(
                ContentHash.of("latency"),
                network.coordinator.identity().publicKey(),
                roster,
                1,
                0,
                false,
                releases,
                NUMBERS);
        List<Future<Void>> ends = new ArrayList<>();
        Taken taken;
        try (EnvelopeLog log = EnvelopeLog.open(network.folder.resolve("coordinator.log"))) {
            Counted counted = new Counted(log);
            CoordinatorMachine machine =
                    CoordinatorMachine.open(terms, network.coordinator.identity(), counted, RoundNoise.NONE);
            for (int place = 0; place < roster.size(); place++) {
                ends.add(threads.submit(party(network, terms, place)));
            }
            while (machine.waitedFor().size() > 0) {
                collect(network, machine);
            }
            Watch watch = new Watch();
            long before = counted.forces;
            for (int round = 0; round < releases; round++) {
                post(network, machine.request(new byte[100]));
                while (machine.round() == round) {
                    collect(network, machine);
                }
            }
            taken = watch.taken(counted.forces - before);
            end(ends);
        }
        return taken;
    }

    private static void collect(LatencyNetwork network, CoordinatorMachine machine) throws Exception {
        for (byte[] message : network.office.collect(Duration.ofSeconds(1))) {
            machine.take(Envelope.read(message, LatencyNetwork.MOST_BYTES));
        }
        post(network, machine.goOn());
    }

    private static void post(LatencyNetwork network, List<Outgoing> messages) {
        messages.forEach(each -> network.office.post(LatencyNetwork.name(each.party()), each.envelope()));
    }

    private static Callable<Void> party(LatencyNetwork network, StudyTerms terms, int place) {
        return () -> {
            PartyKeys keys = new PartyKeys(
                    network.parties.get(place).identity(),
                    network.parties.get(place).sealing());
            Path folder = network.folder.resolve(LatencyNetwork.name(place));
            try (EnvelopeLog log = EnvelopeLog.open(folder.resolve("journal.log"));
                    Mailbox box = network.mailbox(place)) {
                PartyMachine machine = PartyMachine.open(
                        terms,
                        place,
                        keys,
                        log,
                        SecretFile.in(folder.resolve("secrets")),
                        new NoDoor(),
                        SecureNoise::create);
                put(box, machine.start());
                while (!machine.isDone()) {
                    for (byte[] message : box.next(Duration.ofSeconds(5), machine::tidy)) {
                        put(box, machine.receive(message));
                    }
                }
            }
            return null;
        };
    }

    private static void put(Mailbox box, List<Envelope> messages) throws Exception {
        for (Envelope message : messages) {
            box.put(message);
        }
    }
}
