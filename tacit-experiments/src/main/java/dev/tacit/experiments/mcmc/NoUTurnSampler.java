package dev.tacit.experiments.mcmc;

import dev.tacit.numerics.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Draws from any density with a gradient by the No-U-Turn sampler.
 *
 * <p>{@link NutsChain} has the transition (multinomial, Betancourt 2017), {@link DualAveraging} the step size (Hoffman
 * and Gelman 2014, Algorithm 5), {@link WarmupWindows} and {@link Metric} the mass matrix (Stan's three phases). Chain
 * c draws from {@code random.fork("chain").fork(c)}, so the result depends on the seed and not on the number of
 * threads. A chain starts at a point that is uniform on [−2, 2]^d, or at the one it is given.
 */
public final class NoUTurnSampler {
    private static final int MOST_STARTS = 100;
    private static final double START_RADIUS = 2;

    private final NutsSettings settings;

    /** A sampler with these settings. */
    public NoUTurnSampler(NutsSettings settings) {
        this.settings = settings;
    }

    /** Samples from random starts. */
    public NutsResult sample(List<String> names, LogDensity density, RandomStream random) {
        return sample(names, density, null, random);
    }

    /**
     * Samples from given starts.
     *
     * @param starts one point for each chain; null for random ones
     */
    public NutsResult sample(List<String> names, LogDensity density, double[][] starts, RandomStream random) {
        int n = density.dimension();
        if (names.size() != n || n == 0) {
            throw new IllegalArgumentException(
                    "the density has " + n + " coordinates and there are " + names.size() + " names");
        }
        if (starts != null && starts.length != settings.chains()) {
            throw new IllegalArgumentException(
                    "there are " + settings.chains() + " chains and " + starts.length + " starts");
        }
        List<Callable<NutsResult.Chain>> tasks = new ArrayList<>();
        for (int chain = 0; chain < settings.chains(); chain++) {
            RandomStream stream = random.fork("chain").fork(chain);
            double[] start = starts == null ? null : starts[chain].clone();
            LogDensity worker = density.worker();
            tasks.add(() -> run(worker, start, stream));
        }
        return new NutsResult(names, settings, inParallel(tasks));
    }

    private List<NutsResult.Chain> inParallel(List<Callable<NutsResult.Chain>> tasks) {
        ExecutorService pool = Executors.newFixedThreadPool(Math.min(settings.threads(), tasks.size()), task -> {
            Thread thread = new Thread(task, "nuts-chain");
            thread.setDaemon(true);
            return thread;
        });
        try {
            List<NutsResult.Chain> chains = new ArrayList<>();
            for (Future<NutsResult.Chain> future : pool.invokeAll(tasks)) {
                chains.add(future.get());
            }
            return chains;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("sampling was interrupted", interrupted);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException problem) {
                throw problem;
            }
            throw new IllegalStateException("a chain failed", failed.getCause());
        } finally {
            pool.shutdownNow();
        }
    }

    private NutsResult.Chain run(LogDensity density, double[] start, RandomStream random) {
        int n = density.dimension();
        Metric metric = Metric.of(settings.massMatrix(), n);
        NutsChain chain = new NutsChain(density, metric, settings.maximumTreeDepth(), random);
        begin(chain, n, start, random);
        chain.findStepSize();
        warmUp(chain, metric);

        double[] draws = new double[settings.draws() * n];
        double[] energies = new double[settings.draws()];
        int divergences = 0;
        int deepest = 0;
        long leapfrogs = 0;
        double acceptance = 0;
        for (int draw = 0; draw < settings.draws(); draw++) {
            acceptance += chain.transition();
            System.arraycopy(chain.position(), 0, draws, draw * n, n);
            energies[draw] = chain.energy();
            divergences += chain.diverged() ? 1 : 0;
            deepest += chain.depth() == settings.maximumTreeDepth() ? 1 : 0;
            leapfrogs += chain.leapfrogs();
        }
        return new NutsResult.Chain(
                draws,
                energies,
                divergences,
                deepest,
                chain.stepSize(),
                (double) leapfrogs / settings.draws(),
                acceptance / settings.draws(),
                metric.variances());
    }

    private static void begin(NutsChain chain, int n, double[] start, RandomStream random) {
        if (start != null) {
            if (start.length != n || !chain.start(start)) {
                throw new IllegalArgumentException("the density or its gradient is not finite at the start of a chain");
            }
            return;
        }
        double[] point = new double[n];
        for (int attempt = 0; attempt < MOST_STARTS; attempt++) {
            for (int i = 0; i < n; i++) {
                point[i] = START_RADIUS * (2 * random.uniform() - 1);
            }
            if (chain.start(point)) {
                return;
            }
        }
        throw new IllegalArgumentException("no random start has a finite density and gradient; give starts");
    }

    private void warmUp(NutsChain chain, Metric metric) {
        DualAveraging averaging = new DualAveraging(settings.targetAcceptance());
        averaging.restart(chain.stepSize());
        WarmupWindows windows = new WarmupWindows(settings.warmup());
        boolean learns = settings.massMatrix() != MassMatrix.UNIT;
        for (int transition = 0; transition < settings.warmup(); transition++) {
            chain.stepSize(averaging.next(chain.transition()));
            if (learns && windows.inWindow(transition)) {
                metric.learn(chain.position());
                if (windows.endsWindow(transition)) {
                    metric.update();
                    chain.findStepSize();
                    averaging.restart(chain.stepSize());
                }
            }
        }
        if (!averaging.isEmpty()) {
            chain.stepSize(averaging.average());
        }
    }
}
