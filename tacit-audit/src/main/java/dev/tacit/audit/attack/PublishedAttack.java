package dev.tacit.audit.attack;

import dev.tacit.audit.bound.BinomialCount;
import dev.tacit.audit.bound.ClaimedCurve;
import dev.tacit.audit.bound.ErrorRates;
import dev.tacit.audit.subject.AuditSubject;
import dev.tacit.audit.subject.KernelRun;
import dev.tacit.audit.table.SyntheticTable;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.RunRequest;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * An attacker who has the published files only: the posterior, and with it every prediction that can be made from it.
 *
 * <p>Whole fits on a small table with and without one record; half of them teach a {@link EventSearch} what to look for, the
 * other half is counted. What is published is computed from what was released, so this can see no more than a transcript
 * does; it shows how much of that reaches the files.
 */
public final class PublishedAttack {
    private static final int BACKGROUND = 20;
    private static final int MOST_NUMBERS = 24;

    private PublishedAttack() {}

    /**
     * What was seen in published files.
     *
     * @param runs how many fits of each table
     * @param epsilon no less holds at the claimed delta
     * @param excess over the claimed curve; not positive if there is none
     * @param events what was counted
     */
    public record Seen(int runs, double epsilon, double excess, List<ErrorRates> events) {
        public Seen {
            events = List.copyOf(events);
        }
    }

    /** Attacks a record that is given. */
    public static <M, S extends Record> Seen run(
            AuditSubject<M, S> subject,
            SyntheticTable unit,
            SyntheticTable other,
            ClaimedCurve curve,
            double confidence,
            int runs,
            long seed) {
        int room = (int) Math.min(BACKGROUND, subject.shape().publicSize() - 1);
        SyntheticTable background =
                SyntheticTable.ordinary(subject.shape(), room, subject.unit().maxRecords(), seed);
        PrivateDataset with = subject.door().records(background.and(unit), false, subject.unit());
        PrivateDataset without = subject.door().records(background.and(other), false, subject.unit());
        int half = runs / 2;
        double[][] first = new double[half][];
        double[][] second = new double[half][];
        for (int i = 0; i < half; i++) {
            first[i] = published(subject, with, seed, 2L * i);
            second[i] = published(subject, without, seed, 2L * i + 1);
        }
        if (!alike(first, second)) {
            return new Seen(runs, 0, -1, List.of());
        }
        double delta = subject.claim().delta();
        List<LearnedEvent> events =
                new ArrayList<>(EventSearch.against(subject.claim().epsilon(), delta, half, seed)
                        .choose(first, second));
        events.addAll(EventSearch.against(curve, half, seed).choose(first, second));
        long[] onData = new long[events.size()];
        long[] onNeighbour = new long[events.size()];
        for (int i = 0; i < half; i++) {
            count(events, published(subject, with, seed, 2L * (half + i)), onData);
            count(events, published(subject, without, seed, 2L * (half + i) + 1), onNeighbour);
        }
        double share = (1 - confidence) / (2 * events.size());
        List<ErrorRates> rates = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            BinomialCount one = new BinomialCount(onData[i], half);
            BinomialCount two = new BinomialCount(onNeighbour[i], half);
            rates.add(
                    events.get(i).likelyOnData()
                            ? ErrorRates.of(events.get(i).name(), one, two, share)
                            : ErrorRates.of(events.get(i).name(), two, one, share));
        }
        return new Seen(
                runs,
                rates.stream().mapToDouble(each -> each.epsilon(delta)).max().orElse(0),
                rates.stream().mapToDouble(each -> each.excess(curve)).max().orElse(-1),
                rates);
    }

    /** One fit of a unit alone, to see how long it takes. */
    public static void fit(AuditSubject<?, ?> subject, SyntheticTable unit, long seed) {
        published(subject, subject.door().records(unit, false, subject.unit()), seed, 0);
    }

    /** Gives fits that diverged as many numbers as the others have; false if all diverged. */
    private static boolean alike(double[][]... sides) {
        int length = 0;
        for (double[][] side : sides) {
            for (double[] output : side) {
                length = Score.isFinite(output) ? output.length : length;
            }
        }
        for (double[][] side : sides) {
            for (int i = 0; i < side.length; i++) {
                if (side[i].length != length) {
                    side[i] = new double[length];
                    Arrays.fill(side[i], Double.NaN);
                }
            }
        }
        return length > 0;
    }

    private static void count(List<LearnedEvent> events, double[] output, long[] hits) {
        for (int i = 0; i < hits.length; i++) {
            if (events.get(i).event().test(output)) {
                hits[i]++;
            }
        }
    }

    /** Means, deviations and their ratios; all NaN for a fit that diverged, which is seen as well. */
    private static <M, S extends Record> double[] published(
            AuditSubject<M, S> subject, PrivateDataset data, long seed, long run) {
        PrivateSession session = subject.door()
                .open(
                        data,
                        RunRequest.of("audit", subject.plan()),
                        subject.added(),
                        ReplayNoise.ofSeed(seed).fork(run));
        Optional<S> state =
                KernelRun.drive(subject, session, RandomStream.ofSeed(seed).fork(run));
        try {
            return state.map(last -> numbers(subject.method()
                            .kernel()
                            .posterior(last, subject.method().model())))
                    .orElse(new double[] {Double.NaN});
        } catch (IllegalArgumentException | ArithmeticException e) {
            return new double[] {Double.NaN};
        }
    }

    private static double[] numbers(Posterior posterior) {
        double[] mean = posterior.mean();
        double[] deviation = posterior.standardDeviation();
        int count = Math.min(MOST_NUMBERS / 3, mean.length);
        double[] numbers = new double[3 * count];
        for (int i = 0; i < count; i++) {
            numbers[3 * i] = mean[i];
            numbers[3 * i + 1] = deviation[i];
            numbers[3 * i + 2] = mean[i] / deviation[i];
        }
        return numbers;
    }
}
