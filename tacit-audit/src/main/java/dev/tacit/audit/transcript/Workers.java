package dev.tacit.audit.transcript;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Runs the same task on several threads and waits for all of them. */
public final class Workers {
    private Workers() {}

    /** Runs a task that shares its work out by itself; what one thread throws is thrown here. */
    public static void run(int threads, Runnable task) {
        AtomicReference<RuntimeException> failure = new AtomicReference<>();
        List<Thread> others = new ArrayList<>();
        for (int i = 1; i < threads; i++) {
            Thread thread = new Thread(() -> guarded(task, failure), "tacit-audit");
            thread.setDaemon(true);
            thread.start();
            others.add(thread);
        }
        guarded(task, failure);
        boolean interrupted = false;
        for (Thread other : others) {
            while (other.isAlive()) {
                try {
                    other.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (failure.get() != null) {
            throw failure.get();
        }
    }

    private static void guarded(Runnable task, AtomicReference<RuntimeException> failure) {
        try {
            task.run();
        } catch (RuntimeException e) {
            failure.compareAndSet(null, e);
        }
    }
}
