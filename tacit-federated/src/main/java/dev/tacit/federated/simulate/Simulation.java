package dev.tacit.federated.simulate;

import dev.tacit.data.schema.Schema;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.federated.keys.Authority;
import dev.tacit.federated.keys.CertificateRequest;
import dev.tacit.federated.keys.KeyFolder;
import dev.tacit.federated.run.FederatedRuntime;
import dev.tacit.federated.study.Study;
import dev.tacit.federated.study.StudyException;
import dev.tacit.federated.study.StudyMember;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.federation.Federation;
import dev.tacit.fit.federation.FederationAnswer;
import dev.tacit.fit.federation.FederationRequest;
import dev.tacit.fit.ledger.LedgerView;
import dev.tacit.fit.run.Preparations;
import dev.tacit.ledger.FileLedger;
import dev.tacit.noise.SecureNoise;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A study on this machine: the table is dealt out, every party and the coordinator are processes of their own that talk over TLS, and the
 * rest is as it would be between hospitals. Afterwards logs are audited and ledgers compared with what was sent.
 *
 * <pre>
 *   OUT/keys    OUT/study.yaml    OUT/NAME/{records.csv, records.ledger, keys/, study/}    OUT/fit    OUT/said/NAME.txt
 * </pre>
 */
public final class Simulation {
    private static final List<String> NAMES =
            List.of("north", "south", "east", "west", "centre", "coast", "hill", "lake", "valley", "harbour");
    private static final Pattern SUM = Pattern.compile("(?:Sum|Round) (\\d+) of (\\d+)");
    private static final long TICK_MILLIS = 20;
    private static final long LONGEST_LIFE_MILLIS = 2_500;
    private static final int PATIENCE_SECONDS = 60;
    private static final int REFUSED = 78;

    private final FederationRequest.Simulate request;
    private final Federation.Progress progress;
    private final Clock clock;
    private final SecureNoise random = SecureNoise.create();
    private int repeated;

    public Simulation(FederationRequest.Simulate request, Federation.Progress progress, Clock clock) {
        this.request = request;
        this.progress = progress;
        this.clock = clock;
    }

    /** Plays the study to its end. */
    public FederationAnswer run() {
        long begun = System.nanoTime();
        FederatedRuntime runtime = new FederatedRuntime(clock);
        Path out = request.out();
        List<String> names = names(request.parties());
        createFolder(out);
        Study study;
        try {
            study = prepare(runtime, names);
        } catch (RuntimeException e) {
            delete(out);
            throw e;
        }
        List<NodeProcess> nodes = new CopyOnWriteArrayList<>();
        Thread hook = new Thread(() -> nodes.forEach(NodeProcess::end), "end-of-the-rehearsal");
        Runtime.getRuntime().addShutdownHook(hook);
        int kills;
        try {
            int port = freePort();
            Optional<DelayLine> delay = request.delayMillis() == 0
                    ? Optional.empty()
                    : Optional.of(DelayLine.start(port, request.delayMillis()));
            String at = "localhost:" + delay.map(DelayLine::port).orElse(port);
            names.forEach(name -> approve(runtime, name, at));
            Path said = Files.createDirectories(out.resolve("said"));
            nodes.add(new NodeProcess(
                    "coordinator",
                    said.resolve("coordinator.out"),
                    List.of(
                            "coordinator",
                            said.resolve("coordinator.txt").toString(),
                            out.resolve("study.yaml").toString(),
                            out.resolve("keys").toString(),
                            "localhost:" + port,
                            out.resolve("fit").toString(),
                            Integer.toString(PATIENCE_SECONDS),
                            Integer.toString(request.page().orElse(-1)))));
            names.forEach(name -> nodes.add(new NodeProcess(
                    name,
                    said.resolve(name + ".out"),
                    List.of(
                            "party",
                            said.resolve(name + ".txt").toString(),
                            folder(name).toString()))));
            progress.says(names.size() + " parties and a coordinator start as processes of their own ...");
            nodes.forEach(NodeProcess::start);
            kills = watch(nodes);
        } catch (IOException e) {
            throw new StudyException("cannot use the network of this machine", e);
        } finally {
            nodes.stream().filter(NodeProcess::isRunning).forEach(NodeProcess::kill);
            forget(hook);
        }
        return report(runtime, study, names, kills, (System.nanoTime() - begun) / 1e9);
    }

