package dev.tacit.experiments.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Independent parts of an experiment on several threads; results come in the order of the parts. */
public final class Parallel {
    private final int threads;
    private final ExperimentListener listener;

    public Parallel(int threads, ExperimentListener listener) {
        this.threads = threads;
        this.listener = listener;
    }

    /** Runs all parts; what one throws is thrown here. */
    public <T> List<T> all(List<Callable<T>> parts) {
        ExecutorService workers = Executors.newFixedThreadPool(Math.max(1, Math.min(threads, parts.size())));
        try {
            List<Future<T>> pending = new ArrayList<>();
            for (Callable<T> part : parts) {
                pending.add(workers.submit(part));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> one : pending) {
                results.add(one.get());
                listener.partDone();
            }
            return results;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } finally {
            workers.shutdownNow();
        }
    }
}
