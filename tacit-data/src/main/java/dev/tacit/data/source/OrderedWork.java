package dev.tacit.data.source;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;

/** Pieces of a file that one thread finds, several threads work on, and the calling thread takes in their order. */
public final class OrderedWork {
    private OrderedWork() {}

    /** Finds the next piece, or null after the last one. */
    public interface Pieces<P> {
        P next() throws IOException;
    }

    /** Of several exceptions the one that comes first in the file is thrown. */
    public static <P, T> void run(int threads, Pieces<P> pieces, Function<P, T> work, Consumer<T> inOrder)
            throws IOException {
        ExecutorService pool = Executors.newFixedThreadPool(threads, task -> {
            Thread thread = new Thread(task, "tacit-read");
            thread.setDaemon(true);
            return thread;
        });
        ArrayDeque<Future<T>> waiting = new ArrayDeque<>();
        try {
            for (P piece = next(pieces, waiting); piece != null; piece = next(pieces, waiting)) {
                P part = piece;
                waiting.add(pool.submit(() -> work.apply(part)));
                if (waiting.size() > threads + 1) {
                    inOrder.accept(join(waiting.remove()));
                }
            }
            while (!waiting.isEmpty()) {
                inOrder.accept(join(waiting.remove()));
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private static <P, T> P next(Pieces<P> pieces, ArrayDeque<Future<T>> waiting) throws IOException {
        try {
            return pieces.next();
        } catch (RuntimeException e) {
            waiting.forEach(OrderedWork::join);
            throw e;
        }
    }

    private static <T> T join(Future<T> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            if (e.getCause() instanceof RuntimeException known) {
                throw known;
            }
            throw new IllegalStateException("rows could not be coded", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("reading was interrupted", e);
        }
    }
}
