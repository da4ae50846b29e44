package dev.tacit.data.source;

/**
 * What reading may use of the machine; the rows do not depend on it.
 *
 * @param threads how many threads read and encode
 * @param databaseBytes how much memory DuckDB may use outside the Java heap
 */
public record ReadingOptions(int threads, long databaseBytes) {
    public ReadingOptions {
        if (threads < 1 || databaseBytes < 1) {
            throw new IllegalArgumentException("reading needs a thread and memory");
        }
    }

    /** All processors and 1 GiB. */
    public static ReadingOptions standard() {
        return new ReadingOptions(Runtime.getRuntime().availableProcessors(), 1L << 30);
    }
}
