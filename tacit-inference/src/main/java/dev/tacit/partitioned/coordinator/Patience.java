package dev.tacit.partitioned.coordinator;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * How long a coordinator waits for the answers of a round.
 *
 * <p>It decides who takes part in a round and nothing else. It is no matter of privacy: a party charges a release when it makes it,
 * whether or not somebody still waits for it.
 *
 * @param most from when all were asked; empty for as long as it takes
 */
public record Patience(Optional<Duration> most) {
    /** As long as it takes: for parties in one process, which answer at once. */
    public static final Patience UNLIMITED = new Patience(Optional.empty());

    /** No longer than this. */
    public static Patience of(Duration most) {
        return new Patience(Optional.of(most));
    }

    /** Returns when the answers are there, or will not come, or nobody waits for them any more. */
    void await(CompletableFuture<Void> answers) {
        try {
            if (most.isPresent()) {
                answers.get(most.get().toNanos(), TimeUnit.NANOSECONDS);
            } else {
                answers.get();
            }
        } catch (TimeoutException | ExecutionException e) {
            return; // who has not answered shows in the answers themselves
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the coordinator was interrupted while it waited for parties", e);
        }
    }
}
