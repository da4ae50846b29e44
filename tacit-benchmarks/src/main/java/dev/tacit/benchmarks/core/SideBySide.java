package dev.tacit.benchmarks.core;

import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.accounting.calibrate.CalibrationException;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.unit.Neighbours;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Callable;

/**
 * Prints one table: our times, measured in this run, beside those of other libraries and beside what the machine can
 * do.
 *
 * <p>Start it with {@code tacit-benchmarks/run side-by-side}. It takes about two minutes. Times are medians of one
 * second of calls, after five seconds of them, except the first line, which is the first question of the process. JMH
 * ({@code tacit-benchmarks/run}) gives the same numbers with error bars.
 */
public final class SideBySide {
    /** Long enough for the compiler of the JVM to finish with the longest question, on two processors. */
    private static final double WARM_UP_SECONDS = 5;

    private static final double MEASURED_SECONDS = 1;
    private static final int BLOCK = 4096;

    private final PrivacyAccountant exact = new ExactAccountant();
    private final PrivacyAccountant renyi = new RenyiAccountant();

    private SideBySide() {}

    /** Prints the table. */
    public static void main(String[] arguments) throws IOException {
        new SideBySide().print();
    }

    private void print() throws IOException {
        long start = System.nanoTime();
        double epsilon = AccountingQuestions.dpSgd(exact).upper();
        double first = (System.nanoTime() - start) * 1e-9;
        PeerTimes peers = PeerTimes.read();
        System.out.printf(
                Locale.ROOT,
                "Java %s on %d processors. Ours: medians of %.0f s of calls after %.0f s of warm-up. Peers: %s%n%n",
                Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                MEASURED_SECONDS,
                WARM_UP_SECONDS,
                peers.provenance());
        System.out.printf(
                Locale.ROOT, "%-62s %12.6f s   %.15g%n%n", "first epsilon of this process (DP-SGD)", first, epsilon);
        question(peers, "dpSgd", () -> AccountingQuestions.dpSgd(exact).upper());
        question(peers, "dpSep", () -> AccountingQuestions.dpSep(exact).upper());
        question(
                peers, "noiseAware", () -> AccountingQuestions.noiseAware(exact).upper());
        question(peers, "vips", () -> AccountingQuestions.vips(exact).upper());
        question(
                peers,
                "rareSampling",
                () -> AccountingQuestions.rareSampling(exact).upper());
        question(peers, "calibrateDpSgd", () -> AccountingQuestions.calibrated(exact, 0.01));
        question(peers, "calibrateNoiseAware", () -> AccountingQuestions.calibrated(exact, 0.1));
        PrivacyEvent thousandPhases = AccountingQuestions.thousandPhases();
        alone(
                "epsilon, a thousand different phases",
                () -> exact.epsilon(thousandPhases, 1e-5, Neighbours.ADD_REMOVE).upper());
        alone("Rényi epsilon, DP-SGD", () -> AccountingQuestions.dpSgd(renyi).upper());
        noise();
        ledger();
    }

    private static void question(PeerTimes peers, String id, Callable<Double> ours) {
        PeerTimes.Question question = peers.questions().get(id);
        Timed timed = timed(ours);
        System.out.printf(
                Locale.ROOT,
                "%s%s%n",
                question.name(),
                question.truth().isEmpty() ? "" : ", truth " + question.truth());
        System.out.printf(Locale.ROOT, "  %-24s %12.6f s   %.15g%n", "tacit exact", timed.seconds(), timed.answer());
        for (PeerTimes.Peer peer : question.peers()) {
            String answer =
                    peer.answer().isPresent() ? String.valueOf(peer.answer().getAsDouble()) : "";
            System.out.printf(
                    Locale.ROOT,
                    "  %-24s %12.6f s   %-16s %s%.3g times as long%n",
                    peer.name(),
                    peer.seconds(),
                    answer,
                    peer.timeout() ? "stopped, over " : "",
                    peer.seconds() / timed.seconds());
        }
        System.out.println();
    }

    private static void alone(String name, Callable<Double> ours) {
        Timed timed = timed(ours);
        System.out.printf(Locale.ROOT, "%-62s %12.6f s   %.15g%n", name, timed.seconds(), timed.answer());
    }

    private record Timed(double seconds, double answer) {}

    private static Timed timed(Callable<Double> work) {
        long start = System.nanoTime();
        double answer = call(work);
        while (secondsSince(start) < WARM_UP_SECONDS) {
            call(work);
        }
        double[] seconds = new double[100_000];
        int count = 0;
        start = System.nanoTime();
        do {
            long before = System.nanoTime();
            call(work);
            seconds[count++] = secondsSince(before);
        } while (count < seconds.length && secondsSince(start) < MEASURED_SECONDS);
        Arrays.sort(seconds, 0, count);
        return new Timed(seconds[count / 2], answer);
    }

    private static <T> T call(Callable<T> work) {
        try {
            return work.call();
        } catch (CalibrationException | BudgetExhausted | IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("no other exception is declared", e);
        }
    }

    private static double secondsSince(long start) {
        return (System.nanoTime() - start) * 1e-9;
    }

    private static void noise() {
        System.out.printf(Locale.ROOT, "%n%-62s %15s%n", "random numbers, one thread", "millions / s");
        NoiseBenchmark benchmark = new NoiseBenchmark();
        rate("normal, commons-rng ziggurat on xoroshiro (not secure)", benchmark::peerNormalOfCommonsRng);
        for (double deviation : new double[] {1, 100, 0x1p20, 0x1p40}) {
            NoiseBenchmark.Width width = new NoiseBenchmark.Width();
            width.standardDeviation = deviation;
            rate(
                    "exact discrete Gaussian, deviation " + deviation + " (release)",
                    () -> benchmark.discreteGaussian(width));
        }
        rate("index of a Poisson sample, rate 0.01", benchmark::poissonIndex);
        rate("64 secure bits", benchmark::secureWord);
        NoiseBenchmark.PlainAes aes = new NoiseBenchmark.PlainAes();
        rate("  limit: 64 bits of plain AES-256-CTR", () -> benchmark.limitWordOfPlainAes(aes));
    }

    private static void rate(String name, Callable<Object> block) {
        Timed timed = timed(() -> call(block) == null ? 1.0 : 0.0);
        System.out.printf(Locale.ROOT, "%-62s %15.1f%n", name, BLOCK / timed.seconds() / 1e6);
    }

    private static void ledger() throws IOException {
        System.out.printf(Locale.ROOT, "%n%-62s %15s%n", "durable records", "per second");
        LedgerBenchmark benchmark = new LedgerBenchmark();
        benchmark.open();
        try {
            double charge = timed(() -> (double) benchmark.charge().sequence()).seconds();
            double line = timed(() -> (double) benchmark.limitLineAndFsync()).seconds();
            System.out.printf(Locale.ROOT, "%-62s %15.0f%n", "charge of a file ledger (two fsyncs)", 1 / charge);
            System.out.printf(Locale.ROOT, "%-62s %15.0f%n", "  limit: one line, one fsync", 1 / line);
        } finally {
            benchmark.close();
        }
    }
}
