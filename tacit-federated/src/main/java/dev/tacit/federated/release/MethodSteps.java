package dev.tacit.federated.release;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.RunPosition;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.noise.Provenance;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.federated.noise.LayeredNoiseShare;
import dev.tacit.federated.protocol.OpenedSum;
import dev.tacit.federated.study.StudyPlan;
import dev.tacit.inference.DivergedException;
import dev.tacit.inference.Step;
import dev.tacit.json.JsonFields;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import dev.tacit.run.CheckedKernel;
import dev.tacit.run.method.FitMethod;
import java.util.Optional;

/**
 * The steps of a study's method, one release at a time: what is asked next, and what follows from the answer.
 *
 * <pre>
 *   state  →  (query, bound)        at every party, and at the coordinator
 *   state, opened sum  →  state     at the coordinator
 * </pre>
 *
 * Every kernel runs across parties unchanged: a step is begun, and ends at the moment at which it asks its session for a release.
 *
 * @param <M> what the kernel needs from a model
 * @param <S> the kernel's state
 */
public final class MethodSteps<M, S extends Record> {
    /** What a kernel asks for. */
    public record Asked(RecordSum query, double l2Bound) {}

    private final StudyPlan plan;
    private final FitMethod<M, S> method;
    private final RandomStream random;

    private MethodSteps(StudyPlan plan, FitMethod<M, S> method) {
        this.plan = plan;
        this.method = method;
        this.random = RandomStream.ofSeed(plan.study().seed());
    }

    public static MethodSteps<?, ?> of(StudyPlan plan) {
        return of(plan, plan.method());
    }

    private static <M, S extends Record> MethodSteps<M, S> of(StudyPlan plan, FitMethod<M, S> method) {
        return new MethodSteps<>(plan, method);
    }

    public FitMethod<M, S> method() {
        return method;
    }

    /** The state before the first release. */
    public S first() {
        return method.kernel()
                .init(method.model(), plan.study().fitted().schema().size(), random.fork("init"));
    }

    /** The state that a request holds. */
    public S state(StateRequest request) {
        return method.kernel().fromJson(JsonFields.of(request.state(), "state"));
    }

    /** What is asked in a state. */
    public Asked asked(S state, int release) {
        try {
            method.kernel().step(state, method.model(), new AskingSession(release), random.fork(release));
        } catch (Asking asking) {
            return asking.asked;
        }
        throw new IllegalStateException("a step of the method asked for no release");
    }

    /** What a request asks for, worked out here. */
    public Asked asked(StateRequest request) {
        return asked(state(request), request.release());
    }

    /**
     * The request of a state.
     *
     * @throws DivergedException if nothing can be asked in it
     */
    public StateRequest request(S state, int release) {
        try {
            return new StateRequest(
                    release, asked(state, release).l2Bound(), method.kernel().toJson(state));
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw checked().diverged(release, plan.releases(), e);
        }
    }

    /**
     * The state after a sum.
     *
     * @throws DivergedException if the sum leads nowhere, as one does that a party spoiled
     */
    public Step<S> after(S state, StateRequest request, OpenedSum opened) {
        return checked()
                .step(
                        state,
                        new AnsweringSession(request, sum(request, opened)),
                        random.fork(request.release()),
                        request.release());
    }

    public Posterior posterior(S state) {
        return checked().posterior(state, plan.releases());
    }

    private CheckedKernel<M, S> checked() {
        return new CheckedKernel<>(method.kernel(), method.model());
    }

    /** A sum as the method sees it, with the noise that is really in it. */
    public NoisySum sum(StateRequest request, OpenedSum opened) {
        ReleasePlan.Phase phase = plan.plan().phaseOf(request.release());
        LayeredNoiseShare noise = plan.publicNoise(phase);
        return NoisySum.received(
                noise.grid(request.l2Bound(), phase.dimension()).numbers(opened.integers()),
                noise.wholeNoise(request.l2Bound()) * Math.sqrt(opened.relativeVariance()),
                phase.sampling()
                        .expectedBatchSize(plan.study().fitted().schema().size()),
                Provenance.RELEASABLE);
    }

    /** Ends a step at its release. */
    private static final class Asking extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient Asked asked;

        Asking(Asked asked) {
            super("a release is asked for", null, false, false);
            this.asked = asked;
        }
    }

    private final class AskingSession extends PublicSession {
        AskingSession(int release) {
            super(release);
        }

        @Override
        public NoisySum release(RecordSum query, double l2Bound) {
            throw new Asking(new Asked(query, l2Bound));
        }
    }

    private final class AnsweringSession extends PublicSession {
        private final NoisySum answer;
        private boolean given;

        AnsweringSession(StateRequest request, NoisySum answer) {
            super(request.release());
            this.answer = answer;
        }

        @Override
        public NoisySum release(RecordSum query, double l2Bound) {
            if (given) {
                throw new IllegalStateException("a step makes one release");
            }
            given = true;
            return answer;
        }

        @Override
        public long released() {
            return super.released() + (given ? 1 : 0);
        }
    }

    /** All that is public about the doors of all parties. */
    private abstract class PublicSession implements PrivateSession {
        private final int release;

        PublicSession(int release) {
            this.release = release;
        }

        @Override
        public ReleasePlan plan() {
            return plan.plan();
        }

        @Override
        public PrivacyEvent event() {
            return plan.plan().event(new DiscreteGaussianMechanism(plan.study().noiseMultiplier()));
        }

        @Override
        public Provenance provenance() {
            return Provenance.RELEASABLE;
        }

        @Override
        public long released() {
            return release;
        }

        @Override
        public long lostReleases() {
            return 0;
        }

        @Override
        public Optional<RunPosition> position() {
            return Optional.empty();
        }

        @Override
        public long publicSize() {
            return plan.study().fitted().schema().size();
        }

        @Override
        public PrivacyUnit unit() {
            return plan.study().fitted().schema().privacyUnit();
        }
    }
}
