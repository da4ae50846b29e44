package dev.tacit.federated.run;

import dev.tacit.data.schema.Schema;
import dev.tacit.door.ledger.LedgerConflict;
import dev.tacit.door.session.SealedConflict;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.federated.draft.KeyWork;
import dev.tacit.federated.draft.StudyWork;
import dev.tacit.federated.keys.Authority;
import dev.tacit.federated.keys.CertificateRequest;
import dev.tacit.federated.keys.KeyFolder;
import dev.tacit.federated.page.EventFeed;
import dev.tacit.federated.page.PageServer;
import dev.tacit.federated.policy.PolicyFile;
import dev.tacit.federated.policy.PolicyVerdict;
import dev.tacit.federated.protocol.PartyKeys;
import dev.tacit.federated.store.LogDamaged;
import dev.tacit.federated.store.LogTaken;
import dev.tacit.federated.study.Study;
import dev.tacit.federated.study.StudyException;
import dev.tacit.federated.study.StudyFile;
import dev.tacit.federated.study.StudyMember;
import dev.tacit.federated.study.StudyPlan;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.federation.Federation;
import dev.tacit.fit.federation.FederationAnswer;
import dev.tacit.fit.federation.FederationRequest;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.fit.formula.FitHeader;
import dev.tacit.fit.ledger.LedgerPlace;
import dev.tacit.fit.run.Preparations;
import dev.tacit.ledger.LedgerBroken;
import dev.tacit.ledger.LedgerUnavailable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Everything that can be asked of the runtime of several parties, except to play all of them. */
public final class FederatedRuntime {
    private static final int PATIENCE_SECONDS = 60;

    private final Clock clock;

    public FederatedRuntime(Clock clock) {
        this.clock = clock;
    }

