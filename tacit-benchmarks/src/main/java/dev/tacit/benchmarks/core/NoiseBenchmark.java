package dev.tacit.benchmarks.core;

import dev.tacit.door.sampling.BatchIndices;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.noise.SecureNoise;
import java.security.GeneralSecurityException;
import java.util.concurrent.TimeUnit;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.apache.commons.rng.simple.RandomSource;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Nanoseconds for one random number of each kind, one thread; peers and physical limits stand beside in the same run.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class NoiseBenchmark {
    private static final int BLOCK = 4096;
    private static final double RATE = 0.01;
    private static final long POPULATION = 100L * BLOCK;

    private final double[] numbers = new double[BLOCK];
    private final long[] words = new long[BLOCK];
    private final SecureNoise secure = SecureNoise.create();
    private final SamplingScheme poisson = new SamplingScheme.PoissonSampling(RATE);
    private final UniformRandomProvider uniform = RandomSource.XO_RO_SHI_RO_128_PP.create(1L);
    private final ZigguratSampler.NormalizedGaussian ziggurat = ZigguratSampler.NormalizedGaussian.of(uniform);

    /** The standard deviations of discrete Gaussians. */
    @State(Scope.Thread)
    public static class Width {
        @Param({"1", "100", "1048576", "1099511627776"})
        double standardDeviation;
    }

    /** A plain AES-256 counter stream of the JDK. */
    @State(Scope.Thread)
    public static class PlainAes {
        private final byte[] zeros = new byte[BLOCK * Long.BYTES];
        private final byte[] bytes = new byte[BLOCK * Long.BYTES];
        private final Cipher cipher = cipher();

        private static Cipher cipher() {
            try {
                Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
                cipher.init(
                        Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[32], "AES"), new IvParameterSpec(new byte[16]));
                return cipher;
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Peer: one normal number of commons-rng, from a generator that is not secure. */
    @Benchmark
    @OperationsPerInvocation(BLOCK)
    public double[] peerNormalOfCommonsRng() {
        for (int index = 0; index < BLOCK; index++) {
            numbers[index] = ziggurat.sample();
        }
        return numbers;
    }

    /** One exact discrete Gaussian number from the secure stream, for releases. */
    @Benchmark
    @OperationsPerInvocation(BLOCK)
    public long[] discreteGaussian(Width width) {
        secure.addDiscreteGaussian(width.standardDeviation, words);
        return words;
    }

    /** One index of a Poisson sample at rate 0.01. */
    @Benchmark
    @OperationsPerInvocation(BLOCK)
    public long poissonIndex() {
        BatchIndices batch = poisson.draw(POPULATION, secure);
        long total = 0;
        for (int count = batch.next(words); count > 0; count = batch.next(words)) {
            total += words[count - 1];
        }
        return total;
    }

    /** 64 secure bits. */
    @Benchmark
    @OperationsPerInvocation(BLOCK)
    public long[] secureWord() {
        for (int index = 0; index < BLOCK; index++) {
            words[index] = secure.nextLong();
        }
        return words;
    }

    /** Limit: 64 bits of plain AES-256 in counter mode, as fast as the JDK makes them. */
    @Benchmark
    @OperationsPerInvocation(BLOCK)
    public byte[] limitWordOfPlainAes(PlainAes aes) throws GeneralSecurityException {
        aes.cipher.update(aes.zeros, 0, aes.zeros.length, aes.bytes);
        return aes.bytes;
    }
}
