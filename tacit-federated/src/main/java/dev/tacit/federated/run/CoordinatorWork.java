package dev.tacit.federated.run;

import dev.tacit.federated.crypto.Identity;
import dev.tacit.federated.factor.ChangeCoordinator;
import dev.tacit.federated.factor.ChangeRebuild;
import dev.tacit.federated.factor.ChangeRules;
import dev.tacit.federated.keys.Authority;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.protocol.CoordinatorMachine;
import dev.tacit.federated.protocol.CoordinatorRebuild;
import dev.tacit.federated.store.EnvelopeLog;
import dev.tacit.federated.study.Study;
import dev.tacit.federated.study.StudyException;
import dev.tacit.federated.study.StudyFile;
import dev.tacit.federated.study.StudyPlan;
import dev.tacit.file.DurableFile;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.federation.FederationAnswer;
import dev.tacit.fit.federation.FederationRequest;
import dev.tacit.fit.folder.FitFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** What a coordinator's folder says while nobody runs it, and what it is made of again. */
final class CoordinatorWork {
    private static final String STUDY = "study.yaml";

    /** Of what an audit finds; more of it is not read. */
    private static final int MOST_SHOWN = 5;

    private CoordinatorWork() {}

    /** The study lies beside the fit, so that whoever has the folder can check it. */
    static void keepStudy(Study study, Path out) {
        if (new PartyFolder(out).isApproved()) {
            throw new StudyException(out + " is the folder of a party; name another one with --out");
        }
        if (Files.exists(unfinished(out))) {
            throw new StudyException(
                    out + " was being made again and is not whole; delete it and repeat coordinator" + " rebuild");
        }
        try {
            Path file = out.resolve(STUDY);
            if (Files.exists(file)) {
                if (!StudyFile.read(file).hashText().equals(study.hashText())) {
                    throw new StudyException(out + " belongs to another study; name another folder with --out");
                }
            } else {
                PartyFolder.requireRoom(out, Set.of());
                if (!Files.exists(out)) {
                    Files.createDirectories(out);
                    DurableFile.forceFolder(out.toAbsolutePath().getParent());
                }
                DurableFile.write(
                        file, StudyFile.write(study).getBytes(StandardCharsets.UTF_8), DurableFile.Access.SHARED);
            }
        } catch (IOException e) {
            throw new StudyException("cannot write to " + out, e);
        }
    }

    /** The log of a coordinator that is being made again. */
    private static Path unfinished(Path out) {
        return CoordinatorRun.log(out).resolveSibling(PartyFolder.LOG + ".unfinished");
    }

    private static Study study(Path folder) {
        return StudyFile.read(folder.resolve(STUDY));
    }

    static FederationAnswer status(Path folder) {
        if (new PartyFolder(folder).isApproved()) {
            throw new StudyException(folder + " is the folder of a party; tacit party status shows how it stands");
        }
        Study study = study(folder);
        StudyPlan plan = StudyPlan.of(study);
        EnvelopeHistory history = EnvelopeHistory.read(CoordinatorRun.log(folder));
        if (plan.changes().isPresent()) {
            return changeStatus(plan, history, new FitFolder(folder).complete());
        }
        CoordinatorMachine machine = replayed(plan, history);
        boolean complete = new FitFolder(folder).complete();
        List<String> waited = machine.waitedFor()
                .places()
                .mapToObj(place -> study.members().get(place).name())
                .toList();
        List<String> lines = new ArrayList<>();
        lines.add(study.name() + ": " + history.opened().size() + " of " + plan.releases() + " sums opened");
        lines.add("  words      " + study.words());
        lines.add(
                complete
                        ? "  now        the fit is written"
                        : machine.round() == plan.releases()
                                ? "  now        all sums are opened; coordinator run writes the fit"
                                : "  now        sum " + (machine.round() + 1) + " "
                                        + machine.phase().words()
                                        + (waited.isEmpty() ? "" : ": " + String.join(", ", waited)));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("study", study.hashText());
        json.put("releases", plan.releases());
        json.put("opened", history.opened().size());
        json.put("phase", machine.phase().name());
        json.put("waitedFor", new ArrayList<Object>(waited));
        json.put("complete", complete);
        return new FederationAnswer(lines, json);
    }

    private static FederationAnswer changeStatus(StudyPlan plan, EnvelopeHistory history, boolean complete) {
        Study study = plan.study();
        ChangeCoordinator machine;
        try {
            machine = ChangeCoordinator.replayed(
                    plan.terms(), plan.changes().orElseThrow(), new FederationAudit.Copy(history), false);
        } catch (ProtocolRefusal e) {
            throw new StudyException(e.sentence(), e);
        }
        int rounds = plan.terms().rounds();
        List<String> waited = machine.waitedFor()
                .places()
                .mapToObj(place -> study.members().get(place).name())
                .toList();
        List<String> lines = new ArrayList<>();
        lines.add(study.name() + ": " + machine.roundsDone() + " of " + rounds + " rounds over, " + machine.changes()
                + " changes of " + study.parties() + " parties");
        lines.add("  words      " + study.words());
        lines.add(
                complete
                        ? "  now        the fit is written"
                        : "  now        waits for changes"
                                + (waited.isEmpty() ? "" : ": " + String.join(", ", waited)));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("study", study.hashText());
        json.put("rounds", rounds);
        json.put("roundsDone", machine.roundsDone());
        json.put("changes", machine.changes());
        json.put("waitedFor", new ArrayList<Object>(waited));
        json.put("complete", complete);
        return new FederationAnswer(lines, json);
    }

