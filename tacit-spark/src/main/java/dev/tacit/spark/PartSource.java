package dev.tacit.spark;

import dev.tacit.data.source.RowLayout;
import dev.tacit.spark.read.PartReader;
import java.io.Serializable;
import java.util.Iterator;
import org.apache.spark.api.java.JavaRDD;

/**
 * A table as parts in their order, and how the rows of a part are read.
 *
 * @param <T> what Spark hands to a task: rows, or places in files
 * @param parts in the order of the table
 * @param reading makes readers, on executors
 */
record PartSource<T>(JavaRDD<T> parts, Reading<T> reading) {
    /** Reads what Spark handed over. */
    interface Reading<T> extends Serializable {
        PartReader of(Iterator<T> handed, RowLayout layout);
    }
}
