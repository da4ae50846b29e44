package dev.tacit.data.prepare;

import dev.tacit.data.source.ReadingOptions;
import java.nio.file.Path;
import java.util.Objects;

/**
 * What preparing a data set may use of the machine; the records do not depend on it.
 *
 * @param memoryBytes how much of the Java heap encoded records may fill before they are moved to a file
 * @param spillFolder where that file is made
 * @param reading what reading may use
 */
public record PreparationOptions(long memoryBytes, Path spillFolder, ReadingOptions reading) {
    public PreparationOptions {
        Objects.requireNonNull(spillFolder, "spillFolder");
        Objects.requireNonNull(reading, "reading");
        if (memoryBytes < 0) {
            throw new IllegalArgumentException("a share of the heap is 0 bytes or more");
        }
    }

    /** Two fifths of the heap, the system's folder for temporary files, all processors. */
    public static PreparationOptions standard() {
        return new PreparationOptions(
                Runtime.getRuntime().maxMemory() / 5 * 2,
                Path.of(System.getProperty("java.io.tmpdir")),
                ReadingOptions.standard());
    }

    /** The same with another share of the heap. */
    public PreparationOptions withMemoryBytes(long bytes) {
        return new PreparationOptions(bytes, spillFolder, reading);
    }
}
