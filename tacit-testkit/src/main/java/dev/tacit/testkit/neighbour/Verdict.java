package dev.tacit.testkit.neighbour;

import dev.tacit.audit.bound.BinomialCount;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * What a {@link NeighbourTest} found.
 *
 * @param epsilon the claimed epsilon
 * @param delta the claimed delta
 * @param falseAlarm the probability, at most, with which a release that keeps the claim is reported as breaking it
 * @param seed the seed of the random directions
 * @param findings every event that was tested, the most damaging first
 */
public record Verdict(double epsilon, double delta, double falseAlarm, long seed, List<Finding> findings) {
    public Verdict {
        findings = findings.stream()
                .sorted(Comparator.comparingDouble(Finding::excess).reversed())
                .toList();
    }

    /**
     * One event, counted on outputs that had no part in choosing it.
     *
     * @param event the event in words, and on which data set it should be too likely
     * @param likely its count on the data set where it should be too likely
     * @param unlikely its count on the neighbour
     * @param likelyAtLeast lower confidence bound on P(event) for the first
     * @param unlikelyAtMost upper confidence bound on P(event) for the second
     * @param allowed the most that the claim has for {@code likelyAtLeast}, given {@code unlikelyAtMost}
     */
    public record Finding(
            String event,
            BinomialCount likely,
            BinomialCount unlikely,
            double likelyAtLeast,
            double unlikelyAtMost,
            double allowed) {
        /** By how much the claim is shown to be broken; not positive if it is not. */
        public double excess() {
            return likelyAtLeast - allowed;
        }
    }

    /** False if an event was found whose probabilities contradict the claim at the false-alarm level. */
    public boolean holds() {
        return findings.stream().allMatch(finding -> finding.excess() <= 0);
    }

    /**
     * The largest epsilon that these outputs rule out at the claimed delta, or 0: a lower bound on the epsilon that
     * really holds.
     */
    public double epsilonShown() {
        return findings.stream()
                .mapToDouble(finding -> Math.log((finding.likelyAtLeast() - delta) / finding.unlikelyAtMost()))
                .filter(shown -> shown > 0)
                .max()
                .orElse(0);
    }

    /** The verdict in words, for the message of an assertion. */
    public String explain() {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "claimed (epsilon %s, delta %s) %s; the outputs rule out epsilon %.4f; false alarms %s; seed %d%n",
                epsilon,
                delta,
                holds() ? "is not contradicted" : "IS BROKEN",
                epsilonShown(),
                falseAlarm,
                seed));
        for (Finding finding : findings.subList(0, Math.min(5, findings.size()))) {
            text.append(String.format(
                    Locale.ROOT,
                    "  %s: %d of %d against %d of %d, so at least %.6g where at most %.6g is allowed%n",
                    finding.event(),
                    finding.likely().hits(),
                    finding.likely().trials(),
                    finding.unlikely().hits(),
                    finding.unlikely().trials(),
                    finding.likelyAtLeast(),
                    finding.allowed()));
        }
        return text.toString();
    }
}
