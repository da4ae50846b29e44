package dev.tacit.data.prepare.rows;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PersonIndexTest {
    /** Two persons whose marks begin apart, the later one in the file first; the second has two rows. */
    private static PersonIndex index() {
        PersonIndex index = new PersonIndex(2);
        index.add(-1, 7);
        index.add(3, 1);
        index.add(-1, 7);
        return index;
    }

    @Test
    void personsAreOrderedByMarksAndEachIsInOneStretch() {
        PersonIndex.Order order = index().order(20_000);
        assertThat(order.rows()).containsExactly(1, 0, 2);
        assertThat(order.starts()).containsExactly(0, 1, 3);
        assertThat(order.stretchStarts()).containsExactly(0, 1, 1, 1, 1, 1, 1, 1, 2);
    }

    @Test
    void anAbsurdDeclarationNeedsLittleMemory() {
        for (long declared : new long[] {1, 1L << 40, Long.MAX_VALUE}) {
            int[] starts = index().order(declared).stretchStarts();
            assertThat(starts.length).isLessThanOrEqualTo((1 << 20) + 1);
            assertThat(starts[starts.length - 1]).isEqualTo(2);
        }
    }
}
