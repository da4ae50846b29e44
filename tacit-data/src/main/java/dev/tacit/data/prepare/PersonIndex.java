package dev.tacit.data.prepare;

import java.util.Arrays;

/**
 * Which stored rows belong to which person, in the order in which persons first occur; rows of a person beyond the
 * declared number are not stored.
 */
final class PersonIndex {
    private static final int FREE = -1;

    private final int maxRecords;
    private long[] marks = new long[2 * (1 << 12)];
    private int[] persons = new int[1 << 12];
    private int[] counts = new int[1 << 10];
    private int personCount;
    private int[] personOfRow = new int[1 << 10];
    private int rowCount;

    PersonIndex(int maxRecords) {
        this.maxRecords = maxRecords;
        Arrays.fill(persons, FREE);
    }

    /** Whether the next row, of the person with this mark, is to be stored. */
    boolean add(long high, long low) {
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
            counts = personCount == counts.length ? Arrays.copyOf(counts, 2 * personCount) : counts;
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
    int persons() {
        return personCount;
    }

    /** The first row of each person in {@link #order}, then the number of rows. */
    int[] starts() {
        int[] starts = new int[personCount + 1];
        for (int person = 0; person < personCount; person++) {
            starts[person + 1] = starts[person] + counts[person];
        }
        return starts;
    }

    /** The stored rows, person by person. */
    int[] order() {
        int[] next = starts();
        int[] order = new int[rowCount];
        for (int row = 0; row < rowCount; row++) {
            int person = personOfRow[row];
            order[next[person]] = row;
            next[person]++;
        }
        return order;
    }
}
