package dev.tacit.spark;

/**
 * All that a task ever says about why it failed. Spark writes what tasks throw into logs of driver and executors, so nothing of
 * what a reader, a decoder or a query threw may be in it: neither a message, nor a cause, nor the lines that led there.
 */
final class TaskFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    static final String SENTENCE = "a task of Tacit could not finish";

    TaskFailure() {
        super(SENTENCE, null, false, false);
    }

    /** What a task does. */
    interface Work<T> {
        T run() throws Exception;
    }

    /**
     * Does the work of a task, and lets nothing through that it throws but that memory ran out, which says nothing.
     *
     * <p>Spark finds out by itself whether a task was killed or could not fetch what another one wrote, whatever is thrown.
     */
    static <T> T guarded(Work<T> work) {
        try {
            return work.run();
        } catch (OutOfMemoryError memory) {
            throw new OutOfMemoryError(SENTENCE);
        } catch (Throwable thrown) {
            throw new TaskFailure();
        }
    }
}
