package dev.tacit.federated.run;

import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.study.StudyPlan;

/** The newest message of a party's log in words: what the party did last, and in which sum. */
final class LastStep {
    private LastStep() {}

    static String words(Envelope message, StudyPlan plan) {
        return (plan.changes().isPresent() ? "round " : "sum ") + (message.round() + 1) + " of "
                + plan.terms().rounds() + ": "
                + switch (message.kind()) {
                    case KEYS -> "sent its keys";
                    case ASK -> "was asked for its sum";
                    case VECTOR -> "sent its masked sum";
                    case SURVIVORS -> "was sent the list of those who are in the sum";
                    case AGREED -> "signed the list of those who are in the sum";
                    case QUORUM -> "heard that enough parties signed the list";
                    case OPENING -> "sent its keys to open the sum";
                    case RESULT -> "heard that it is over";
                    case REFUSAL -> "refused what it was asked";
                    case STATE -> "was sent the approximation";
                    case CHANGE -> "sent its change";
                };
    }
}
