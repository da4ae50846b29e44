package dev.tacit.partitioned.message;

import java.util.Objects;

/**
 * Numbers as residues: multiples of a public power of two, modulo another.
 *
 * <pre>
 *   encode(v) = rint(v / 2^exponent) mod 2^bits        decode(r) = 2^exponent · centred lift of r
 * </pre>
 *
 * <b>Rounding.</b> What a party releases is a multiple of the granularity of its {@link dev.tacit.door.mechanism.SumGrid}, so
 * with that granularity nothing is rounded here, and sensitivity and noise are those of the release.
 *
 * <p><b>Range.</b> Integers that do not fit wrap around. Residues of a sum are the sum of residues, so a wrapped sum is a
 * function of the exact noisy sum (post-processing); cutting each share off at a bound would not be. Every double has a code,
 * what is not a number that of 0: encoding never throws and takes no turn.
 *
 * @param residues modulo what
 * @param exponent of the power of two that 1 stands for
 */
public record GridCode(Residues residues, int exponent) {
    private static final double MODULUS_OF_LONGS = 0x1p64;

    public GridCode {
        Objects.requireNonNull(residues, "residues");
        if (!isExponent(exponent)) {
            throw new IllegalArgumentException("a granularity is a power of two from 2^-1022 to 2^1023");
        }
    }

    /** Whether a power of two is a granularity. */
    static boolean isExponent(long exponent) {
        return exponent >= Double.MIN_EXPONENT && exponent <= Double.MAX_EXPONENT;
    }

    /** What 1 stands for. */
    double granularity() {
        return Math.scalb(1.0, exponent);
    }

    /** The residue of a number. */
    public long encode(double value) {
        // The remainder is exact and from −2^63 to 2^63, whose class is that of −2^63; the cast takes NaN to 0.
        double remainder = Math.IEEEremainder(Math.rint(value / granularity()), MODULUS_OF_LONGS);
        return residues.of(remainder == 0x1p63 ? Long.MIN_VALUE : (long) remainder);
    }

    /** The residues of numbers. */
    public long[] encode(double[] values) {
        long[] codes = new long[values.length];
        for (int i = 0; i < codes.length; i++) {
            codes[i] = encode(values[i]);
        }
        return codes;
    }

    /** The numbers that residues stand for. */
    public double[] decode(long[] codes) {
        double[] values = new double[codes.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = residues.lift(codes[i]) * granularity();
        }
        return values;
    }
}
