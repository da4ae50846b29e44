package dev.tacit.fit.base;

/** Hears of work that takes long, in steps whose number is public. */
@FunctionalInterface
public interface WorkListener {
    /** Somebody who does not want to know. */
    WorkListener NONE = (task, steps) -> new Work() {
        @Override
        public void step() {}

        @Override
        public void close() {}
    };

    /** One piece of work; steps may come from any thread. */
    interface Work extends AutoCloseable {
        void step();

        @Override
        void close();
    }

    /**
     * A piece of work begins.
     *
     * @param task what is done, in a word
     * @param steps how many there will be
     */
    Work begin(String task, long steps);
}
