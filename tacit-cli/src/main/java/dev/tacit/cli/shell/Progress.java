package dev.tacit.cli.shell;

import dev.tacit.fit.base.WorkListener;
import java.util.concurrent.TimeUnit;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * A progress bar on standard error for work that takes longer than a second, if a person watches. Steps may come from
 * any thread.
 */
public final class Progress implements WorkListener.Work {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);

    private final String task;
    private final long total;
    private final boolean watched = Console.errorsAreWatched();
    private final long start = System.nanoTime();
    private long steps;
    private ProgressBar bar;

    private Progress(String task, long total) {
        this.task = task;
        this.total = total;
    }

    public static Progress of(String task, long total) {
        return new Progress(task, total);
    }

    /** For work whose size is not known. */
    public static Progress counting(String task) {
        return new Progress(task, -1);
    }

    @Override
    public synchronized void step() {
        steps++;
        if (watched && bar == null && System.nanoTime() - start > PATIENCE) {
            bar = new ProgressBarBuilder()
                    .setTaskName(task)
                    .setInitialMax(total)
                    .setStyle(ProgressBarStyle.ASCII)
                    .setConsumer(new ConsoleProgressBarConsumer(System.err))
                    .build();
        }
        if (bar != null) {
            bar.stepTo(steps);
        }
    }

    @Override
    public synchronized void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
