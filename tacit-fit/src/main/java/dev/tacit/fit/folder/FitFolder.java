package dev.tacit.fit.folder;

import dev.tacit.file.DurableFile;
import dev.tacit.fit.artefact.AuditNote;
import dev.tacit.fit.artefact.ReleaseRecord;
import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.twin.IntervalCheck;
import dev.tacit.fit.twin.Widening;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The folder of a fit.
 *
 * <pre>
 *   posterior.json  release.json  privacy-statement.txt  report.html     written together when the run is complete
 *   likelihood.json                                                      what was released, for other priors
 *   canaries.json                                                        how many coins about invented records were guessed
 *   check.json                                                           what simulated twins said of the intervals
 *   audit.json                                                           what an attacker got, if somebody asked
 *   sealed/                                                              what stays with the data, for its owner only
 *     lock           while a process is at work; see {@link FolderClaim}
 *     run.json       the run's name and settings     records.json   which records it sees; see {@link KeptRecords}
 *     releases       noisy sums since the newest checkpoint         checkpoint.json, bounds.json, count.json
 *     canaries.json  which invented records are among the others
 *     fence.json     which copy of the folder is the newest         simulation.ledger
 * </pre>
 *
 * A folder with {@code sealed/run.json} and without {@code posterior.json} is a run that was interrupted. A link to a
 * folder stands for that folder.
 */
public record FitFolder(Path path) {
    public static final String POSTERIOR = "posterior.json";
    public static final String RELEASE = "release.json";
    public static final String STATEMENT = "privacy-statement.txt";
    public static final String REPORT = "report.html";
    static final String TEST_REPORT = "report-test.html";
    public static final String TRACE = "trace.csv";
    static final String CHECK = "check.json";

    public FitFolder {
        path = Files.isSymbolicLink(path) && Files.exists(path) ? real(path) : path;
    }

