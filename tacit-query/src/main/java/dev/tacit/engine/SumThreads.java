package dev.tacit.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs shares of a sum side by side and adds them up; integers, so the order does not matter. */
public final class SumThreads {
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "tacit-release");
        thread.setDaemon(true);
        return thread;
    });

    private SumThreads() {}

    /** The sum of what every thread returns; no thread is left running when this ends, however it ends. */
    public static long[] sum(int threads, Callable<long[]> share) {
        List<Future<long[]>> others = new ArrayList<>();
        for (int i = 1; i < threads; i++) {
            others.add(THREADS.submit(share));
        }
        Throwable failure = null;
        long[] sums = {};
        try {
            sums = share.call();
        } catch (Throwable e) {
            failure = e;
        }
        boolean interrupted = false;
        for (Future<long[]> other : others) {
            boolean joined = false;
            while (!joined) {
                try {
                    long[] more = other.get();
                    for (int index = 0; index < sums.length; index++) {
                        sums[index] += more[index];
                    }
                    joined = true;
                } catch (ExecutionException e) {
                    failure = e;
                    joined = true;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (failure != null) {
            throw new IllegalStateException("a release could not be computed, so no noise was drawn for it", failure);
        }
        return sums;
    }
}
