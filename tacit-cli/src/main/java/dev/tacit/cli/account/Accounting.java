package dev.tacit.cli.account;

import dev.tacit.accounting.DeltaBound;
import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.accounting.classic.AdvancedCompositionAccountant;
import dev.tacit.accounting.classic.BasicCompositionAccountant;
import dev.tacit.accounting.classic.GaussianLimit;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.accounting.renyi.ZeroConcentratedAccountant;
import java.util.ArrayList;
import java.util.List;

/** All accountants side by side. */
public final class Accounting {
    public static final String EXACT = "exact";
    static final String RENYI = "renyi";

    private final PrivacyAccountant exact = new ExactAccountant();
    private final List<PrivacyAccountant> accountants = List.of(
            exact,
            new RenyiAccountant(),
            new ZeroConcentratedAccountant(),
            new AdvancedCompositionAccountant(),
            new BasicCompositionAccountant());

    /** Every accountant's answer, in the order of the contract; the last one is an estimate. */
    List<Answer> ask(AccountingQuestion question) {
        List<Answer> answers = new ArrayList<>();
        for (PrivacyAccountant accountant : accountants) {
            answers.add(ask(accountant, question));
        }
        answers.add(estimate(question));
        return answers;
    }

    /** The tightest accountant's answer. */
    Answer askExact(AccountingQuestion question) {
        return ask(exact, question);
    }

    /** The smallest value that some accountant shows to hold: +∞ if none does. */
    static Answer best(List<Answer> answers) {
        Answer best = answers.get(0);
        for (Answer answer : answers) {
            if (answer.upper() < best.upper()) {
                best = answer;
            }
        }
        return best;
    }

    /**
     * An upper bound on the advantage of the best attack that decides between two neighbours; 1 if nothing is known.
     */
    double advantage(AccountingQuestion question) {
        return Math.min(
                1, exact.delta(question.event(), 0, question.neighbours()).upper());
    }

    private static Answer ask(PrivacyAccountant accountant, AccountingQuestion question) {
        long start = System.nanoTime();
        Answer.Finding finding = question.wanted() == AccountingQuestion.Wanted.EPSILON
                ? finding(accountant.epsilon(question.event(), question.given(), question.neighbours()))
                : finding(accountant.delta(question.event(), question.given(), question.neighbours()));
        return new Answer(accountant.name(), finding, secondsSince(start));
    }

    private static Answer.Finding finding(EpsilonBound bound) {
        if (bound instanceof EpsilonBound.AtMost atMost) {
            return new Answer.Bound(atMost.epsilon(), atMost.source());
        }
        if (bound instanceof EpsilonBound.Between between) {
            return new Answer.Interval(between.lower(), between.epsilon(), between.errors(), between.source());
        }
        if (bound instanceof EpsilonBound.Unbounded unbounded) {
            return new Answer.Unbounded(unbounded.reason());
        }
        return new Answer.Unsupported(((EpsilonBound.Unsupported) bound).reason());
    }

    private static Answer.Finding finding(DeltaBound bound) {
        if (bound instanceof DeltaBound.AtMost atMost) {
            return new Answer.Bound(atMost.delta(), atMost.source());
        }
        if (bound instanceof DeltaBound.Between between) {
            return new Answer.Interval(between.lower(), between.delta(), between.errors(), between.source());
        }
        return new Answer.Unsupported(((DeltaBound.Unsupported) bound).reason());
    }

    private static Answer estimate(AccountingQuestion question) {
        long start = System.nanoTime();
        Answer.Finding finding;
        if (question.wanted() == AccountingQuestion.Wanted.EPSILON) {
            finding = GaussianLimit.epsilon(question.event(), question.given(), question.neighbours())
                    .<Answer.Finding>map(estimate -> new Answer.Estimate(estimate.epsilon(), "central limit theorem"))
                    .orElseGet(() -> new Answer.Unsupported("the limit is not known for this event"));
        } else {
            finding = new Answer.Unsupported("the limit estimates epsilon only");
        }
        return new Answer(GaussianLimit.NAME, finding, secondsSince(start));
    }

    private static double secondsSince(long start) {
        return (System.nanoTime() - start) * 1e-9;
    }
}