    private static Path real(Path link) {
        try {
            return link.toRealPath();
        } catch (IOException e) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION,
                    "cannot follow the link " + link + "; name the folder it stands for.",
                    e);
        }
    }

    public Path posterior() {
        return path.resolve(POSTERIOR);
    }

    public Path release() {
        return path.resolve(RELEASE);
    }

    public Path statement() {
        return path.resolve(STATEMENT);
    }

    public Path report() {
        return path.resolve(REPORT);
    }

    public Path check() {
        return path.resolve(CHECK);
    }

    /** What an attacker got, if somebody asked. */
    public Path audit() {
        return path.resolve(AuditNote.FILE);
    }

    public Path testReport() {
        return path.resolve(TEST_REPORT);
    }

    /** What was released, for any prior; only fits by a formula have it. */
    public Path likelihood() {
        return path.resolve("likelihood.json");
    }

    public Path sealed() {
        return path.resolve("sealed");
    }

    public Path runFile() {
        return sealed().resolve("run.json");
    }

    public Path lock() {
        return sealed().resolve("lock");
    }

    public Path records() {
        return sealed().resolve("records.json");
    }

    public Path releases() {
        return sealed().resolve("releases");
    }

    public Path checkpoint() {
        return sealed().resolve("checkpoint.json");
    }

    public Path bounds() {
        return sealed().resolve("bounds.json");
    }

    public Path count() {
        return sealed().resolve("count.json");
    }

    /** How many coins about invented records were guessed, if there were any. */
    public Path canaries() {
        return path.resolve("canaries.json");
    }

    /** Which invented records are among the others. */
    public Path coins() {
        return sealed().resolve("canaries.json");
    }

    /** What shows that this folder is not an older copy of itself. */
    public Path fence() {
        return sealed().resolve("fence.json");
    }

    /** The ledger of a simulation, which no other run knows. */
    public Path ledgerOfSimulation() {
        return sealed().resolve("simulation.ledger");
    }

    /** Where the ledger of a run lay before there was one for all runs. */
    public Path ledgerOfEarlierVersions() {
        return sealed().resolve("ledger.jsonl");
    }

    public boolean complete() {
        return Files.exists(posterior());
    }

    public boolean interrupted() {
        return Files.exists(runFile()) && !complete();
    }

    /** Refuses a place where something else is, before any work is done. */
    public void requireFree() {
        if (Files.isSymbolicLink(path)) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION, path + " is a link to nothing; name another place with --out.");
        }
        if (!Files.exists(path)) {
            Path parent = path.toAbsolutePath().getParent();
            if (parent == null || !Files.isDirectory(parent) || !Files.isWritable(parent)) {
                throw new FitException(
                        FitException.Kind.CONFIGURATION,
                        "cannot create " + path + " because its parent folder does not exist or cannot be written;"
                                + " name another place with --out.");
            }
            return;
        }
        if (interrupted()) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION,
                    path + " holds a run that was interrupted; go on with it by --resume, or name another place with"
                            + " --out.");
        }
        if (!Files.isDirectory(path) || !isEmpty()) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION,
                    path + " exists and is not an empty folder; name a new place with --out.");
        }
    }

    /** Nothing is what a run leaves that was killed before it began: folders, a lock, drafts. */
    private boolean isEmpty() {
        try (Stream<Path> files = Files.walk(path)) {
            return files.allMatch(file -> Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)
                    || (sealed().equals(file.getParent()) && isLeftover(file)));
        } catch (IOException | UncheckedIOException e) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION,
                    "cannot look into " + path + "; name another place with --out.",
                    e);
        }
    }

    private boolean isLeftover(Path file) {
        String name = file.getFileName().toString();
        boolean draft = writtenBeforeCharge().stream()
                .anyMatch(written ->
                        DurableFile.isDraft(name, written.getFileName().toString()));
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                && (draft || file.equals(lock()) || file.equals(records()) || file.equals(coins()));
    }

    /** All that a run writes before it is charged; the last of them makes it a run that can be resumed. */
    List<Path> writtenBeforeCharge() {
        return List.of(releases(), records(), coins(), fence(), ledgerOfSimulation(), runFile());
    }

    /** Removes what was half written when a process was killed. */
    void deleteDrafts() throws IOException {
        try (Stream<Path> files = Files.list(sealed())) {
            for (Path file : files.filter(this::isLeftover).toList()) {
                if (!file.equals(lock())) {
                    Files.delete(file);
                }
            }
        }
    }

    /** Writes a file of the fit, whole and durably; one in {@code sealed/} for its owner only. */
    public void write(Path file, String text) {
        boolean secret = sealed().equals(file.getParent());
        try {
            DurableFile.write(
                    file,
                    text.getBytes(StandardCharsets.UTF_8),
                    secret ? DurableFile.Access.OWNER : DurableFile.Access.SHARED);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether a run is there that has not left all its files, or whose files do not read. */
    public boolean resumable() {
        return interrupted() || (Files.exists(runFile()) && !reads());
    }

    private boolean reads() {
        try {
            outcome();
            return true;
        } catch (FitException e) {
            return false;
        }
    }

    /** The text of one of a complete fit's files. */
    public String read(Path file) {
        if (!complete()) {
            String problem = interrupted()
                    ? " holds a run that was interrupted; go on with it by fit --resume."
                    : " is not the folder of a fit; name the folder that fit --out wrote.";
            throw new FitException(FitException.Kind.MISSING_INPUT, path + problem);
        }
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (CharacterCodingException e) {
            throw new FitException(
                    FitException.Kind.BAD_DATA,
                    file + " was changed since it was written: it is not text any more.",
                    e);
        } catch (IOException e) {
            throw new FitException(
                    FitException.Kind.MISSING_INPUT,
                    "cannot read " + file + "; check that it is there and who may read it.",
                    e);
        }
    }

    public StoredPosterior fittedModel() {
        return StoredPosterior.fromJson(read(posterior()), posterior().toString());
    }

    ReleaseRecord releaseRecord() {
        return ReleaseRecord.fromJson(read(release()), release().toString());
    }

    /** All that a complete fit left. */
    public FitOutcome outcome() {
        ReleaseRecord release = releaseRecord();
        return new FitOutcome(fittedModel(), release, intervalCheck(), auditOf(release));
    }

    private Optional<AuditNote> auditOf(ReleaseRecord release) {
        return Files.exists(audit()) ? Optional.of(AuditNote.of(read(audit()), release)) : Optional.empty();
    }

    private Optional<IntervalCheck> intervalCheck() {
        return Files.exists(check())
                ? Optional.of(IntervalCheck.fromJson(read(check()), check().toString()))
                : Optional.empty();
    }

    /** By how much intervals are shown wider than the posterior's. */
    public Widening widening() {
        return intervalCheck().map(IntervalCheck::widening).orElse(Widening.NONE);
    }
}
