package dev.tacit.noise;

import dev.tacit.door.noise.NoiseSource;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Canonne, Kamath, Steinke 2020, Algorithms 1 to 3, with fractions of big integers: slow, and nothing to get wrong.
 *
 * <p>The oracle for {@link DiscreteGaussianSampler}.
 */
final class ReferenceDiscreteGaussian {
    private final NoiseSource noise;
    private final BigDecimal variance;
    private final BigInteger laplaceScale;

    ReferenceDiscreteGaussian(double standardDeviation, NoiseSource noise) {
        this.noise = noise;
        variance = new BigDecimal(standardDeviation).pow(2);
        laplaceScale = BigInteger.valueOf((long) Math.floor(standardDeviation) + 1);
    }

    /** Algorithm 3: Y discrete Laplace of scale t, accepted with probability exp(−(|Y| − σ²/t)² / 2σ²). */
    long next() {
        BigDecimal scale = new BigDecimal(laplaceScale);
        while (true) {
            BigInteger proposal = laplace();
            // (|Y| − σ²/t)² / 2σ² = (t|Y| − σ²)² / 2σ²t²
            BigDecimal distance = scale.multiply(new BigDecimal(proposal.abs())).subtract(variance);
            if (bernoulliExp(
                    Fraction.of(distance.pow(2), variance.multiply(scale.pow(2)).multiply(BigDecimal.valueOf(2))))) {
                return proposal.longValueExact();
            }
        }
    }

    /** Algorithm 2 with s = 1. */
    private BigInteger laplace() {
        while (true) {
            BigInteger remainder = below(laplaceScale);
            if (!bernoulliExp(new Fraction(remainder, laplaceScale))) {
                continue;
            }
            BigInteger quotient = BigInteger.ZERO;
            while (bernoulliExp(new Fraction(BigInteger.ONE, BigInteger.ONE))) {
                quotient = quotient.add(BigInteger.ONE);
            }
            BigInteger magnitude = remainder.add(laplaceScale.multiply(quotient));
            boolean negative = (noise.nextLong() & 1) == 1;
            if (!negative) {
                return magnitude;
            }
            if (magnitude.signum() != 0) {
                return magnitude.negate();
            }
        }
    }

    /** Algorithm 1: true with probability exp(−γ). */
    private boolean bernoulliExp(Fraction gamma) {
        Fraction left = gamma;
        while (left.numerator().compareTo(left.denominator()) > 0) {
            if (!bernoulliExp(new Fraction(BigInteger.ONE, BigInteger.ONE))) {
                return false;
            }
            left = new Fraction(left.numerator().subtract(left.denominator()), left.denominator());
        }
        int k = 1;
        while (below(left.denominator().multiply(BigInteger.valueOf(k))).compareTo(left.numerator()) < 0) {
            k++;
        }
        return k % 2 == 1;
    }

    private BigInteger below(BigInteger bound) {
        while (true) {
            BigInteger candidate = BigInteger.ZERO;
            for (int bits = 0; bits < bound.bitLength(); bits += 32) {
                candidate = candidate.shiftLeft(32).add(BigInteger.valueOf(noise.nextLong() >>> 32));
            }
            candidate = candidate.mod(BigInteger.ONE.shiftLeft(bound.bitLength()));
            if (candidate.compareTo(bound) < 0) {
                return candidate;
            }
        }
    }

    private record Fraction(BigInteger numerator, BigInteger denominator) {
        static Fraction of(BigDecimal numerator, BigDecimal denominator) {
            int scale = Math.max(0, Math.max(numerator.scale(), denominator.scale()));
            return new Fraction(
                    numerator.movePointRight(scale).toBigIntegerExact(),
                    denominator.movePointRight(scale).toBigIntegerExact());
        }
    }
}
