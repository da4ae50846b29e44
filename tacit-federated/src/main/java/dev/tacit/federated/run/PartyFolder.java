package dev.tacit.federated.run;

import dev.tacit.federated.policy.Policy;
import dev.tacit.federated.policy.PolicyFile;
import dev.tacit.federated.study.Study;
import dev.tacit.federated.study.StudyException;
import dev.tacit.federated.study.StudyFile;
import dev.tacit.file.DurableFile;
import dev.tacit.fit.base.FitException;
import dev.tacit.json.Json;
import dev.tacit.json.JsonException;
import dev.tacit.json.JsonFieldException;
import dev.tacit.json.JsonFields;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a party keeps of a study that it approved.
 *
 * <pre>
 *   study.yaml    what was approved             policy.yaml              what it allows, if it has a policy
 *   party.json    where everything is           envelopes.log            what it sent and received
 *   sealed/       stays with the party: releases, secrets of rounds      privacy-statement.txt    in the end
 * </pre>
 */
record PartyFolder(Path path) {
    /**
     * Where everything is.
     *
     * @param studyHash of the study that was approved
     * @param data the party's records
     * @param keys its folder of keys
     * @param ledger of its people; empty for the one beside the data
     * @param at where the coordinator is
     */
    record Approval(String studyHash, String data, Path keys, Optional<Path> ledger, String at) {}

    static PartyFolder create(Path path, Study study, Optional<Path> policy, Approval approval) {
        PartyFolder folder = new PartyFolder(path);
        try {
            if (folder.isApproved()) {
                throw new StudyException(path + " holds an approved study already; go on with party run");
            }
            requireRoom(path, Set.of(folder.studyFile(), folder.policyFile()));
            if (!Files.exists(path)) {
                DurableFile.createOwnerFolder(path);
            }
            folder.write(folder.studyFile(), StudyFile.write(study));
            if (policy.isPresent()) {
                folder.write(folder.policyFile(), Files.readString(policy.get()));
            }
            folder.write(approval);
            return folder;
        } catch (IOException e) {
            throw new StudyException("cannot write " + path + "; check that its parent folder is there", e);
        }
    }

    /** Refuses a folder that holds other things than a role's, which nobody could tell from them later. */
    static void requireRoom(Path path, Set<Path> own) throws IOException {
        if (!Files.exists(path)) {
            return;
        }
        if (!Files.isDirectory(path)) {
            throw new StudyException(path + " is a file; name a new folder with --out");
        }
        try (Stream<Path> files = Files.list(path)) {
            if (!files.allMatch(own::contains)) {
                throw new StudyException(path + " holds other files; name a new folder with --out");
            }
        }
    }

    private void write(Approval approval) throws IOException {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("study", approval.studyHash());
        json.put("data", approval.data());
        json.put("keys", approval.keys().toString());
        approval.ledger().ifPresent(ledger -> json.put("ledger", ledger.toString()));
        json.put("at", approval.at());
        write(approvalFile(), Json.write(json) + "\n");
    }

    /** The coordinator is somewhere else now; nothing of what was approved depends on where. */
    void move(String at) {
        Approval before = approval();
        try {
            write(new Approval(before.studyHash(), before.data(), before.keys(), before.ledger(), at));
        } catch (IOException e) {
            throw new StudyException("cannot write " + approvalFile(), e);
        }
    }

    private void write(Path file, String text) throws IOException {
        DurableFile.write(file, text.getBytes(StandardCharsets.UTF_8), DurableFile.Access.OWNER);
    }

    /** Writes the statement. */
    void writeStatement(String text) {
        try {
            write(statement(), text);
        } catch (IOException e) {
            throw new StudyException("cannot write " + statement(), e);
        }
    }

    /** Whether a party approved a study here. */
    boolean isApproved() {
        return Files.exists(approvalFile());
    }

    Approval approval() {
        try {
            JsonFields json = JsonFields.of(
                    Json.read(Files.readString(approvalFile())), approvalFile().toString());
            Approval approval = new Approval(
                    json.text("study"),
                    json.text("data"),
                    Path.of(json.text("keys")),
                    json.has("ledger") ? Optional.of(Path.of(json.text("ledger"))) : Optional.empty(),
                    json.text("at"));
            json.end();
            return approval;
        } catch (NoSuchFileException e) {
            throw new FitException(
                    FitException.Kind.MISSING_INPUT, path + " is not a folder that party approve wrote.", e);
        } catch (IOException | JsonException | JsonFieldException e) {
            throw new StudyException(approvalFile() + " cannot be read", e);
        }
    }

    /** The study, which must be the one that was approved. */
    Study study() {
        Study study = StudyFile.read(studyFile());
        if (!study.hashText().equals(approval().studyHash())) {
            throw new StudyException(studyFile() + " was changed since it was approved; approve a study anew");
        }
        return study;
    }

    Optional<Policy> policy() {
        return Files.exists(policyFile()) ? Optional.of(PolicyFile.read(policyFile())) : Optional.empty();
    }

    private Path approvalFile() {
        return path.resolve("party.json");
    }

    private Path studyFile() {
        return path.resolve("study.yaml");
    }

    private Path policyFile() {
        return path.resolve("policy.yaml");
    }

    Path log() {
        return path.resolve(LOG);
    }

    /** The name of the log of every role. */
    static final String LOG = "envelopes.log";

    Path secrets() {
        return path.resolve("sealed").resolve("secrets");
    }

    /** What a party of factors keeps between two messages. */
    Path state() {
        return path.resolve("sealed").resolve("state.json");
    }

    Path statement() {
        return path.resolve("privacy-statement.txt");
    }
}
