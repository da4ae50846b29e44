package dev.tacit.federated.run;

import dev.tacit.data.schema.Schema;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.federated.draft.StudyWork;
import dev.tacit.federated.keys.Authority;
import dev.tacit.federated.keys.CertificateRequest;
import dev.tacit.federated.keys.KeyFolder;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.protocol.CoordinatorPhase;
import dev.tacit.federated.protocol.OpenedSum;
import dev.tacit.federated.study.Study;
import dev.tacit.federated.study.StudyFile;
import dev.tacit.federated.study.StudyMember;
import dev.tacit.federated.study.StudyPlan;
import dev.tacit.fit.federation.FederationAnswer;
import dev.tacit.fit.federation.FederationRequest;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/** All roles of a study on threads of one process, with real files and a folder between them. */
final class PlayedParties {
    final Path folder;
    final Study study;
    final List<String> names = new ArrayList<>();

    PlayedParties(
            Path folder,
            Schema declared,
            FederationRequest.FittedWish wish,
            PrivacyBudget budget,
            int parties,
            int missing,
            int rowsOfAParty)
            throws IOException {
        this(folder, declared, wish, budget, parties, missing, rowsOfAParty, RandomStream.ofSeed(5));
    }

    PlayedParties(
            Path folder,
            Schema declared,
            FederationRequest.FittedWish wish,
            PrivacyBudget budget,
            int parties,
            int missing,
            int rowsOfAParty,
            RandomStream random)
            throws IOException {
        this.folder = folder;
        Instant now = Instant.now();
        Authority authority = Authority.create(folder.resolve("keys"), "test", List.of("localhost"), now);
        List<StudyMember> members = new ArrayList<>();
        for (int place = 0; place < parties; place++) {
            String name = "party-" + place;
            names.add(name);
            Path own = Files.createDirectory(folder.resolve(name));
            KeyFolder keys = KeyFolder.create(own.resolve("keys"), name);
            authority.sign(CertificateRequest.read(keys.request()), keys.certificate(), now);
            members.add(StudyWork.member(CertificateRequest.read(keys.request()), rowsOfAParty));
            Files.writeString(own.resolve("records.csv"), table(random.fork(place), rowsOfAParty));
        }
        Files.createDirectory(folder.resolve("post"));
        Study.Fitted fitted = StudyWork.fitted(declared, wish);
        study = StudyWork.study(
                "test",
                fitted,
                budget,
                new FederationRequest.Sharing(
                        StudyPlan.isOwnNoise(fitted) ? OptionalInt.empty() : OptionalInt.of(1),
                        OptionalInt.of(missing)),
                HexFormat.of().formatHex(authority.coordinator().identity().publicKey()),
                members);
        Files.writeString(folder.resolve("study.yaml"), StudyFile.write(study));
    }

    /** Late payments become rarer with age and with income. */
    private static String table(RandomStream random, int rows) {
        StringBuilder text = new StringBuilder("age,income,late\n");
        for (int row = 0; row < rows; row++) {
            double age = 18 + 72 * random.uniform();
            double income = 100 * random.uniform();
            double margin = 3 - 0.05 * (age - 18) - 0.03 * income;
            boolean late = random.uniform() < 1 / (1 + Math.exp(-margin));
            text.append(age)
                    .append(',')
                    .append(income)
                    .append(',')
                    .append(late ? "yes" : "no")
                    .append('\n');
        }
        return text.toString();
    }

    Path partyFolder(String name) {
        return folder.resolve(name).resolve("study");
    }

    void approve(String name) {
        new FederatedRuntime(Clock.systemUTC())
                .perform(
                        new FederationRequest.PartyApprove(
                                folder.resolve("study.yaml"),
                                folder.resolve(name).resolve("records.csv").toString(),
                                folder.resolve(name).resolve("keys"),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(study.words()),
                                folder.resolve("post").toString(),
                                partyFolder(name)),
                        sentence -> {});
    }

    /** What {@code coordinator run} does, where nothing is waited for. */
    FederationAnswer coordinatorVerb(int patienceSeconds, boolean givesUp) {
        return new FederatedRuntime(Clock.systemUTC())
                .perform(
                        new FederationRequest.CoordinatorRun(
                                folder.resolve("study.yaml"),
                                folder.resolve("keys"),
                                folder.resolve("post").toString(),
                                folder.resolve("fit"),
                                OptionalInt.empty(),
                                OptionalInt.of(patienceSeconds),
                                givesUp),
                        sentence -> {});
    }

    PartyStatement party(String name) {
        return new PartyRun(new PartyFolder(partyFolder(name)), sentence -> {}, Times.of(Clock.systemUTC())).run();
    }

    FitOutcome coordinator(Duration patience, RoundWatcher watcher) {
        return coordinator(new Waiting(patience, false), watcher);
    }

    FitOutcome coordinator(Waiting patience, RoundWatcher watcher) {
        return coordinator(patience, watcher, Times.of(Clock.systemUTC()));
    }

    FitOutcome coordinator(Waiting patience, RoundWatcher watcher, Times times) {
        CoordinatorWork.keepStudy(study, folder.resolve("fit"));
        return new CoordinatorRun(
                        study,
                        new Authority(folder.resolve("keys")),
                        folder.resolve("post").toString(),
                        folder.resolve("fit"),
                        patience,
                        watcher,
                        sentence -> {},
                        times)
                .run();
    }

    /** Runs the parties that are there and the coordinator to their end. */
    FitOutcome play(List<String> there, Duration patience) throws InterruptedException, ExecutionException {
        names.forEach(this::approve);
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<PartyStatement>> parties = new ArrayList<>();
            there.forEach(name -> parties.add(threads.submit(() -> party(name))));
            FitOutcome outcome =
                    threads.submit(() -> coordinator(patience, SILENT)).get();
            for (Future<PartyStatement> party : parties) {
                party.get();
            }
            return outcome;
        } finally {
            threads.shutdownNow();
        }
    }

    static FederationRequest.FittedWish wish(String model, Map<String, String> settings) {
        return new FederationRequest.FittedWish(
                Optional.empty(), Optional.empty(), Optional.of(model), Optional.empty(), settings);
    }

    static final RoundWatcher SILENT = new Silent();

    /** Says nothing. */
    static class Silent implements RoundWatcher {
        @Override
        public void begins(int round, String label) {}

        @Override
        public void reached(String party, String phase) {}

        @Override
        public void waits(int round, CoordinatorPhase phase, List<String> parties) {}

        @Override
        public void waitsForChanges(int roundsDone, List<String> parties) {}

        @Override
        public void refuses(String party, ProtocolRefusal refusal) {}

        @Override
        public void refusedMessage(ProtocolRefusal refusal) {}

        @Override
        public void away(String sentence) {}

        @Override
        public void opened(OpenedSum sum, String label, Supplier<Posterior> posterior) {}

        @Override
        public void givenUp(int round, String label) {}

        @Override
        public void moved(int round, List<Long> used, Supplier<Posterior> posterior) {}
    }
}
