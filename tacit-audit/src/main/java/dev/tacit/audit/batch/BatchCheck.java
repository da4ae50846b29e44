package dev.tacit.audit.batch;

import dev.tacit.audit.bound.BinomialCount;
import dev.tacit.audit.result.Defect;
import dev.tacit.audit.result.Defect.Kind;
import dev.tacit.audit.subject.AuditSubject;
import dev.tacit.audit.subject.SpyMechanism;
import dev.tacit.audit.table.SyntheticTable;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.sampling.SamplingScheme.FixedSizeSampling;
import dev.tacit.door.sampling.SamplingScheme.PoissonSampling;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.query.ContributionSum;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Batches as they are drawn, held against the law that the event of their releases is about.
 *
 * <p>Invented units with a number each are put behind the door, and every release says openly which of them it saw: unit u adds 1
 * to place u, and nothing else is there. Under Poisson sampling of rate q all X(release, unit) are independent coins, so each
 * of these is a binomial count of known probability:
 *
 * <pre>
 *   X                                            q            a unit is in a batch
 *   exactly one of W = 1/q releases in a row     Wq(1−q)^W−1  shuffled epochs: always
 *   batch size = its likeliest value             Bin(U, q)    batches of fixed size: always; blocks of units: never
 *   two units beside each other                  q²           blocks of units
 *   two units of two stretches, at one rank      q²           stretches that share their coins
 *   one unit in two releases, one after another  q²           releases that share their coins
 * </pre>
 *
 * Of batches of fixed size b of n the trials are those of one unit, b/n in place of q, and the pair is together with probability
 * b(b−1)/n(n−1). Each count is tested on both sides at an even share of the allowed error.
 */
public final class BatchCheck {
    private static final int UNITS = 64;
    private static final int WINDOWS = 8;
    private static final long FEWEST_RELEASES = 64;
    private static final long MOST_RELEASES = 20_000;
    private static final int MOST_COUNTS = 6;

    private BatchCheck() {}

    /**
     * What was checked.
     *
     * @param schemes how many ways of sampling the plan has
     * @param releases how many batches were drawn
     * @param counts how many counts were tested
     * @param defect the first count that contradicts its law
     */
    public record Checked(int schemes, long releases, int counts, Optional<Defect> defect) {}

    /** Draws the batches of every way of sampling in a subject's plan; an honest door is accused with this probability at most. */
    public static Checked run(AuditSubject<?, ?> subject, double falseAlarm, long seed) {
        List<SamplingScheme> schemes = subject.plan().view().isPresent()
                ? List.of()
                : subject.plan().phases().stream()
                        .map(ReleasePlan.Phase::sampling)
                        .filter(BatchCheck::samples)
                        .distinct()
                        .toList();
        long releases = 0;
        int tested = 0;
        for (SamplingScheme scheme : schemes) {
            boolean[][] seen = seen(subject, scheme, seed);
            List<LawCount> counts =
                    scheme instanceof FixedSizeSampling fixed ? fixed(seen, fixed) : poisson(seen, rate(scheme));
            releases += seen.length;
            for (LawCount count : counts) {
                tested++;
                if (count.contradicts(falseAlarm / schemes.size() / MOST_COUNTS)) {
                    return new Checked(
                            schemes.size(),
                            releases,
                            tested,
                            Optional.of(
                                    new Defect(Kind.BATCHES, "batches are not drawn as claimed: " + count.words())));
                }
            }
        }
        return new Checked(schemes.size(), releases, tested, Optional.empty());
    }

    private static boolean samples(SamplingScheme scheme) {
        return scheme instanceof FixedSizeSampling || (scheme instanceof PoissonSampling && rate(scheme) < 1);
    }

    private static double rate(SamplingScheme scheme) {
        return scheme instanceof PoissonSampling poisson
                ? poisson.samplingRate()
                : (double) ((FixedSizeSampling) scheme).batch() / ((FixedSizeSampling) scheme).population();
    }

    /** How many releases in a row have one batch of a unit among them, on average. */
    private static long window(double rate) {
        return Math.max(2, Math.round(1 / rate));
    }

    /** Which of the numbered units each release saw. */
    private static boolean[][] seen(AuditSubject<?, ?> subject, SamplingScheme scheme, long seed) {
        boolean fixed = scheme instanceof FixedSizeSampling;
        int units = fixed ? (int) Math.min(UNITS, subject.shape().publicSize()) : UNITS;
        long wanted = Math.max(FEWEST_RELEASES, WINDOWS * window(rate(scheme)));
        int releases = (int) Math.min(MOST_RELEASES, wanted);
        ReleasePlan plan = ReleasePlan.of("batches", releases, units, scheme);
        SpyMechanism.Seen sums = new SpyMechanism.Seen();
        boolean[][] seen = new boolean[releases][units];
        try (PrivateDataset data = subject.door().records(numbered(subject, units, fixed), false, subject.unit())) {
            PrivateSession session = subject.door()
                    .open(
                            data,
                            RunRequest.of("audit", plan),
                            new SpyMechanism(subject.mechanism(), sums),
                            ReplayNoise.ofSeed(seed));
            ContributionSum query = ContributionSum.of(units, (block, row, sum) -> {
                DenseBlock dense = (DenseBlock) block;
                int number = (int) dense.values()[dense.start(row)];
                if (number > 0) {
                    sum.add(number - 1, 1);
                }
            });
            for (boolean[] release : seen) {
                session.release(query, 1);
                for (int unit = 0; unit < units; unit++) {
                    release[unit] = sums.sums()[unit] != 0;
                }
            }
        }
        return seen;
    }

