package dev.tacit.spark.read;

import dev.tacit.data.source.CodedRows;
import java.io.IOException;
import java.util.function.Consumer;

/** Codes the rows of one part of a table, in the order of the table. */
@FunctionalInterface
public interface PartReader {
    /** Hands over a few thousand rows at a time. */
    void read(Consumer<CodedRows> take) throws IOException;
}
