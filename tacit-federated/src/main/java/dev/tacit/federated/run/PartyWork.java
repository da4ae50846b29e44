package dev.tacit.federated.run;

import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.federated.keys.KeyFolder;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.study.Study;
import dev.tacit.federated.study.StudyPlan;
import dev.tacit.fit.artefact.ReleaseRecord;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.federation.FederationAnswer;
import dev.tacit.fit.ledger.LedgerPlace;
import dev.tacit.fit.ledger.LedgerView;
import dev.tacit.ledger.FileLedger;
import dev.tacit.ledger.LedgerBroken;
import dev.tacit.ledger.LedgerSummary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** What a party's folder says while nobody runs it. */
final class PartyWork {
    private PartyWork() {}

    static FederationAnswer status(PartyFolder folder) {
        Study study = folder.study();
        StudyPlan plan = StudyPlan.of(study);
        EnvelopeHistory history = EnvelopeHistory.read(folder.log());
        String name = new KeyFolder(folder.approval().keys()).name();
        Optional<Envelope> last = history.envelopes().stream().reduce((first, second) -> second);
        long sent = history.rounds(MessageKind.VECTOR);
        List<String> lines = new ArrayList<>();
        long changes = history.rounds(MessageKind.CHANGE);
        lines.add(name + " in " + study.name() + ": "
                + (plan.changes().isPresent()
                        ? changes + " of " + plan.terms().rounds() + " changes sent"
                        : sent + " of " + plan.releases() + " sums sent, " + history.rounds(MessageKind.OPENING)
                                + " opened"));
        lines.add("  words      " + study.words());
        boolean charged = charged(folder, study).isPresent();
        lines.add("  last       "
                + last.map(message -> LastStep.words(message, plan))
                        .orElse(charged ? "charged, and nothing was sent yet" : "nothing was charged or sent yet"));
        boolean over = Files.exists(folder.statement());
        lines.add("  now        " + (over ? "is done" : "tacit party run " + folder.path() + " goes on"));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("party", name);
        json.put("study", study.hashText());
        json.put("releases", plan.releases());
        if (plan.changes().isPresent()) {
            json.put("rounds", plan.terms().rounds());
            json.put("changes", changes);
        } else {
            json.put("sent", sent);
            json.put("opened", history.rounds(MessageKind.OPENING));
        }
        json.put("charged", charged);
        json.put("done", over);
        return new FederationAnswer(lines, json);
    }

    static PartyStatement statement(PartyFolder folder) {
        Study study = folder.study();
        return PartyStatement.of(
                new KeyFolder(folder.approval().keys()).name(),
                StudyPlan.of(study),
                EnvelopeHistory.read(folder.log()),
                charged(folder, study));
    }

    /** What the party's ledger says of all runs; empty if it was not charged for the study yet. */
    static Optional<ReleaseRecord.Ledger> charged(PartyFolder folder, Study study) {
        PartyFolder.Approval approval = folder.approval();
        Path ledger = approval.ledger().orElseGet(() -> LedgerPlace.beside(approval.data()));
        return Files.exists(ledger) ? total(ledger, study) : Optional.empty();
    }

    /** A ledger that is there, with its name in what is said if it is none. */
    static FileLedger whole(Path file) {
        try {
            return FileLedger.open(file, LedgerView.accounting());
        } catch (LedgerBroken e) {
            throw new FitException(
                    FitException.Kind.BAD_DATA, file + " is not a whole ledger: " + e.getMessage() + ".", e);
        }
    }

    private static Optional<ReleaseRecord.Ledger> total(Path file, Study study) {
        FileLedger ledger = whole(file);
        List<LedgerEntry> entries = ledger.entries();
        for (int place = 0; place < entries.size(); place++) {
            if (entries.get(place).run().equals(Optional.of(study.run()))) {
                LedgerSummary summary = ledger.summary();
                return Optional.of(new ReleaseRecord.Ledger(
                        entries.size(),
                        place + 1L,
                        summary.holds().upper(),
                        summary.terms().delta(),
                        OptionalDouble.empty(),
                        ledger.head()));
            }
        }
        return Optional.empty();
    }
}
