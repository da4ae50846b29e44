package dev.tacit.run;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.noise.Provenance;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.inference.LostReleaseException;
import dev.tacit.inference.Step;
import dev.tacit.json.JsonFields;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Drives a kernel through its plan: one release a step, kept before the next.
 *
 * <p>Each of the first releases is followed by a checkpoint; later a new one is written whenever the run has grown by a
 * quarter. So a run of T releases writes checkpoints about 4 log T times. After a crash the steps since the newest one
 * are taken again: the door hands out the releases that it has sealed, without the data.
 *
 * <p>Step k draws its model randomness from fork k of the given stream and its noise from fork k of the session's, so a
 * run under replayed noise ends in the same bits whether or not it was interrupted. At the end the session must have
 * made exactly the planned releases.
 *
 * @param <M> what the kernel needs from a model
 * @param <S> the kernel's state
 */
public final class InferenceRun<M, S extends Record> {
    /** Opens the door, at the start of the plan or after a checkpoint. */
    @FunctionalInterface
    public interface Opener<X extends Exception> {
        PrivateSession open(Optional<Checkpoint> checkpoint) throws X;
    }

    /**
     * What a run leaves.
     *
     * @param state the kernel's last state
     * @param posterior of that state
     * @param event what was charged
     * @param notes one for each release
     * @param provenance whether the posterior may be published
     */
    public record Result<S extends Record>(
            S state, Posterior posterior, PrivacyEvent event, List<ReleaseNote> notes, Provenance provenance) {}

    private static final long FIRST_CHECKPOINTS = 8;
    private static final double GROWTH = 1.25;

    private final InferenceKernel<M, S> kernel;
    private final M model;
    private final String configuration;
    private final Checkpoint.Store checkpoints;
    private final RunListener listener;

    /**
     * @param configuration a text that tells this run from every other
     * @param checkpoints where to keep the state, {@link Checkpoint.Store#NONE} for nowhere
     */
    public InferenceRun(
            InferenceKernel<M, S> kernel,
            M model,
            String configuration,
            Checkpoint.Store checkpoints,
            RunListener listener) {
        this.kernel = Objects.requireNonNull(kernel, "kernel");
        this.model = Objects.requireNonNull(model, "model");
        this.configuration = Objects.requireNonNull(configuration, "configuration");
        this.checkpoints = Objects.requireNonNull(checkpoints, "checkpoints");
        this.listener = Objects.requireNonNull(listener, "listener");
    }

    /** A run that is not watched and cannot be resumed. */
    public static <M, S extends Record> Result<S> once(
            InferenceKernel<M, S> kernel, M model, PrivateSession session, RandomStream random) {
        InferenceRun<M, S> run =
                new InferenceRun<>(kernel, model, kernel.name(), Checkpoint.Store.NONE, RunListener.NONE);
        try {
            return run.run(checkpoint -> session, random);
        } catch (LostReleaseException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Runs the plan to its end, from the newest checkpoint if there is one.
     *
     * @throws dev.tacit.inference.DivergedException if the numbers of the run stop being usable
     */
    public <X extends Exception> Result<S> run(Opener<X> door, RandomStream random) throws X, LostReleaseException {
        Optional<Checkpoint> checkpoint = checkpoints.load();
        if (checkpoint.isPresent() && !checkpoint.get().configuration().equals(configuration)) {
            throw new IllegalArgumentException(
                    "the checkpoint belongs to another run: its data, schema, method or settings differ");
        }
        PrivateSession session = door.open(checkpoint);
        ReleasePlan plan = session.plan();
        CheckedKernel<M, S> checked = new CheckedKernel<>(kernel, model);
        S state = checkpoint.isPresent()
                ? kernel.fromJson(JsonFields.of(checkpoint.get().state(), "state"))
                : kernel.init(model, session.publicSize(), random.fork("init"));
        List<ReleaseNote> notes =
                new ArrayList<>(checkpoint.map(Checkpoint::notes).orElse(List.of()));

        long saved = checkpoint.map(Checkpoint::released).orElse(0L);
        state = without(state, session.lostReleases());
        listener.started(plan, session.released());
        while (session.released() < plan.releases()) {
            long release = session.released();
            long lostBefore = session.lostReleases();
            Step<S> step = checked.step(state, session, random.fork(release), release);
            long lost = session.lostReleases() - lostBefore;
            long made = session.released();
            if (made != release + 1 + lost) {
                throw new IllegalStateException("a step of " + kernel.name() + " did not make exactly one release");
            }
            state = without(step.state(), lost);
            ReleaseNote note = ReleaseNote.of(plan.phaseOf(release).label(), step.released());
            notes.add(note);
            if (made <= FIRST_CHECKPOINTS || made >= GROWTH * saved || made == plan.releases()) {
                checkpoints.save(new Checkpoint(
                        configuration, made, session.position(), kernel.toJson(state), List.copyOf(notes)));
                saved = made;
            }
            listener.released(note, made, plan.releases());
        }
        return new Result<>(
                state,
                checked.posterior(state, plan.releases()),
                session.event(),
                List.copyOf(notes),
                session.provenance());
    }

    /** The state after so many releases that are lost. */
    private S without(S state, long lost) throws LostReleaseException {
        S left = state;
        for (long i = 0; i < lost; i++) {
            left = kernel.without(left, model);
        }
        if (lost > 0) {
            listener.lost(lost);
        }
        return left;
    }
}
