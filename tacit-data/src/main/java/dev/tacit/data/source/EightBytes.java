package dev.tacit.data.source;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Looks at eight bytes of text at a time, as one number. */
public final class EightBytes {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;

    private EightBytes() {}

    /** The first place of either byte, or the end. */
    public static int indexOf(byte[] bytes, int from, int end, byte one, byte other) {
        long ones = ONES * (one & 0xff);
        long others = ONES * (other & 0xff);
        int position = from;
        while (position + 8 <= end) {
            long eight = (long) LONGS.get(bytes, position);
            long found = zeros(eight ^ ones) | zeros(eight ^ others);
            if (found != 0) {
                return position + (Long.numberOfTrailingZeros(found) >>> 3);
            }
            position += 8;
        }
        while (position < end && bytes[position] != one && bytes[position] != other) {
            position++;
        }
        return position;
    }

    /** How many of the bytes are this one. */
    public static int count(byte[] bytes, int from, int end, byte wanted) {
        long all = ONES * (wanted & 0xff);
        int count = 0;
        int position = from;
        for (; position + 8 <= end; position += 8) {
            long others = (long) LONGS.get(bytes, position) ^ all;
            // Adding 127 carries into the high bit of every byte that is not zero, and of no other.
            count += Long.bitCount(~((((others & ~HIGHS) + ~HIGHS) | others) | ~HIGHS));
        }
        for (; position < end; position++) {
            count += bytes[position] == wanted ? 1 : 0;
        }
        return count;
    }

    /** High bits of bytes that are zero; the lowest one is exact, and others only if there is one. */
    private static long zeros(long eight) {
        return (eight - ONES) & ~eight & HIGHS;
    }

    /** Whether there are eight digits here. */
    static boolean areDigits(byte[] text, int from) {
        long eight = (long) LONGS.get(text, from);
        return ((eight & 0xf0f0f0f0f0f0f0f0L) | (((eight + 0x0606060606060606L) & 0xf0f0f0f0f0f0f0f0L) >>> 4))
                == 0x3333333333333333L;
    }

    /** The value of eight digits: pairs, then fours, then all (Lemire 2021, Section 3). */
    static long digits(byte[] text, int from) {
        long eight = (long) LONGS.get(text, from) - 0x3030303030303030L;
        eight = eight * 10 + (eight >>> 8);
        long low = (eight & 0x000000ff000000ffL) * 0x000f424000000064L;
        long high = ((eight >>> 16) & 0x000000ff000000ffL) * 0x0000271000000001L;
        return (low + high) >>> 32;
    }
}
