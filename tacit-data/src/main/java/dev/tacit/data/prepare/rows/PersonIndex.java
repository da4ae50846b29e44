package dev.tacit.data.prepare.rows;

import java.util.Arrays;

/**
 * Which stored rows belong to which person, in the order of the persons' marks; rows of a person beyond the declared number are
 * not stored.
 *
 * <p>A mark is a hash of the person's own identifier, so a person's place among those whose marks begin alike does not depend on
 * the order of a file. Persons whose marks begin with the same bits are one stretch of a batch: about {@value #STRETCH_PERSONS}
 * of them, by the declared number of persons, which is public.
 */
public final class PersonIndex {
    private static final int FREE = -1;
    private static final int STRETCH_PERSONS = 1 << 12;
    private static final int MOST_STRETCH_BITS = 20;

    private final int maxRecords;
    private long[] marks = new long[2 * (1 << 12)];
    private int[] persons = new int[1 << 12];
    private int[] counts = new int[1 << 10];
    private long[] highs = new long[1 << 10];
    private long[] lows = new long[1 << 10];
    private int personCount;
    private int[] personOfRow = new int[1 << 10];
    private int rowCount;

    public PersonIndex(int maxRecords) {
        this.maxRecords = maxRecords;
        Arrays.fill(persons, FREE);
    }

    /** Whether the next row, of the person with this mark, is to be stored. */
    public boolean add(long high, long low) {
        int person = find(high, low);
        if (counts[person] == maxRecords) {
            return false;
        }
        counts[person]++;
        personOfRow = rowCount == personOfRow.length ? Arrays.copyOf(personOfRow, 2 * rowCount) : personOfRow;
        personOfRow[rowCount] = person;
        rowCount++;
        return true;
    }

    private int find(long high, long low) {
        if (2 * personCount >= persons.length) {
            grow();
        }
        int slot = slot(high, low);
        if (persons[slot] == FREE) {
            marks[2 * slot] = high;
            marks[2 * slot + 1] = low;
            persons[slot] = personCount;
            if (personCount == counts.length) {
                counts = Arrays.copyOf(counts, 2 * personCount);
                highs = Arrays.copyOf(highs, 2 * personCount);
                lows = Arrays.copyOf(lows, 2 * personCount);
            }
            highs[personCount] = high;
            lows[personCount] = low;
            personCount++;
        }
        return persons[slot];
    }

    private int slot(long high, long low) {
        int mask = persons.length - 1;
        int slot = (int) (high >>> 32) & mask;
        while (persons[slot] != FREE && (marks[2 * slot] != high || marks[2 * slot + 1] != low)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        long[] oldMarks = marks;
        int[] oldPersons = persons;
        marks = new long[2 * oldMarks.length];
        persons = new int[2 * oldPersons.length];
        Arrays.fill(persons, FREE);
        for (int old = 0; old < oldPersons.length; old++) {
            if (oldPersons[old] != FREE) {
                int slot = slot(oldMarks[2 * old], oldMarks[2 * old + 1]);
                marks[2 * slot] = oldMarks[2 * old];
                marks[2 * slot + 1] = oldMarks[2 * old + 1];
                persons[slot] = oldPersons[old];
            }
        }
    }

    /** How many persons there are. */
    public int persons() {
        return personCount;
    }

    /**
     * Persons by their marks.
     *
     * @param rows the stored rows, person by person
     * @param starts the first of {@code rows} of each person, then how many rows there are
     * @param stretchStarts the first person of each stretch, then how many persons there are
     */
    public record Order(int[] rows, int[] starts, int[] stretchStarts) {}

    /**
     * The order of persons by their marks.
     *
     * @param publicSize the declared number of persons
     */
    public Order order(long publicSize) {
        Integer[] byMark = new Integer[personCount];
        Arrays.setAll(byMark, person -> person);
        Arrays.sort(byMark, (a, b) -> {
            int high = Long.compareUnsigned(highs[a], highs[b]);
            return high != 0 ? high : Long.compareUnsigned(lows[a], lows[b]);
        });
        int[] starts = new int[personCount + 1];
        int[] next = new int[personCount];
        int bits = stretchBits(publicSize);
        int[] stretchStarts = new int[(1 << bits) + 1];
        for (int rank = 0; rank < personCount; rank++) {
            int person = byMark[rank];
            next[person] = starts[rank];
            starts[rank + 1] = starts[rank] + counts[person];
            stretchStarts[stretch(highs[person], bits) + 1] = rank + 1;
        }
        for (int stretch = 1; stretch < stretchStarts.length; stretch++) {
            stretchStarts[stretch] = Math.max(stretchStarts[stretch], stretchStarts[stretch - 1]);
        }
        int[] rows = new int[rowCount];
        for (int row = 0; row < rowCount; row++) {
            rows[next[personOfRow[row]]++] = row;
        }
        return new Order(rows, starts, stretchStarts);
    }

    /** How many bits of a mark number its stretch; few enough that a careless declaration takes no memory to speak of. */
    public static int stretchBits(long publicSize) {
        return Math.min(MOST_STRETCH_BITS, Long.SIZE - Long.numberOfLeadingZeros(publicSize / STRETCH_PERSONS));
    }

    /** The stretch of a mark, from its higher half. */
    public static int stretch(long high, int bits) {
        return bits == 0 ? 0 : (int) (high >>> (Long.SIZE - bits));
    }
}