    /** Half of the numbered units at the beginning of one stretch, half at the same ranks of the next; units between have no number. */
    private static SyntheticTable numbered(AuditSubject<?, ?> subject, int units, boolean fixed) {
        int columns = subject.shape().columns().size();
        boolean stretches = !fixed && subject.unit().maxRecords() == 1;
        int rows = stretches ? RecordSource.STRETCH_UNITS + units / 2 : units;
        List<double[][]> records = new ArrayList<>();
        List<double[]> labels = new ArrayList<>();
        double[] nobody = new double[columns];
        for (int place = 0; place < rows; place++) {
            int number = !stretches || place < units / 2
                    ? place + 1
                    : place >= RecordSource.STRETCH_UNITS ? place - RecordSource.STRETCH_UNITS + units / 2 + 1 : 0;
            double[] row = nobody;
            if (number > 0) {
                row = new double[columns];
                row[0] = number;
            }
            records.add(new double[][] {row});
            labels.add(new double[] {0});
        }
        return new SyntheticTable(subject.shape(), records, labels);
    }

    private static List<LawCount> poisson(boolean[][] seen, double rate) {
        int units = seen[0].length;
        int half = units / 2;
        int window = (int) Math.min(Integer.MAX_VALUE, window(rate));
        List<LawCount> counts = new ArrayList<>();
        Tally in = new Tally();
        Tally size = new Tally();
        Tally beside = new Tally();
        Tally acrossStretches = new Tally();
        Tally again = new Tally();
        int likeliest = (int) Math.floor((units + 1) * rate);
        for (int release = 0; release < seen.length; release++) {
            boolean[] batch = seen[release];
            int drawn = 0;
            for (int unit = 0; unit < units; unit++) {
                in.add(batch[unit]);
                drawn += batch[unit] ? 1 : 0;
                if (unit % 2 == 1) {
                    beside.add(batch[unit] && batch[unit - 1]);
                }
                if (unit < half) {
                    acrossStretches.add(batch[unit] && batch[unit + half]);
                }
                if (release % 2 == 1) {
                    again.add(batch[unit] && seen[release - 1][unit]);
                }
            }
            size.add(drawn == likeliest);
        }
        counts.add(in.of("a unit was in a batch", rate));
        once(seen, units, window).ifPresent(once -> counts.add(once.of(once(window), onceIn(window, rate))));
        counts.add(size.of("a batch had " + likeliest + " of " + units + " units", pmf(units, likeliest, rate)));
        counts.add(beside.of("two units beside each other were in a batch", rate * rate));
        counts.add(acrossStretches.of("two units far from each other were in a batch", rate * rate));
        counts.add(again.of("a unit was in two batches one after the other", rate * rate));
        return counts;
    }

    private static List<LawCount> fixed(boolean[][] seen, FixedSizeSampling law) {
        double rate = rate(law);
        int units = seen[0].length;
        int window = (int) Math.min(Integer.MAX_VALUE, window(rate));
        List<LawCount> counts = new ArrayList<>();
        Tally in = new Tally();
        Tally size = new Tally();
        Tally beside = new Tally();
        Tally again = new Tally();
        for (int release = 0; release < seen.length; release++) {
            boolean[] batch = seen[release];
            int drawn = 0;
            for (boolean each : batch) {
                drawn += each ? 1 : 0;
            }
            in.add(batch[0]);
            size.add(drawn == law.batch());
            if (units > 1) {
                beside.add(batch[0] && batch[1]);
            }
            if (release % 2 == 1) {
                again.add(batch[0] && seen[release - 1][0]);
            }
        }
        counts.add(in.of("a unit was in a batch", rate));
        once(seen, 1, window).ifPresent(once -> counts.add(once.of(once(window), onceIn(window, rate))));
        if (units == law.population()) {
            counts.add(size.of("a batch had " + law.batch() + " units", 1));
        }
        if (units > 1) {
            double pair = rate * (law.batch() - 1) / (law.population() - 1);
            counts.add(beside.of("two units beside each other were in a batch", pair));
        }
        counts.add(again.of("a unit was in two batches one after the other", rate * rate));
        return counts;
    }

    /** In how many windows a unit was drawn exactly once; nothing if there is no whole window. */
    private static Optional<Tally> once(boolean[][] seen, int units, int window) {
        Tally once = new Tally();
        for (int first = 0; first + window <= seen.length; first += window) {
            for (int unit = 0; unit < units; unit++) {
                int drawn = 0;
                for (int release = first; release < first + window; release++) {
                    drawn += seen[release][unit] ? 1 : 0;
                }
                once.add(drawn == 1);
            }
        }
        return once.trials == 0 ? Optional.empty() : Optional.of(once);
    }

    private static String once(int window) {
        return "a unit was in exactly one of " + window + " batches in a row";
    }

    private static double onceIn(int window, double rate) {
        return window * rate * Math.pow(1 - rate, window - 1);
    }

    private static double pmf(int trials, int hits, double rate) {
        double log = hits * Math.log(rate) + (trials - hits) * Math.log1p(-rate);
        for (int i = 1; i <= hits; i++) {
            log += Math.log((double) (trials - hits + i) / i);
        }
        return Math.exp(log);
    }

    private static final class Tally {
        private long hits;
        private long trials;

        void add(boolean hit) {
            trials++;
            hits += hit ? 1 : 0;
        }

        LawCount of(String what, double probability) {
            return new LawCount(what, new BinomialCount(hits, trials), probability);
        }
    }
}
