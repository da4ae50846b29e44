package dev.tacit.cli.account;

import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.Progress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/**
 * A curve computed on all cores, coarsest points first, for a limited time.
 *
 * <p>Some events take seconds at a few points; a drawing does not need those, so what is not ready in time is left out.
 */
public final class PointByPoint {
    private static final int NEEDED = 3;

    private final long patienceNanos;

    public PointByPoint(double patienceSeconds) {
        patienceNanos = (long) (patienceSeconds * 1e9);
    }

    /**
     * The values at those of the points 0 to {@code points - 1} that were ready in time: always at least both ends and
     * the middle.
     */
    public <T> Map<Integer, T> compute(int points, IntFunction<T> value, Progress progress) {
        ExecutorService workers =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors(), PointByPoint::daemon);
        long deadline = System.nanoTime() + patienceNanos;
        try {
            List<Integer> order = coarsestFirst(points);
            List<Future<T>> futures = new ArrayList<>();
            for (int point : order) {
                Callable<T> task = () -> {
                    T result = value.apply(point);
                    progress.step();
                    return result;
                };
                futures.add(workers.submit(task));
            }
            Map<Integer, T> results = new TreeMap<>();
            for (int i = 0; i < order.size(); i++) {
                long left = i < NEEDED ? Long.MAX_VALUE : Math.max(0, deadline - System.nanoTime());
                try {
                    results.put(order.get(i), futures.get(i).get(left, TimeUnit.NANOSECONDS));
                } catch (TimeoutException e) {
                    // This point is left out; others may be ready all the same.
                }
            }
            return results;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.INTERNAL, "was interrupted while drawing; try again.", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            workers.shutdownNow();
        }
    }

    /** Both ends, the middle, the quarters, and so on. */
    public static List<Integer> coarsestFirst(int points) {
        Set<Integer> order = new LinkedHashSet<>();
        order.add(0);
        order.add(points - 1);
        for (int parts = 2; order.size() < points; parts *= 2) {
            for (int i = 1; i < parts; i++) {
                order.add((int) ((long) (points - 1) * i / parts));
            }
        }
        return List.copyOf(order);
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "tacit-plot");
        thread.setDaemon(true);
        return thread;
    }
}
