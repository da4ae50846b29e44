package dev.tacit.cli.verb;

import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.Progress;
import dev.tacit.cli.shell.ReadingProgress;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.fit.text.Remark;
import dev.tacit.run.ReleaseNote;
import dev.tacit.run.RunListener;

/** A fit's progress bar; it moves with releases, which are public. */
final class FitProgress implements RunListener, AutoCloseable {
    private final Console console;
    private final boolean saysWhereItResumes;
    private Progress bar;
    private ReadingProgress reading;

    /** @param saysWhereItResumes only for a run that was interrupted: others, too, make releases before the kernel's */
    FitProgress(Console console, boolean saysWhereItResumes) {
        this.console = console;
        this.saysWhereItResumes = saysWhereItResumes;
    }

    /** The records are about to be read, until the run starts. */
    void reads(String data) {
        reading = ReadingProgress.of(console, data);
    }

    private void endReading() {
        if (reading != null) {
            reading.close();
        }
    }

    @Override
    public void started(ReleasePlan plan, long released) {
        endReading();
        bar = Progress.of("fitting", plan.releases() - released);
        if (released > 0 && saysWhereItResumes) {
            console.text(new Remark("resumes", "after " + released + " of " + plan.releases() + " releases").lines());
        }
    }

    @Override
    public void lost(long releases) {
        console.complain("the crash took " + releases + (releases == 1 ? " release" : " releases")
                + ", which stays spent; the run goes on without.");
    }

    @Override
    public void released(ReleaseNote note, long released, long planned) {
        bar.step();
    }

    @Override
    public void close() {
        endReading();
        if (bar != null) {
            bar.close();
        }
    }
}
