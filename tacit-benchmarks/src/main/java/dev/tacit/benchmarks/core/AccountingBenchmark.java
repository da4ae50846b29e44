package dev.tacit.benchmarks.core;

import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.accounting.calibrate.CalibrationException;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Milliseconds for one accounting question, warm, and for the first one of a JVM. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class AccountingBenchmark {
    private final PrivacyAccountant exact = new ExactAccountant();
    private final PrivacyAccountant renyi = new RenyiAccountant();
    private final PrivacyEvent thousandPhases = AccountingQuestions.thousandPhases();

    /** Exact epsilon of DP-SGD: noise multiplier 1, rate 0.01, 10 000 steps. */
    @Benchmark
    public EpsilonBound epsilonOfDpSgd() {
        return AccountingQuestions.dpSgd(exact);
    }

    /** Exact epsilon of DP-SEP: noise multiplier 5, rate 0.001, 100 000 steps. */
    @Benchmark
    public EpsilonBound epsilonOfDpSep() {
        return AccountingQuestions.dpSep(exact);
    }

    /** Exact epsilon of noise-aware DPVI: noise multiplier 45, rate 0.1, 10 000 steps. */
    @Benchmark
    public EpsilonBound epsilonOfNoiseAwareDpvi() {
        return AccountingQuestions.noiseAware(exact);
    }

    /** Exact epsilon of VIPS: noise multiplier 1.24, rate 2.5e-5, 16 000 steps. */
    @Benchmark
    public EpsilonBound epsilonOfVips() {
        return AccountingQuestions.vips(exact);
    }

    /** Exact epsilon of rare sampling: noise multiplier 0.5, rate 1e-6, a million steps. */
    @Benchmark
    public EpsilonBound epsilonOfRareSampling() {
        return AccountingQuestions.rareSampling(exact);
    }

    /** Exact epsilon of a thousand phases, no two alike. */
    @Benchmark
    public EpsilonBound epsilonOfThousandPhases() {
        return exact.epsilon(thousandPhases, 1e-5, Neighbours.ADD_REMOVE);
    }

    /** Noise for epsilon 1 over 10 000 steps at rate 0.01, exactly. */
    @Benchmark
    public double calibrationOfDpSgd() throws CalibrationException {
        return AccountingQuestions.calibrated(exact, 0.01);
    }

    /** Noise for epsilon 1 over 10 000 steps at rate 0.1, exactly. */
    @Benchmark
    public double calibrationOfNoiseAwareDpvi() throws CalibrationException {
        return AccountingQuestions.calibrated(exact, 0.1);
    }

    /** Rényi epsilon of DP-SGD. */
    @Benchmark
    public EpsilonBound renyiEpsilonOfDpSgd() {
        return AccountingQuestions.dpSgd(renyi);
    }

    /** Exact epsilon of DP-SGD as the first question of a JVM, class loading included. */
    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @Warmup(iterations = 0)
    @Measurement(iterations = 1)
    @Fork(10)
    public EpsilonBound firstEpsilonOfDpSgd() {
        return AccountingQuestions.dpSgd(new ExactAccountant());
    }
}