    private static void createFolder(Path out) {
        try {
            if (Files.exists(out)) {
                throw new StudyException(out + " exists already; name another folder with --out");
            }
            Files.createDirectories(out);
        } catch (IOException e) {
            throw new StudyException("cannot create " + out, e);
        }
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // this process is being stopped, and the hook is at work
        }
    }

    /** What cannot run leaves nothing behind: no copies of records, and no folder that is in the way of the next try. */
    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new StudyException("cannot delete " + folder + ", which was made for a study that cannot run", e);
        }
    }

    private static List<String> names(int parties) {
        if (parties < 2 || parties > Study.MOST_PARTIES) {
            throw new FitException(
                    FitException.Kind.USAGE, "--parties must be a whole number from 2 to " + Study.MOST_PARTIES + ".");
        }
        List<String> names = new ArrayList<>();
        for (int place = 0; place < parties; place++) {
            names.add(place < NAMES.size() ? NAMES.get(place) : "party-" + (place + 1));
        }
        return names;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private Path folder(String name) {
        return request.out().resolve(name).resolve("study");
    }

    /** Keys, certificates, records and the study. */
    private Study prepare(FederatedRuntime runtime, List<String> names) {
        Path out = request.out();
        Schema schema = runtime.schema(request.schema());
        runtime.perform(
                new FederationRequest.KeysInit(out.resolve("keys"), "simulation", List.of("localhost", "127.0.0.1")),
                progress);
        List<StudyMember> members = new ArrayList<>();
        List<Path> records = new ArrayList<>();
        for (int place = 0; place < names.size(); place++) {
            Path own = out.resolve(names.get(place));
            createFolder(own);
            KeyFolder keys = KeyFolder.create(own.resolve("keys"), names.get(place));
            new Authority(out.resolve("keys"))
                    .sign(CertificateRequest.read(keys.request()), keys.certificate(), clock.instant());
            long units = schema.size() / names.size() + (place < schema.size() % names.size() ? 1 : 0);
            members.add(runtime.member(CertificateRequest.read(keys.request()), Math.max(1, units)));
            records.add(own.resolve("records.csv"));
        }
        Study study = runtime.study(
                "simulation of " + Path.of(request.data()).getFileName(),
                schema,
                request.fitted(),
                new PrivacyBudget(request.epsilon(), request.delta()),
                request.sharing(),
                HexFormat.of()
                        .formatHex(new Authority(out.resolve("keys"))
                                .coordinator()
                                .identity()
                                .publicKey()),
                members);
        runtime.show(study);
        TableSplit.write(Path.of(request.data()), schema, records);
        // What a party could not read is refused by its name before any process starts.
        Preparations.open(
                        records.get(0).toString(), schema, Runtime.getRuntime().availableProcessors())
                .close();
        runtime.write(study, out.resolve("study.yaml"));
        return study;
    }

    private void approve(FederatedRuntime runtime, String name, String at) {
        Path own = request.out().resolve(name);
        runtime.perform(
                new FederationRequest.PartyApprove(
                        request.out().resolve("study.yaml"),
                        own.resolve("records.csv").toString(),
                        own.resolve("keys"),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(runtime.words(request.out().resolve("study.yaml"))),
                        at,
                        folder(name)),
                progress);
    }

    /** Kills and starts again until the coordinator is done; returns how many were killed. */
    private int watch(List<NodeProcess> nodes) {
        NodeProcess coordinator = nodes.get(0);
        int kills = 0;
        long nextKill = clock.millis() + random.below(LONGEST_LIFE_MILLIS);
        String said = "";
        while (coordinator.isRunning()) {
            coordinator.join(TICK_MILLIS);
            said = repeat(said);
            for (NodeProcess node : nodes) {
                if (node != coordinator && !node.isRunning() && node.exitCode() != 0) {
                    throw new FitException(
                            node.exitCode() == REFUSED ? FitException.Kind.CONFIGURATION : FitException.Kind.DEFECT,
                            node.name()
                                    + (node.exitCode() == REFUSED
                                            ? " takes no further part; "
                                            : " ended with exit code " + node.exitCode() + "; ")
                                    + request.out().resolve("said").resolve(node.name())
                                    + ".txt and .out say why.");
                }
            }
            boolean due = clock.millis() >= nextKill || begun(said) > (double) (kills + 1) / (request.kills() + 2);
            if (kills < request.kills() && due && coordinator.isRunning()) {
                NodeProcess victim = nodes.get((int) random.below(nodes.size()));
                if (victim.isRunning()) {
                    victim.kill();
                    kills++;
                    progress.says("killed " + victim.name() + " (" + kills + " of " + request.kills() + ")");
                    victim.start();
                }
                nextKill = clock.millis() + random.below(LONGEST_LIFE_MILLIS);
            }
        }
        if (coordinator.exitCode() != 0) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION,
                    "the coordinator stopped; " + request.out().resolve("said").resolve("coordinator.txt")
                            + " says why.");
        }
        for (NodeProcess party : nodes.subList(1, nodes.size())) {
            party.join(20_000);
        }
        return kills;
    }

    /** Which share of the sums has begun: a quick study is killed as often as a slow one. */
    private static double begun(String said) {
        Matcher sum = SUM.matcher(said);
        return sum.find() ? (Double.parseDouble(sum.group(1)) - 1) / Double.parseDouble(sum.group(2)) : 0;
    }

    /** Repeats what the coordinator said since; returns what it said last. */
    private String repeat(String before) {
        Path file = request.out().resolve("said").resolve("coordinator.txt");
        try {
            List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
            lines.subList(Math.min(repeated, lines.size()), lines.size()).forEach(progress::says);
            repeated = lines.size();
            return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
        } catch (IOException e) {
            return before; // it is being written
        }
    }

    private FederationAnswer report(
            FederatedRuntime runtime, Study study, List<String> names, int kills, double seconds) {
        List<Path> logs = new ArrayList<>();
        logs.add(request.out().resolve("fit"));
        names.forEach(name -> logs.add(folder(name)));
        FederationAnswer audit = runtime.perform(new FederationRequest.AuditLogs(logs), progress);
        List<Object> parties = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        lines.add("fit of " + names.size() + " parties in " + request.out().resolve("fit") + ", " + kills
                + " processes killed on the way, " + Math.round(seconds * 10) / 10.0 + " s");
        for (String name : names) {
            FederationAnswer statement = runtime.perform(new FederationRequest.PartyStatement(folder(name)), progress);
            Map<String, Object> party = new LinkedHashMap<>(statement.json());
            LedgerEntry entry = entry(study, name);
            party.put("ledgerReleases", entry.released());
            requireExact(name, entry, party);
            parties.add(party);
            lines.add("  " + name + ": " + party.get("sent") + " of " + party.get("releases")
                    + " sums, ledger: one entry, " + entry.released() + " releases");
        }
        lines.addAll(audit.lines());
        lines.add("tacit summary " + request.out().resolve("fit") + " shows the result, "
                + request.out().resolve("fit").resolve("report.html") + " all of it");
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("fit", request.out().resolve("fit").toString());
        json.put("study", study.hashText());
        json.put("kills", kills);
        json.put("seconds", seconds);
        json.put("parties", parties);
        json.put("audit", audit.json());
        return new FederationAnswer(lines, json);
    }

    private LedgerEntry entry(Study study, String name) {
        Path file = request.out().resolve(name).resolve("records.ledger");
        List<LedgerEntry> entries = FileLedger.open(file, LedgerView.accounting()).entries().stream()
                .filter(entry -> entry.run().equals(Optional.of(study.run())))
                .toList();
        if (entries.size() != 1) {
            throw new FitException(
                    FitException.Kind.DEFECT,
                    "the ledger of " + name + " has " + entries.size() + " entries for one study.");
        }
        return entries.get(0);
    }

    /** The ledger knows of every release that left, and of none that was not planned. */
    private static void requireExact(String name, LedgerEntry entry, Map<String, Object> party) {
        long sent = ((Number) party.get("sent")).longValue();
        long planned = ((Number) party.get("releases")).longValue();
        if (entry.released() < sent || entry.released() > planned) {
            throw new FitException(
                    FitException.Kind.DEFECT,
                    "the ledger of " + name + " knows of " + entry.released() + " releases, and " + sent
                            + " were sent.");
        }
    }
}