    /** Does what is asked. */
    public FederationAnswer perform(FederationRequest request, Federation.Progress progress) {
        try {
            if (request instanceof FederationRequest.KeysInit init) {
                return KeyWork.init(init, clock);
            } else if (request instanceof FederationRequest.KeysParty party) {
                return KeyWork.party(party);
            } else if (request instanceof FederationRequest.KeysSign sign) {
                return KeyWork.sign(sign, clock);
            } else if (request instanceof FederationRequest.KeysShow show) {
                return KeyWork.show(show);
            } else if (request instanceof FederationRequest.KeysRenew renew) {
                return KeyWork.renew(renew, clock);
            } else if (request instanceof FederationRequest.StudyDraft draft) {
                return StudyWork.draft(draft);
            } else if (request instanceof FederationRequest.StudyCheck check) {
                return StudyWork.check(check);
            } else if (request instanceof FederationRequest.StudyShow show) {
                return StudyWork.show(StudyFile.read(show.study()), Optional.empty());
            } else if (request instanceof FederationRequest.PartyApprove approve) {
                return approve(approve);
            } else if (request instanceof FederationRequest.PartyRun run) {
                PartyFolder folder = new PartyFolder(run.folder());
                run.at().ifPresent(at -> folder.move(Links.kept(at)));
                return statement(new PartyRun(folder, progress, Times.of(clock)).run());
            } else if (request instanceof FederationRequest.PartyStatus status) {
                return PartyWork.status(new PartyFolder(status.folder()));
            } else if (request instanceof FederationRequest.PartyStatement asked) {
                return statement(PartyWork.statement(new PartyFolder(asked.folder())));
            } else if (request instanceof FederationRequest.CoordinatorRun run) {
                return coordinate(run, progress);
            } else if (request instanceof FederationRequest.CoordinatorStatus status) {
                return CoordinatorWork.status(status.folder());
            } else if (request instanceof FederationRequest.CoordinatorRebuild rebuild) {
                return CoordinatorWork.rebuild(rebuild);
            } else if (request instanceof FederationRequest.AuditLogs audit) {
                return CoordinatorWork.audit(audit.logs());
            }
            throw new IllegalArgumentException("this runtime plays no parties");
        } catch (StudyException | LogTaken | SealedConflict | LedgerConflict e) {
            throw new FitException(FitException.Kind.CONFIGURATION, FitException.sentence(e.getMessage()), e);
        } catch (LedgerBroken | LogDamaged e) {
            throw new FitException(FitException.Kind.BAD_DATA, FitException.sentence(e.getMessage()), e);
        } catch (LedgerUnavailable e) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION,
                    FitException.sentence(e.getMessage() + "; when it can be used again, repeat the command"),
                    e);
        } catch (UncheckedIOException e) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION,
                    "a file of the study cannot be read or written; check its rights and that the disk has room, then"
                            + " repeat the command, which goes on where it was.",
                    e);
        }
    }

    /** Reads a schema. */
    public Schema schema(Path file) {
        return StudyWork.schema(file);
    }

    /** A party that has asked for a certificate. */
    public StudyMember member(CertificateRequest request, long units) {
        return StudyWork.member(request, units);
    }

    /** A study of parties whose units are declared. */
    public Study study(
            String name,
            Schema schema,
            FederationRequest.FittedWish wish,
            PrivacyBudget budget,
            FederationRequest.Sharing sharing,
            String coordinator,
            List<StudyMember> members) {
        return StudyWork.study(name, StudyWork.fitted(schema, wish), budget, sharing, coordinator, members);
    }

    /** What a study is and costs; refuses one that cannot run. */
    public FederationAnswer show(Study study) {
        return StudyWork.show(study, Optional.empty());
    }

    /** Writes a study to a new file. */
    public void write(Study study, Path file) {
        StudyWork.write(study, file);
    }

    /** The eight words of a study. */
    public String words(Path study) {
        return StudyFile.read(study).words();
    }

    private static FederationAnswer statement(PartyStatement statement) {
        return new FederationAnswer(statement.lines(), statement.json());
    }

    private static FederationAnswer approve(FederationRequest.PartyApprove request) {
        Study study = StudyFile.read(request.study());
        StudyPlan plan = StudyPlan.of(study);
        KeyFolder keys = new KeyFolder(request.keys());
        String name = keys.name();
        PartyKeys own = PartyRun.requireKeys(study, keys);
        String at = Links.kept(request.at());
        if (!Files.exists(Path.of(request.data())) && !request.data().contains("://")) {
            throw new FitException(FitException.Kind.MISSING_INPUT, "there is no file " + request.data() + ".");
        }
        if (request.words().isPresent()
                && !request.words()
                        .get()
                        .strip()
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("\\s+", " ")
                        .equals(study.words())) {
            throw new StudyException(
                    "the words that were read out are not those of this study; the others have another one");
        }
        Optional<PolicyVerdict> verdict =
                request.policy().map(file -> PolicyFile.read(file).verdict(plan));
        if (verdict.isPresent() && !verdict.get().allowed()) {
            throw PartyRun.refused(plan, verdict.get(), 0, own, keys, at);
        }
        if (verdict.isEmpty() && request.words().isEmpty()) {
            throw new FitException(
                    FitException.Kind.USAGE,
                    "say by --words what the others read out by telephone, or by --policy what this party allows.");
        }
        requireReadable(request, study, name);
        FederationAnswer shown = StudyWork.show(study, verdict);
        PartyFolder.create(
                request.out(),
                study,
                request.policy(),
                new PartyFolder.Approval(
                        study.hashText(),
                        request.data().contains("://")
                                ? request.data()
                                : Path.of(request.data()).toAbsolutePath().toString(),
                        request.keys().toAbsolutePath(),
                        request.ledger().map(Path::toAbsolutePath),
                        at));
        List<String> lines = new ArrayList<>(shown.lines());
        lines.add("");
        if (request.words().isEmpty()) {
            lines.add("compare the eight words with all other parties before it runs: whoever did not read them out may"
                    + " have approved another study, or be nobody");
        }
        lines.add("approved for " + name + "; nothing is charged before tacit party run " + request.out());
        return new FederationAnswer(lines, shown.json());
    }

    /** Records and ledger that party run could not use are refused now; nothing is kept of them. */
    private static void requireReadable(FederationRequest.PartyApprove request, Study study, String name) {
        Preparations.open(
                        request.data(),
                        StudyWork.sized(
                                study.fitted().schema(), study.member(name).units()),
                        Runtime.getRuntime().availableProcessors())
                .close();
        Path ledger = request.ledger().orElseGet(() -> LedgerPlace.beside(request.data()));
        if (Files.exists(ledger)) {
            PartyWork.whole(ledger);
        }
    }

    /** A party that was away when the study ended hears of it from a coordinator that is started once more. */
    private static FederationAnswer overAlready(
            FederationRequest.CoordinatorRun request,
            Study study,
            CoordinatorRun run,
            Waiting patience,
            Federation.Progress progress) {
        progress.says("The study is over; parties that were away are told so for "
                + patience.time().toSeconds() + " seconds.");
        run.tellTheEnd();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("fit", request.out().toString());
        json.put("study", study.hashText());
        json.put("over", true);
        return new FederationAnswer(
                List.of(
                        study.name() + " was over before; its fit is in " + request.out(),
                        "tacit summary " + request.out() + " shows the result"),
                json);
    }

    private FederationAnswer coordinate(FederationRequest.CoordinatorRun request, Federation.Progress progress) {
        Study study = StudyFile.read(request.study());
        StudyPlan plan = StudyPlan.of(study);
        EventFeed feed = new EventFeed(Long.toHexString(clock.millis()));
        Times times = Times.of(clock);
        PageWatcher watcher = new PageWatcher(plan, feed, progress, times);
        Waiting patience =
                new Waiting(Duration.ofSeconds(request.patienceSeconds().orElse(PATIENCE_SECONDS)), request.givesUp());
        CoordinatorRun run = new CoordinatorRun(
                study,
                new Authority(request.authority()),
                request.at(),
                request.out(),
                patience,
                watcher,
                progress,
                times);
        run.require();
        Optional<PageServer> page = Optional.empty();
        try {
            if (request.page().isPresent()) {
                page = Optional.of(PageServer.start(feed, request.page().getAsInt()));
                progress.says("the page is at " + page.get().address());
            }
            CoordinatorWork.keepStudy(study, request.out());
            if (run.isOver()) {
                return overAlready(request, study, run, patience, progress);
            }
            FitOutcome outcome = run.run();
            watcher.done("The study is over; the fit is written.");
            Files.writeString(request.out().resolve("page.html"), PageServer.still(feed));
            List<String> lines = new ArrayList<>(FitHeader.lines(outcome));
            lines.add("tacit summary " + request.out() + " shows the result");
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("fit", request.out().toString());
            json.put("study", study.hashText());
            json.put("epsilon", outcome.release().privacy().orElseThrow().epsilon());
            json.put("noiseFactor", outcome.release().study().orElseThrow().noiseFactor());
            return new FederationAnswer(lines, json);
        } catch (IOException e) {
            throw new StudyException(
                    "cannot show the page of the study; check the port of --page and the folder of --out", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StudyException("the coordinator was stopped; coordinator run goes on", e);
        } finally {
            page.ifPresent(PageServer::close);
        }
    }
}
