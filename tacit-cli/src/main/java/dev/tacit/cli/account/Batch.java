package dev.tacit.cli.account;

import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.InputFile;
import dev.tacit.cli.shell.LineReader;
import dev.tacit.cli.shell.Progress;
import dev.tacit.json.EventJson.EventFormatException;
import dev.tacit.json.Json;
import dev.tacit.json.JsonException;
import dev.tacit.json.JsonFieldException;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;

/**
 * Many requests in one start: JSON lines in, JSON lines out, in the same order.
 *
 * <p>One thread reads, all cores answer, and the calling thread writes. Only a window of requests is in memory at any
 * time, and an answer is written as
 * soon as it and all before it are known, so a program can hold a conversation over a pipe. A line that cannot be
 * answered gets an answer
 * that says why; all other lines are answered, and the exit code tells.
 */
final class Batch {
    private static final int WINDOW_PER_CORE = 64;

    /** An answer to one line, and what was wrong with the line, if anything. */
    private record Reply(long line, String json, String problem, ExitCode exitCode) {}

    private final Console console;
    private final Accounting accounting;
    private final int cores = Runtime.getRuntime().availableProcessors();
    private final BlockingQueue<Future<Reply>> replies = new ArrayBlockingQueue<>(WINDOW_PER_CORE * cores);
    private final ExecutorService workers = Executors.newFixedThreadPool(cores, Batch::daemon);

    Batch(Console console, Accounting accounting) {
        this.console = console;
        this.accounting = accounting;
    }

    ExitCode run(InputFile file) {
        InputStream input = file.open(console);
        daemon(() -> read(input, file)).start();
        try {
            return write(file);
        } finally {
            workers.shutdownNow();
        }
    }

    private void read(InputStream input, InputFile file) {
        try {
            LineReader lines = new LineReader(input);
            for (LineReader.Line line = lines.next(); line != null; line = lines.next()) {
                LineReader.Line current = line;
                if (current.problem() != null || !current.text().isBlank()) {
                    replies.put(workers.submit(() -> answer(current)));
                }
            }
            replies.put(CompletableFuture.completedFuture(null));
        } catch (RejectedExecutionException e) {
            // The writer has given up, so nobody waits for more.
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            giveUp(new CommandFailure(
                    ExitCode.NO_INPUT,
                    "cannot read all of " + file.label() + ", so not every request was answered; try again.",
                    e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void giveUp(CommandFailure failure) {
        try {
            replies.put(CompletableFuture.failedFuture(failure));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private ExitCode write(InputFile file) {
        Reply firstProblem = null;
        ExitCode worst = ExitCode.OK;
        long problems = 0;
        try (Progress progress = Progress.counting("requests")) {
            for (Reply reply = nextReply(); reply != null; reply = nextReply()) {
                console.line(reply.json());
                progress.step();
                if (reply.problem() != null) {
                    problems++;
                    firstProblem = firstProblem == null ? reply : firstProblem;
                    worst = worst.code() < reply.exitCode().code() ? reply.exitCode() : worst;
                }
            }
            console.flush();
        }
        if (firstProblem != null) {
            String count = problems == 1 ? "" : problems + " lines have no answer, the first is ";
            console.complain(
                    count + "line " + firstProblem.line() + " of " + file.label() + ": " + firstProblem.problem());
        }
        return worst;
    }

    private Reply nextReply() {
        try {
            Future<Reply> next = replies.poll();
            if (next == null || !next.isDone()) {
                console.flush(); // whoever waits for the answers so far gets them before we wait
                next = next == null ? replies.take() : next;
            }
            return next.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(
                    ExitCode.INTERNAL, "was interrupted, so not every request was answered; try again.", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CommandFailure failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private Reply answer(LineReader.Line line) {
        Object id = null;
        try {
            if (line.problem() != null) {
                return problem(line, null, line.problem(), ExitCode.BAD_DATA);
            }
            BatchRequest request = new BatchRequest(Json.read(line.text()));
            id = request.id();
            return new Reply(line.number(), Json.write(request.answer(accounting)), null, ExitCode.OK);
        } catch (JsonException e) {
            String afterLine = e.getMessage().substring(e.getMessage().indexOf(',') + 2);
            return problem(line, id, afterLine + ".", ExitCode.BAD_DATA);
        } catch (JsonFieldException | EventFormatException e) {
            return problem(line, id, e.getMessage() + ".", ExitCode.BAD_DATA);
        } catch (CommandFailure e) {
            return problem(line, id, e.getMessage(), e.exitCode());
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            String kind = e.getClass().getSimpleName();
            return problem(line, id, "internal error (" + kind + "); please report this request.", ExitCode.INTERNAL);
        }
    }

    private static Reply problem(LineReader.Line line, Object id, String sentence, ExitCode exitCode) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", id);
        json.put("line", line.number());
        json.put("error", sentence);
        return new Reply(line.number(), Json.write(json), sentence, exitCode);
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "tacit-batch");
        thread.setDaemon(true);
        return thread;
    }
}
