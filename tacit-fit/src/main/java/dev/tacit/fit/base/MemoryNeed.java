package dev.tacit.fit.base;

import java.util.Locale;

/** Whether a plan fits into the memory that Java may use; asked before anything is charged. */
public final class MemoryNeed {
    /** Of the heap, for the run; the rest is for reading and for what Java itself needs. */
    private static final double SHARE = 0.9;

    private static final double GIBIBYTE = 0x1p30;

    private MemoryNeed() {}

    /**
     * Refuses a plan that would run out of memory after it was paid for.
     *
     * @param bytes what the run needs, about
     * @param heapBytes what Java may use
     * @param numbers how many the largest release has
     */
    public static void require(long bytes, long heapBytes, long numbers) {
        if (bytes <= SHARE * heapBytes) {
            return;
        }
        long wanted = (long) Math.ceil(bytes / SHARE / GIBIBYTE);
        throw new FitException(
                FitException.Kind.CONFIGURATION,
                String.format(
                        Locale.ROOT,
                        "the largest release has %d numbers, for which a fit needs about %.1f GB of memory, and Java may"
                                + " use %.1f GB; give it more with TACIT_JAVA_OPTIONS=-Xmx%dg, or declare fewer columns"
                                + " or categories, or use a method that releases less (--method dpvi).",
                        numbers,
                        bytes / GIBIBYTE,
                        heapBytes / GIBIBYTE,
                        wanted));
    }
}
