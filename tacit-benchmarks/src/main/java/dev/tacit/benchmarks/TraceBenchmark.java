package dev.tacit.benchmarks;

import dev.tacit.diagnostics.ChainDiagnostics;
import dev.tacit.experiments.mcmc.NoUTurnSampler;
import dev.tacit.experiments.mcmc.NutsResult;
import dev.tacit.experiments.mcmc.NutsSettings;
import dev.tacit.experiments.noiseaware.FullTraceDensity;
import dev.tacit.inference.noiseaware.NoiseAwarePosterior;
import dev.tacit.inference.noiseaware.TraceNoise;
import dev.tacit.inference.noiseaware.TraceStatistics;
import dev.tacit.numerics.RandomStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Prints the cost of the exact noise-aware posterior beside NUTS on the whole trace, both measured now.
 *
 * <p>Start it with {@code tacit-benchmarks/run noise-aware}. The trace is as long as the published ones (8000 pairs
 * after burn-in, noise multiplier 360, clip 2, sampling rate 0.1), with as many location coordinates (curvature 1250,
 * scale factor 1) as scale coordinates (curvature 2, scale factor 120). NUTS has the published budget, one chain of
 * 1000 + 4000 transitions, and starts in the middle of the priors. Times are CPU times of one thread. The streaming
 * statistics are timed apart: a kernel gathers them while it runs.
 */
public final class TraceBenchmark {
    private static final int STEPS = 8000;
    private static final double SAMPLING_RATE = 0.1;
    private static final double RELEASE_DEVIATION = 720;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    private TraceBenchmark() {}

    /** Prints the table. */
    public static void main(String[] arguments) {
        System.out.printf(Locale.ROOT, "%d pairs. Java %s. CPU seconds of one thread.%n", STEPS, Runtime.version());
        new TraceBenchmark().row(2);
        new TraceBenchmark().row(4);
    }

    private void row(int coordinates) {
        double[] parameters = new double[STEPS * coordinates];
        double[] gradients = new double[STEPS * coordinates];
        double[] deviations = new double[coordinates];
        simulate(parameters, gradients, deviations);
        TraceNoise noise = TraceNoise.published(SAMPLING_RATE, deviations);

        double gathering = least(20, () -> statistics(parameters, gradients, coordinates));
        TraceStatistics trace = statistics(parameters, gradients, coordinates);
        double known = least(3000, () -> new NoiseAwarePosterior(trace, noise.withoutSubsampling()));
        double unknown = least(300, () -> new NoiseAwarePosterior(trace, noise));
        NoiseAwarePosterior exact = new NoiseAwarePosterior(trace, noise);

        FullTraceDensity density = new FullTraceDensity(parameters, gradients, noise);
        NutsSettings settings =
                NutsSettings.standard().withChains(1).withThreads(1).withTransitions(1000, 4000);
        NutsResult[] result = new NutsResult[1];
        double sampling = chainSeconds(() -> result[0] = new NoUTurnSampler(settings)
                .sample(
                        IntStream.range(0, density.dimension())
                                .mapToObj(i -> "x" + i)
                                .toList(),
                        density,
                        new double[][] {density.start()},
                        RandomStream.ofSeed(1)));
        System.out.printf(
                Locale.ROOT,
                "%d coordinates: exact %.6f s (noise of batches known), %.6f s (unknown); statistics %.6f s; "
                        + "NUTS %.2f s, %.1f leapfrogs a transition; ratio %.0f (unknown), %.0f (known)%n",
                coordinates,
                known,
                unknown,
                gathering,
                sampling,
                result[0].meanLeapfrogs(),
                sampling / unknown,
                sampling / known);
        for (int i = 0; i < coordinates; i++) {
            ChainDiagnostics chain = result[0].diagnostics(coordinates + i);
            System.out.printf(
                    Locale.ROOT,
                    "  coordinate %d: exact mean %.5f, sd %.5f; NUTS mean %.5f +- %.5f, sd %.5f, R-hat %.4f%n",
                    i,
                    exact.coordinate(i).optimum().mean(),
                    Math.sqrt(exact.coordinate(i).optimum().variance()),
                    chain.mean(),
                    chain.standardErrorOfMean(),
                    chain.standardDeviation(),
                    chain.rHat());
        }
    }

    private static void simulate(double[] parameters, double[] gradients, double[] deviations) {
        RandomStream random = RandomStream.ofSeed(7);
        int d = deviations.length;
        for (int i = 0; i < d; i++) {
            boolean scale = i >= d / 2;
            double curvature = scale ? 2 : 1250;
            double optimum = scale ? -3.5 : 0.3;
            deviations[i] = RELEASE_DEVIATION / (scale ? 120 : 1);
            double rate = 1 / (Math.sqrt(10_000.0 * d) * deviations[i]);
            double at = optimum;
            for (int t = 0; t < STEPS; t++) {
                parameters[t * d + i] = at;
                double gradient = SAMPLING_RATE * curvature * (at - optimum) + deviations[i] * random.normal();
                gradients[t * d + i] = gradient;
                at -= rate * gradient;
            }
        }
    }

    private static TraceStatistics statistics(double[] parameters, double[] gradients, int d) {
        TraceStatistics trace = TraceStatistics.empty(d);
        double[] phi = new double[d];
        double[] g = new double[d];
        for (int t = 0; t < STEPS; t++) {
            System.arraycopy(parameters, t * d, phi, 0, d);
            System.arraycopy(gradients, t * d, g, 0, d);
            trace = trace.plus(phi, g);
        }
        return trace;
    }

    /** The least CPU time of a thread of its own, so that a sampler's only chain can be timed as well. */
    private double chainSeconds(Runnable sampling) {
        long before = processCpu();
        sampling.run();
        return (processCpu() - before) * 1e-9;
    }

    /** CPU time of the process: the sampler runs its chain on another thread, and nothing else is running. */
    private static long processCpu() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private double least(int runs, Runnable work) {
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < runs; i++) {
            long before = threads.getCurrentThreadCpuTime();
            work.run();
            least = Math.min(least, (threads.getCurrentThreadCpuTime() - before) * 1e-9);
        }
        return least;
    }
}
