package dev.tacit.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.accounting.calibrate.CalibrationException;
import dev.tacit.accounting.calibrate.NoiseCalibration;
import dev.tacit.accounting.compose.Composition;
import dev.tacit.accounting.compose.Phase;
import dev.tacit.accounting.compose.UnsupportedEventException;
import dev.tacit.accounting.curve.GaussianCurves;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.testkit.accountant.AccountantCatalogue;
import dev.tacit.testkit.accountant.GoldenCase;
import dev.tacit.testkit.accountant.GoldenCase.Question;
import dev.tacit.testkit.accountant.GoldenCases;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The exact accountant, calibration and the Rényi curve against all 89 cases of vectors/accounting.json. */
class GoldenAccountingTest {
    /** Largest relative width of an interval for compositions of 10 and more Gaussian releases. */
    private static final double GAUSSIAN_GAP = 1e-9;

    /** Largest relative width of any other interval: few releases, and losses with atoms. */
    private static final double OTHER_GAP = 1e-6;

    /** How far a calibrated noise multiplier may lie above the smallest one. */
    private static final double CALIBRATION_GAP = 1e-9;

    /**
     * A truth is a decimal number and an answer a double: answers are compared after allowing for a few units in the
     * last place.
     */
    private static final double LAST_PLACES = 2e-15;

    private final PrivacyAccountant exact = new ExactAccountant();

    @Test
    void tableHasEveryCase() {
        List<GoldenCase> cases = GoldenCases.accounting();
        assertThat(cases).hasSize(89);
        assertThat(cases.stream().filter(golden -> golden.truth().isPresent())).hasSize(87);
    }

    @TestFactory
    Stream<DynamicTest> everyCase() {
        return GoldenCases.accounting().stream()
                .map(golden -> DynamicTest.dynamicTest(golden.id(), () -> check(golden)));
    }

    private void check(GoldenCase golden) throws CalibrationException, UnsupportedEventException {
        Question question = golden.question();
        if (question instanceof Question.Epsilon epsilon && golden.truth().isPresent()) {
            epsilonInterval(golden, epsilon);
        } else if (question instanceof Question.Epsilon epsilon) {
            notBelowKnownAttacks(golden, epsilon);
        } else if (question instanceof Question.NoiseMultiplier noise) {
            calibratedNoise(golden, noise);
        } else if (question instanceof Question.RenyiDivergence renyi) {
            renyiDivergence(golden, renyi);
        } else if (question instanceof Question.ZeroConcentratedEpsilon zeroConcentrated) {
            zeroConcentratedEpsilon(golden, zeroConcentrated);
        }
    }

    private void epsilonInterval(GoldenCase golden, Question.Epsilon question) throws UnsupportedEventException {
        EpsilonBound answer = exact.epsilon(question.event(), question.delta(), golden.neighbours());
        assertThat(answer).as(golden.id()).isInstanceOf(EpsilonBound.Between.class);
        EpsilonBound.Between interval = (EpsilonBound.Between) answer;
        GoldenCase.Truth truth = golden.truth().orElseThrow();
        assertThat(new BigDecimal(interval.lower()))
                .as("%s: lower end of %s, truth %s", golden.id(), interval, truth)
                .isLessThanOrEqualTo(truth.atMost());
        assertThat(new BigDecimal(interval.epsilon()))
                .as("%s: upper end of %s, truth %s", golden.id(), interval, truth)
                .isGreaterThanOrEqualTo(truth.atLeast());
        double gap = (interval.epsilon() - interval.lower()) / interval.epsilon();
        assertThat(gap)
                .as("%s: relative width of %s", golden.id(), interval)
                .isLessThanOrEqualTo(allowedGap(question, golden.neighbours()));
    }

    private static double allowedGap(Question.Epsilon question, Neighbours neighbours)
            throws UnsupportedEventException {
        long releases = 0;
        for (Phase phase :
                Composition.of(question.event(), neighbours).alternatives().get(0)) {
            if (!(phase.curves() instanceof GaussianCurves)) {
                return OTHER_GAP;
            }
            releases += phase.times();
        }
        return releases >= 10 ? GAUSSIAN_GAP : OTHER_GAP;
    }

