package dev.tacit.cli.verb;

import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.Progress;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.fit.text.Remark;
import dev.tacit.run.ReleaseNote;
import dev.tacit.run.RunListener;

/** A fit's progress bar; it moves with releases, which are public. */
final class FitProgress implements RunListener, AutoCloseable {
    private final Console console;
    private final boolean saysWhereItResumes;
    private Progress bar;

    /** @param saysWhereItResumes only for a run that was interrupted: others, too, make releases before the kernel's */
    FitProgress(Console console, boolean saysWhereItResumes) {
        this.console = console;
        this.saysWhereItResumes = saysWhereItResumes;
    }

    @Override
    public void started(ReleasePlan plan, long released) {
        bar = Progress.of("fitting", plan.releases() - released);
        if (released > 0 && saysWhereItResumes) {
            console.line(new Remark("resumes", "after " + released + " of " + plan.releases() + " releases")
                    .lines()
                    .get(0));
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
        if (bar != null) {
            bar.close();
        }
    }
}
