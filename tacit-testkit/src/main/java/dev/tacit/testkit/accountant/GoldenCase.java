package dev.tacit.testkit.accountant;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One accounting question with its true answer and what other libraries answer.
 *
 * @param id name of the case
 * @param group what the case is about, for example {@code dpsgd}
 * @param neighbours the neighbouring relation
 * @param question what is asked
 * @param truth the true answer, where one is known
 * @param peers answers of other libraries by name
 */
public record GoldenCase(
        String id,
        String group,
        Neighbours neighbours,
        Question question,
        Optional<Truth> truth,
        Map<String, PeerAnswer> peers) {

    /** What is asked. */
    public sealed interface Question {
        /** The smallest epsilon of an event at a delta. */
        record Epsilon(PrivacyEvent event, double delta) implements Question {}

        /** The smallest noise multiplier with which Poisson-sampled Gaussian steps keep a budget. */
        record NoiseMultiplier(PrivacyBudget target, double rate, long steps) implements Question {
            /** The event whose noise is sought. */
            public PrivacyEvent event(double noiseMultiplier) {
                return GoldenCases.sampledGaussian(noiseMultiplier, rate, steps);
            }
        }

        /** The Rényi divergence of one Poisson-sampled Gaussian release, with the record against without it. */
        record RenyiDivergence(double noiseMultiplier, double rate, double order) implements Question {}

        /** The epsilon that rho-zCDP implies at a delta, through the best order. */
        record ZeroConcentratedEpsilon(PrivacyEvent event, double rho, double delta) implements Question {}
    }

    /**
     * A true value.
     *
     * @param value the value
     * @param error how far the value may be from the truth, in either direction
     * @param method how the value was obtained
     */
    public record Truth(BigDecimal value, BigDecimal error, String method) {
        /** The smallest value that the truth may have. */
        public BigDecimal atLeast() {
            return value.subtract(error);
        }

        /** The largest value that the truth may have. */
        public BigDecimal atMost() {
            return value.add(error);
        }
    }

    /**
     * What another library answered.
     *
     * @param numbers its numbers by name: {@code upper}, {@code lower}, {@code estimate}, {@code sigma} or {@code rdp}
     * @param failure the error it raised instead, if it did
     * @param seconds processor time of the one call
     */
    public record PeerAnswer(Map<String, Double> numbers, Optional<String> failure, double seconds) {
        /** The number that a user of the library would report. */
        public Optional<Double> reported() {
            return List.of("upper", "sigma", "rdp", "estimate").stream()
                    .filter(numbers::containsKey)
                    .findFirst()
                    .map(numbers::get);
        }
    }
}