    private static CoordinatorMachine replayed(StudyPlan plan, EnvelopeHistory history) {
        try {
            return CoordinatorMachine.replayed(
                    plan.terms(), new FederationAudit.Copy(history), CoordinatorRun.noise(plan));
        } catch (ProtocolRefusal e) {
            throw new StudyException(e.sentence(), e);
        }
    }

    /** A log that is there; a folder stands for the one in it. */
    private static Path logOf(Path path) {
        Path log = Files.isDirectory(path) ? path.resolve(PartyFolder.LOG) : path;
        if (!Files.exists(log)) {
            throw new FitException(FitException.Kind.MISSING_INPUT, "there is no log " + log + ".");
        }
        return log;
    }

    /** By which a file is known that is named twice. */
    private static Path real(Path file) {
        try {
            return file.toRealPath();
        } catch (IOException e) {
            throw new StudyException("cannot read " + file, e);
        }
    }

    /** Looks at logs; a folder stands for the log in it. */
    static FederationAnswer audit(List<Path> paths) {
        List<FederationAudit.Log> logs = new ArrayList<>();
        Set<Path> files = new HashSet<>();
        Optional<Study> study = Optional.empty();
        List<String> without = new ArrayList<>();
        for (Path path : paths) {
            if (tookNoPart(path)) {
                without.add(path.toString());
                continue;
            }
            Path log = logOf(path);
            if (files.add(real(log))) {
                logs.add(new FederationAudit.Log(log.toString(), EnvelopeHistory.read(log)));
            }
            Path beside = log.resolveSibling(STUDY);
            if (study.isEmpty() && Files.exists(beside)) {
                study = Optional.of(StudyFile.read(beside));
            }
        }
        FederationAudit.Findings found = new FederationAudit(study.orElseThrow(
                        () -> new StudyException("no study.yaml lies beside these logs; put it there")))
                .of(logs);
        if (!found.clean()) {
            throw new FitException(
                    FitException.Kind.BAD_DATA,
                    "the audit found " + found.findings().size()
                            + (found.findings().size() == 1 ? " defect: " : " defects: ")
                            + String.join(
                                    " ",
                                    found.findings()
                                            .subList(
                                                    0,
                                                    Math.min(
                                                            MOST_SHOWN,
                                                            found.findings().size())))
                            + (found.findings().size() > MOST_SHOWN
                                    ? " The other " + (found.findings().size() - MOST_SHOWN) + " are alike or follow."
                                    : ""));
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("logs", logs.size());
        json.put("messages", found.messages());
        boolean changes = study.get().noise() == Study.Noise.OWN;
        json.put(changes ? "approximations" : "sums", found.sums());
        if (!changes) {
            json.put("planned", (long) StudyPlan.of(study.get()).releases());
        }
        json.put("clean", true);
        json.put("over", found.over());
        List<String> lines = new ArrayList<>();
        lines.add("audit: " + found.messages() + " messages of " + logs.size()
                + (logs.size() == 1 ? " log" : " logs") + " are signed and fit together; "
                + (found.coordinators()
                        ? found.sums()
                                + (changes
                                        ? " approximations"
                                        : " opened sums of " + json.get("planned") + " that the study plans")
                                + " were computed again and are those that the coordinator signed"
                        : "nothing can be computed again from logs of parties alone: give the coordinator's as well"));
        if (found.coordinators() && !found.over()) {
            lines.add(
                    "the coordinator's log does not show the end of the study: it was not over then, or the end is missing");
        }
        without.forEach(folder -> lines.add(folder + " has no log: its party took no part, or handed none over"));
        return new FederationAnswer(lines, json);
    }

    /** Whether a folder is one in which a party approved a study and did nothing else. */
    private static boolean tookNoPart(Path path) {
        PartyFolder folder = new PartyFolder(path);
        return folder.isApproved() && !Files.exists(folder.log());
    }

    /** Gives a new coordinator what parties sent, in the order of the protocol; what follows from it is what followed before. */
    static FederationAnswer rebuild(FederationRequest.CoordinatorRebuild request) {
        Study study = StudyFile.read(request.study());
        StudyPlan plan = StudyPlan.of(study);
        if (request.logs().isEmpty()) {
            throw new FitException(
                    FitException.Kind.USAGE, "name the logs that parties handed over by --log, once for each.");
        }
        List<EnvelopeHistory> histories = new ArrayList<>();
        for (Path path : request.logs()) {
            Path log = tookNoPart(path) ? path.resolve(PartyFolder.LOG) : logOf(path);
            EnvelopeHistory history = EnvelopeHistory.read(log).requireOf(plan.terms());
            if (history.envelopes().isEmpty() && history.bytesBehind() > 0) {
                throw new FitException(FitException.Kind.BAD_DATA, log + " is no log of a study.");
            }
            if (history.damaged()) {
                throw new FitException(
                        FitException.Kind.BAD_DATA,
                        log + " is damaged after message "
                                + history.envelopes().size()
                                + ", and messages come behind that would be lost; ask for a whole copy.");
            }
            histories.add(history);
        }
        if (histories.stream().allMatch(history -> history.envelopes().isEmpty())) {
            throw new FitException(
                    FitException.Kind.BAD_DATA,
                    "these logs hold no message, so a coordinator's log made of them would begin the study again.");
        }
        Identity identity = new Authority(request.authority()).coordinator().identity();
        if (!Arrays.equals(identity.publicKey(), plan.terms().coordinatorKey())) {
            throw new StudyException("the study names another coordinator than the one whose keys are in "
                    + new Authority(request.authority()).coordinator().path());
        }
        Path file = CoordinatorRun.log(request.out());
        if (Files.exists(file)) {
            throw new StudyException(request.out() + " holds a log already; coordinator run goes on with it");
        }
        boolean fresh = !Files.exists(request.out());
        Path unfinished = unfinished(request.out());
        try {
            Files.deleteIfExists(unfinished);
            keepStudy(study, request.out());
            FederationAnswer answer = plan.changes().isPresent()
                    ? rebuildChanges(request, plan, identity, histories, unfinished)
                    : rebuildSums(request, plan, identity, histories, unfinished);
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
            DurableFile.forceFolder(request.out());
            return answer;
        } catch (StudyException e) {
            forget(request.out(), fresh);
            throw e;
        } catch (IOException e) {
            throw new StudyException("cannot write to " + request.out(), e);
        }
    }

    /** What cannot be made again leaves nothing that looks like a coordinator's folder. */
    private static void forget(Path out, boolean fresh) {
        try {
            Files.deleteIfExists(unfinished(out));
            if (fresh) {
                Files.deleteIfExists(out.resolve(STUDY));
                Files.deleteIfExists(out);
            }
        } catch (IOException e) {
            throw new StudyException("cannot delete " + out + ", which was made of logs that do not suffice", e);
        }
    }

    private static FederationAnswer rebuildSums(
            FederationRequest.CoordinatorRebuild request,
            StudyPlan plan,
            Identity identity,
            List<EnvelopeHistory> histories,
            Path file) {
        long opened;
        try (EnvelopeLog log = EnvelopeLog.open(file)) {
            CoordinatorMachine machine =
                    CoordinatorMachine.open(plan.terms(), identity, log, CoordinatorRun.noise(plan));
            CoordinatorRebuild.of(
                    plan.terms(),
                    machine,
                    histories.stream()
                            .flatMap(each -> each.envelopes().stream())
                            .toList());
            opened = IntStream.range(0, plan.releases())
                    .filter(round -> machine.opened(round).isPresent())
                    .count();
        } catch (ProtocolRefusal e) {
            throw new StudyException("the logs do not make a coordinator's: " + e.sentence(), e);
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("study", plan.study().hashText());
        json.put("opened", opened);
        json.put("releases", plan.releases());
        return new FederationAnswer(
                List.of("made " + request.out() + " again: " + opened + " of " + plan.releases()
                        + " sums are opened; tacit coordinator run goes on from there"),
                json);
    }

    /** Without masks nothing is opened: what parties were told shows whose changes were used, and in which order. */
    private static FederationAnswer rebuildChanges(
            FederationRequest.CoordinatorRebuild request,
            StudyPlan plan,
            Identity identity,
            List<EnvelopeHistory> histories,
            Path file) {
        ChangeRules rules = plan.changes().orElseThrow();
        List<Envelope> kept =
                histories.stream().flatMap(each -> each.envelopes().stream()).toList();
        ChangeCoordinator machine;
        try {
            List<byte[]> entries = ChangeRebuild.entries(
                    plan.terms(),
                    rules,
                    identity,
                    kept,
                    histories.stream()
                            .filter(each -> each.envelopes().isEmpty())
                            .count());
            try (EnvelopeLog log = EnvelopeLog.open(file)) {
                log.append(entries);
                machine = ChangeCoordinator.replayed(plan.terms(), rules, log, true);
            }
        } catch (ProtocolRefusal e) {
            throw new StudyException("the logs do not make a coordinator's: " + e.sentence(), e);
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("study", plan.study().hashText());
        json.put("rounds", plan.terms().rounds());
        json.put("roundsDone", machine.roundsDone());
        json.put("changes", machine.changes());
        return new FederationAnswer(
                List.of("made " + request.out() + " again: " + machine.changes() + " changes are in it, "
                        + machine.roundsDone() + " of " + plan.terms().rounds()
                        + " rounds over; tacit coordinator run goes on from there"),
                json);
    }
}