    /**
     * Fixed-size batches have no known tight truth, but data sets that realise two pairs: all other records 0, which
     * is the Poisson replace-one pair, and all other records at the far end, which moves the sum of a batch by two
     * bounds with probability q, as in the add/remove pair at half the noise multiplier.
     */
    private void notBelowKnownAttacks(GoldenCase golden, Question.Epsilon question) {
        PrivacyEvent.Repeated repeated = (PrivacyEvent.Repeated)
                ((PrivacyEvent.Sequence) question.event()).events().get(0);
        PrivacyEvent.FixedSizeSampled sampled = (PrivacyEvent.FixedSizeSampled) repeated.event();
        double rate = (double) sampled.batch() / sampled.population();
        double noiseMultiplier =
                ((PrivacyEvent.Release) sampled.event()).profile().parameters().get("noiseMultiplier");
        double othersAtZero = lower(exact.epsilon(
                GoldenCases.sampledGaussian(noiseMultiplier, rate, repeated.times()),
                question.delta(),
                Neighbours.REPLACE_ONE));
        double othersFarAway = lower(exact.epsilon(
                GoldenCases.sampledGaussian(noiseMultiplier / 2, rate, repeated.times()),
                question.delta(),
                Neighbours.ADD_REMOVE));
        double best = Double.POSITIVE_INFINITY;
        for (PrivacyAccountant accountant : AccountantCatalogue.all()) {
            EpsilonBound answer = accountant.epsilon(question.event(), question.delta(), golden.neighbours());
            assertThat(answer.upper())
                    .as("%s: %s answers %s", golden.id(), accountant.name(), answer)
                    .isGreaterThanOrEqualTo(othersAtZero)
                    .isGreaterThanOrEqualTo(othersFarAway);
            best = Math.min(best, answer.upper());
        }
        assertThat(best)
                .as("%s: at least as tight as Wang, Balle, Kasiviswanathan 2019, Theorem 27", golden.id())
                .isLessThanOrEqualTo(
                        golden.peers().get("google_rdp_wor").numbers().get("upper"));
    }

    private static double lower(EpsilonBound answer) {
        return ((EpsilonBound.Between) answer).lower();
    }

    private void calibratedNoise(GoldenCase golden, Question.NoiseMultiplier question) throws CalibrationException {
        double calibrated =
                NoiseCalibration.noiseMultiplier(question::event, question.target(), exact, golden.neighbours());
        GoldenCase.Truth truth = golden.truth().orElseThrow();
        double smallest = truth.value().doubleValue();
        assertThat(calibrated)
                .as("%s: truth %s", golden.id(), truth)
                .isGreaterThanOrEqualTo(smallest * (1 - LAST_PLACES))
                .isLessThanOrEqualTo(smallest * (1 + CALIBRATION_GAP));
        assertThat(exact.epsilon(question.event(calibrated), question.target().delta(), golden.neighbours())
                        .upper())
                .as("%s: epsilon at the calibrated noise", golden.id())
                .isLessThanOrEqualTo(question.target().epsilon());
    }

    private void renyiDivergence(GoldenCase golden, Question.RenyiDivergence question) {
        PrivacyEvent event = PrivacyEvent.gaussian(question.noiseMultiplier()).poissonSampled(question.rate());
        double divergence = new RenyiAccountant().divergence(event, question.order(), golden.neighbours());
        double truth = golden.truth().orElseThrow().value().doubleValue();
        assertThat(divergence)
                .as("%s", golden.id())
                .isGreaterThanOrEqualTo(truth * (1 - LAST_PLACES))
                .isLessThanOrEqualTo(truth * (1 + 1e-12));
    }

    private void zeroConcentratedEpsilon(GoldenCase golden, Question.ZeroConcentratedEpsilon question) {
        Map<String, PrivacyAccountant> accountants = AccountantCatalogue.byName();
        double truth = golden.truth().orElseThrow().value().doubleValue();
        for (String name : List.of("renyi", "zcdp")) {
            double epsilon = accountants
                    .get(name)
                    .epsilon(question.event(), question.delta(), golden.neighbours())
                    .upper();
            assertThat(epsilon)
                    .as("%s by %s", golden.id(), name)
                    .isGreaterThanOrEqualTo(truth * (1 - LAST_PLACES))
                    .isLessThanOrEqualTo(truth * (1 + 1e-9));
        }
    }
}
