package dev.tacit.experiments.objective;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.audit.bound.BinomialCount;
import dev.tacit.door.noise.NoiseSource;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.noise.SecureNoise;
import java.io.File;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.apache.commons.numbers.gamma.Erfc;
import org.apache.commons.numbers.gamma.RegularizedGamma;
import org.junit.jupiter.api.Test;

/** A correct sampler fails one check with probability 5e-9, all of them together below 1e-6. */
class GaussianSamplerTest {
    private static final int SAMPLES = 2_000_000;
    private static final double LEVEL = 5e-9;

    /** Fresh at every run; {@code -Dtacit.test.seed=N} repeats one. */
    private static long seed() {
        Long given = Long.getLong("tacit.test.seed");
        return given != null ? given : SecureNoise.create().nextLong() >>> 1;
    }

    private static String because(String what, long seed) {
        return what + ", repeat with -Dtacit.test.seed=" + seed;
    }

    private static double normalCdf(double x) {
        return 0.5 * Erfc.value(-x / Math.sqrt(2));
    }

    private static double[] samples(long seed) {
        double[] samples = new double[SAMPLES];
        GaussianSampler.fill(samples, ReplayNoise.ofSeed(seed));
        return samples;
    }

    /** Dvoretzky, Kiefer, Wolfowitz with Massart's constant: P(sup |F_n − F| &gt; t) ≤ 2 exp(−2nt²), for every n. */
    @Test
    void isCloseToTheNormalDistributionEverywhere() {
        long seed = seed();
        double[] samples = samples(seed);
        Arrays.sort(samples);
        double distance = 0;
        for (int i = 0; i < SAMPLES; i++) {
            double cdf = normalCdf(samples[i]);
            distance = Math.max(distance, Math.max(cdf - (double) i / SAMPLES, (i + 1.0) / SAMPLES - cdf));
        }
        double allowed = Math.sqrt(Math.log(2 / LEVEL) / (2.0 * SAMPLES));
        assertThat(distance).as(because("Kolmogorov distance", seed)).isLessThan(allowed);
    }

    /** Moments within 6 standard errors (probability 2e-9 each for these sums of millions). */
    @Test
    void hasTheMomentsOfANormalNumber() {
        long seed = seed();
        double[] sums = new double[5];
        for (double sample : samples(seed)) {
            double power = 1;
            for (int moment = 1; moment <= 4; moment++) {
                power *= sample;
                sums[moment] += power;
            }
        }
        double[] moments = {1, 0, 1, 0, 3};
        double[] variances = {0, 1, 2, 15, 96};
        for (int moment = 1; moment <= 4; moment++) {
            assertThat(sums[moment] / SAMPLES)
                    .as(because("moment " + moment, seed))
                    .isBetween(
                            moments[moment] - 6 * Math.sqrt(variances[moment] / SAMPLES),
                            moments[moment] + 6 * Math.sqrt(variances[moment] / SAMPLES));
        }
    }

    /**
     * Both tails at 2, 3, 3.6 (inside), 3.66 (just beyond the ziggurat's edge at 3.654), 4 and 4.5, by exact binomial
     * limits.
     */
    @Test
    void hasTheTailsOfANormalNumber() {
        long seed = seed();
        double[] samples = samples(seed);
        for (double threshold : new double[] {2, 3, 3.6, 3.66, 4, 4.5}) {
            long above =
                    Arrays.stream(samples).filter(sample -> sample > threshold).count();
            long below =
                    Arrays.stream(samples).filter(sample -> sample < -threshold).count();
            double truth = normalCdf(-threshold);
            for (long count : new long[] {above, below}) {
                assertThat(new BinomialCount(count, SAMPLES).lowerBound(LEVEL))
                        .as(because("tail", seed))
                        .isLessThan(truth);
                assertThat(new BinomialCount(count, SAMPLES).upperBound(LEVEL))
                        .as(because("tail", seed))
                        .isGreaterThan(truth);
            }
        }
    }

    /** Fine cells around the steps of the ziggurat, where mistakes in wedges show. */
    @Test
    void hasTheNormalDensityInFineCells() {
        long seed = seed();
        int cells = 1000;
        long[] counts = new long[cells];
        for (double sample : samples(seed)) {
            counts[(int) Math.min(cells - 1, Math.max(0, Math.floor(sample * 125 + cells / 2.0)))]++;
        }
        double[] probabilities = new double[cells];
        double before = 0;
        for (int cell = 0; cell < cells; cell++) {
            double upTo = cell == cells - 1 ? 1 : normalCdf((cell + 1 - cells / 2) / 125.0);
            probabilities[cell] = upTo - before;
            before = upTo;
        }
        assertThat(pValue(counts, probabilities)).as(because("cells", seed)).isGreaterThan(LEVEL);
    }

    /** Of Pearson's statistic; cells that expect less than 50 are pooled with their neighbours. */
    private static double pValue(long[] observed, double[] probabilities) {
        double statistic = 0;
        int pools = 0;
        double expected = 0;
        double seen = 0;
        double left = SAMPLES;
        for (int cell = 0; cell < observed.length; cell++) {
            expected += SAMPLES * probabilities[cell];
            seen += observed[cell];
            if ((expected >= 50 && left - expected >= 50) || cell == observed.length - 1) {
                statistic += (seen - expected) * (seen - expected) / expected;
                pools++;
                left -= expected;
                expected = 0;
                seen = 0;
            }
        }
        return RegularizedGamma.Q.value((pools - 1) / 2.0, statistic / 2);
    }

    @Test
    void everyMethodDemandsSimulatedNoise() {
        for (Method method : GaussianSampler.class.getDeclaredMethods()) {
            if (Modifier.isPublic(method.getModifiers())) {
                List<Class<?>> parameters = List.of(method.getParameterTypes());
                assertThat(parameters).contains(ReplayNoise.class).doesNotContain(NoiseSource.class, SecureNoise.class);
            }
        }
    }

    /** The compiler itself refuses a release. */
    @Test
    void doesNotCompileWithSecureNoise() throws Exception {
        assertThat(compiles("GaussianSampler.next(ReplayNoise.ofSeed(1))")).isTrue();
        assertThat(compiles("GaussianSampler.next(SecureNoise.create())")).isFalse();
        assertThat(compiles("GaussianSampler.next((NoiseSource) ReplayNoise.ofSeed(1))"))
                .isFalse();
    }

    private static boolean compiles(String expression) throws Exception {
        String source =
                "package dev.tacit.experiments.objective; import dev.tacit.noise.*; import dev.tacit.door.noise.*; class Snippet { double value = "
                        + expression + "; }";
        SimpleJavaFileObject file =
                new SimpleJavaFileObject(URI.create("string:///Snippet.java"), SimpleJavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return source;
                    }
                };
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> options = List.of(
                "-proc:none",
                "-implicit:none",
                "-cp",
                String.join(
                        File.pathSeparator,
                        folder(GaussianSampler.class),
                        folder(ReplayNoise.class),
                        folder(NoiseSource.class)),
                "-d",
                System.getProperty("java.io.tmpdir"));
        return compiler.getTask(null, null, diagnostic -> {}, options, null, List.of(file))
                .call();
    }

    private static String folder(Class<?> type) throws Exception {
        return new File(type.getProtectionDomain().getCodeSource().getLocation().toURI()).getPath();
    }
}
