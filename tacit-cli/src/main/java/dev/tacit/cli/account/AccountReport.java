package dev.tacit.cli.account;

import dev.tacit.door.unit.Neighbours;
import dev.tacit.fit.text.Remark;
import dev.tacit.fit.text.Rounded;
import dev.tacit.fit.text.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Accountants' answers for people: a table, then what the number means and what it rests on. */
final class AccountReport {
    private final Accounting accounting;

    AccountReport(Accounting accounting) {
        this.accounting = accounting;
    }

    /** What was asked, in one line. */
    static String setting(AccountingQuestion question) {
        return Events.describe(question.event()) + "; " + question.wanted().givenLabel() + " "
                + Rounded.asGiven(question.given()) + ", "
                + question.neighbours().label() + " neighbours";
    }

    List<String> lines(AccountingQuestion question, List<Answer> answers) {
        List<String> lines = new ArrayList<>();
        lines.add(setting(question));
        lines.add("");
        lines.addAll(table(question, answers));
        lines.add("");
        for (Remark remark : remarks(question, answers)) {
            lines.addAll(remark.lines());
        }
        return lines;
    }

    private static List<String> table(AccountingQuestion question, List<Answer> answers) {
        TextTable table = new TextTable(List.of(false, true, true, false, true, false));
        table.row("accountant", question.wanted().label(), "at least", "what it is", "time", "source");
        for (Answer answer : answers) {
            String time = String.format(Locale.ROOT, "%.1f ms", answer.seconds() * 1000);
            table.row(answer.accountant(), value(answer), atLeast(answer), kind(answer), time, source(answer));
        }
        return table.lines();
    }

    static String value(Answer answer) {
        if (answer.finding() instanceof Answer.Estimate estimate) {
            return "~ " + Rounded.nearest(estimate.value());
        }
        return answer.finding() instanceof Answer.Unsupported ? "-" : Rounded.up(answer.upper());
    }

    /** The lower end of an interval that contains the true value. */
    static String atLeast(Answer answer) {
        return answer.finding() instanceof Answer.Interval interval ? Rounded.down(interval.lower()) : "";
    }

    static String kind(Answer answer) {
        if (answer.finding() instanceof Answer.Estimate) {
            return "estimate, not a guarantee";
        }
        if (answer.finding() instanceof Answer.Unbounded) {
            return "nothing finite holds";
        }
        return answer.finding() instanceof Answer.Unsupported ? "does not apply" : "upper bound";
    }

    static String source(Answer answer) {
        if (answer.finding() instanceof Answer.Interval interval) {
            return interval.source();
        }
        if (answer.finding() instanceof Answer.Bound bound) {
            return bound.source();
        }
        if (answer.finding() instanceof Answer.Estimate estimate) {
            return estimate.source();
        }
        return answer.finding() instanceof Answer.Unbounded unbounded
                ? unbounded.reason()
                : ((Answer.Unsupported) answer.finding()).reason();
    }

    /** The sentences that belong to every number: what it means, whom it protects, what it assumes. */
    List<Remark> remarks(AccountingQuestion question, List<Answer> answers) {
        List<Remark> remarks = new ArrayList<>();
        double holds = Accounting.best(answers).upper();
        if (Double.isInfinite(holds)) {
            remarks.add(new Remark("means", "No accountant can bound this, so nothing may be promised about it."));
            return remarks;
        }
        boolean epsilonWanted = question.wanted() == AccountingQuestion.Wanted.EPSILON;
        double epsilon = epsilonWanted ? holds : question.given();
        String atDelta = epsilonWanted ? Rounded.asGiven(question.given()) : Rounded.up(holds);
        remarks.add(new Remark("means", meaning(question.neighbours(), epsilon, atDelta)));
        double advantage = accounting.advantage(question);
        if (advantage < 1) {
            remarks.add(new Remark("attacks", attacks(question.neighbours(), advantage)));
        }
        remarks.add(new Remark(
                "protects",
                "One record. If one person can have several records, the person is protected less than"
                        + " this number says."));
        remarks.add(new Remark("assumes", assumptions(question)));
        Shuffling.insteadOf(question).ifPresent(shuffling -> remarks.add(shuffled(question, shuffling)));
        return remarks;
    }

    private static String meaning(Neighbours neighbours, double epsilon, String delta) {
        String difference = neighbours == Neighbours.ADD_REMOVE
                ? "Whether or not any one record is in the data"
                : "Whatever value any one record has";
        double factor = Math.nextUp(Math.exp(epsilon));
        return difference + ", the probability of an outcome changes by at most a factor of e^epsilon"
                + (Double.isInfinite(factor) ? "" : " = " + Rounded.up(factor)) + ", plus delta = " + delta + ".";
    }

    private static String attacks(Neighbours neighbours, double advantage) {
        String guess = neighbours == Neighbours.ADD_REMOVE
                ? "whether a given record is in the data"
                : "which of two values a given record has";
        double percent = Math.ceil(1000 * Math.nextUp((1 + advantage) / 2)) / 10;
        return String.format(
                Locale.ROOT,
                "Someone who sees all outputs and guesses %s, at even odds, is right at most %.1f%% of the time.",
                guess,
                Math.min(percent, 100));
    }

    private static String assumptions(AccountingQuestion question) {
        StringBuilder text = new StringBuilder();
        if (Events.hasPoissonSampling(question.event())) {
            text.append("This holds only if every step draws a fresh, secret Poisson sample: an independent coin"
                    + " for every record. ");
        }
        if (Events.hasFixedSizeSampling(question.event())) {
            text.append("This holds only if every step draws a fresh, secret batch, uniformly without replacement. ")
                    .append("Batches of fixed size are accounted under replace-one neighbours, where one record"
                            + " moves a sum by two")
                    .append(" bounds, not one. ");
        }
        return text
                + "Every record's contribution is clipped to the bound that the noise refers to, and no setting"
                + " was read off the data.";
    }

    private Remark shuffled(AccountingQuestion question, Shuffling shuffling) {
        Answer answer = accounting.askExact(question.about(shuffling.event()));
        return new Remark(
                "shuffled",
                "If you shuffle instead: " + question.wanted().label() + " <= " + Rounded.up(answer.upper()) + " ("
                        + shuffling.epochs() + (shuffling.epochs() == 1 ? " pass" : " passes")
                        + " over fixed batches, in which a record is blanked out or replaced; shuffling earns"
                        + " no amplification).");
    }
}
