package dev.tacit.run;

import dev.tacit.door.session.PrivateSession;
import dev.tacit.inference.DivergedException;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.inference.Step;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;

/**
 * A kernel whose state is looked at after every release: once a number in it is not finite, or the arithmetic of a step or of the
 * posterior gives up, the run has diverged and ends with a {@link DivergedException}.
 *
 * <p>Settings that a kernel cannot run with are refused by its plan, so what is left to fail here is arithmetic on released numbers.
 */
public record CheckedKernel<M, S extends Record>(InferenceKernel<M, S> kernel, M model) {
    /** The step of a release, counted from 0. */
    public Step<S> step(S state, PrivateSession session, RandomStream random, long release) {
        Step<S> step;
        try {
            step = kernel.step(state, model, session, random);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw diverged(release, session.plan().releases(), e);
        }
        if (!finite(step.state())) {
            throw diverged(release, session.plan().releases(), null);
        }
        return step;
    }

    /** What so many releases have led to. */
    public Posterior posterior(S state, long releases) {
        try {
            return kernel.posterior(state, model);
        } catch (IllegalArgumentException | IllegalStateException | ArithmeticException e) { // of what is improper, too
            throw diverged(releases - 1, releases, e);
        }
    }

    /** What is said of a run that ended at a release, counted from 0. */
    public DivergedException diverged(long release, long planned, Throwable cause) {
        return new DivergedException(
                "the run of " + kernel.name() + " diverged at release " + (release + 1) + " of " + planned
                        + ", so there is no posterior, and what it cost stays spent; start a new run with settings"
                        + " nearer to the standard ones, smaller steps first",
                cause);
    }

    /** Whether every number in a record is finite, in its arrays and in records inside it, too. */
    private static boolean finite(Record record) {
        for (RecordComponent field : record.getClass().getRecordComponents()) {
            Object value = value(field, record);
            boolean usable = true;
            if (value instanceof Double number) {
                usable = Double.isFinite(number);
            } else if (value instanceof double[] numbers) {
                usable = finite(numbers);
            } else if (value instanceof Record inner) {
                usable = finite(inner);
            }
            if (!usable) {
                return false;
            }
        }
        return true;
    }

    private static boolean finite(double[] numbers) {
        double zero = 0;
        for (double number : numbers) {
            zero += 0 * number;
        }
        return zero == 0;
    }

    private static Object value(RecordComponent field, Record record) {
        try {
            field.getAccessor().setAccessible(true);
            return field.getAccessor().invoke(record);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(e);
        }
    }
}
