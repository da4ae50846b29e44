package dev.tacit.data.source;

import java.util.function.Consumer;
import java.util.function.Function;

/** A table that can be read once, from its first row to its last. */
public interface TableSource extends AutoCloseable {
    /**
     * Reads all rows.
     *
     * @param step applied to a few thousand rows at a time, possibly by several threads at once
     * @param inOrder takes what the step returned, on the calling thread and in the order of the table
     * @throws DataException if the table as a whole cannot be read
     */
    <T> void read(Function<CodedRows, T> step, Consumer<T> inOrder);

    @Override
    void close();
}
