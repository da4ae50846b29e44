package dev.tacit.benchmarks;

import dev.tacit.numerics.LogisticPredictive;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import java.util.concurrent.TimeUnit;
import org.apache.commons.numbers.gamma.Digamma;
import org.apache.commons.numbers.gamma.Erfc;
import org.apache.commons.numbers.gamma.LogGamma;
import org.apache.commons.numbers.gamma.Trigamma;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Nanoseconds for one value of a special function over arrays of 4096, one thread; each with the plain way beside it in
 * the same run.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class SpecialFunctionsBenchmark {
    private static final int COUNT = 4096;
    private static final double SQRT_HALF = Math.sqrt(0.5);

    private final double[] logits = new double[COUNT];
    private final double[] positives = new double[COUNT];
    private final double[] result = new double[COUNT];

    /** Logits of standard deviation 4, and positive numbers from about 0.01 to 100. */
    public SpecialFunctionsBenchmark() {
        RandomStream random = RandomStream.ofSeed(1);
        for (int i = 0; i < COUNT; i++) {
            logits[i] = 4 * random.normal();
            positives[i] = Math.exp(2 * random.normal());
        }
    }

    /** Ours. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public double[] sigmoid() {
        SpecialFunctions.sigmoid(logits, result, COUNT);
        return result;
    }

    /** Beside it, Math.exp. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public double[] sigmoidPlain() {
        for (int i = 0; i < COUNT; i++) {
            double x = logits[i];
            result[i] = 1 / (1 + Math.exp(-x));
        }
        return result;
    }

    /** Ours. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public double[] softplus() {
        SpecialFunctions.softplus(logits, result, COUNT);
        return result;
    }

    /** Beside it, Math.log1p and Math.exp. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public double[] softplusPlain() {
        for (int i = 0; i < COUNT; i++) {
            double x = logits[i];
            result[i] = Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
        }
        return result;
    }

    /** Ours. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public double[] polyaGammaMean() {
        SpecialFunctions.polyaGammaMean(logits, result, COUNT);
        return result;
    }

    /** Beside it, Math.tanh. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public double[] polyaGammaMeanPlain() {
        for (int i = 0; i < COUNT; i++) {
            double x = logits[i];
            result[i] = Math.tanh(x / 2) / (2 * x);
        }
        return result;
    }

    /** Ours. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public double[] log1p() {
        SpecialFunctions.log1p(positives, result, COUNT);
        return result;
    }

    /** Beside it, Math.log1p. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public double[] log1pPlain() {
        for (int i = 0; i < COUNT; i++) {
            double x = positives[i];
            result[i] = Math.log1p(x);
        }
        return result;
    }

    /** Ours. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public double[] digamma() {
        SpecialFunctions.digamma(positives, result, COUNT);
        return result;
    }

    /** Beside it, Commons Numbers. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public double[] digammaPlain() {
        for (int i = 0; i < COUNT; i++) {
            double x = positives[i];
            result[i] = Digamma.value(x);
        }
        return result;
    }

    /** Ours. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public double[] trigamma() {
        SpecialFunctions.trigamma(positives, result, COUNT);
        return result;
    }

    /** Beside it, Commons Numbers. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public double[] trigammaPlain() {
        for (int i = 0; i < COUNT; i++) {
            double x = positives[i];
            result[i] = Trigamma.value(x);
        }
        return result;
    }

    /** Ours. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public double[] logGamma() {
        SpecialFunctions.logGamma(positives, result, COUNT);
        return result;
    }

    /** Beside it, Commons Numbers. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public double[] logGammaPlain() {
        for (int i = 0; i < COUNT; i++) {
            double x = positives[i];
            result[i] = LogGamma.value(x);
        }
        return result;
    }

    /** Ours. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public double[] normalCdf() {
        SpecialFunctions.normalCdf(logits, result, COUNT);
        return result;
    }

    /** Beside it, Commons Numbers. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public double[] normalCdfPlain() {
        for (int i = 0; i < COUNT; i++) {
            double x = logits[i];
            result[i] = 0.5 * Erfc.value(-x * SQRT_HALF);
        }
        return result;
    }

    /** The logistic predictive, quick. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public double[] logisticPredictiveQuick() {
        LogisticPredictive.quick(logits, positives, result, COUNT);
        return result;
    }

    /** The logistic predictive, exact. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public double[] logisticPredictiveExact() {
        LogisticPredictive.exact(logits, positives, result, COUNT);
        return result;
    }
}
