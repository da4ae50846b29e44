package dev.tacit.glm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.glm.family.GlmFamily;
import dev.tacit.glm.family.PiecewiseExponential;
import dev.tacit.glm.model.GlmColumn;
import dev.tacit.glm.model.GlmDesign;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.numerics.Matrices;
import dev.tacit.numerics.RandomStream;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Times to an event with censoring, against maximum likelihood by Newton steps on Poisson counts of events in intervals. */
class SurvivalTest {
    private static final int ROWS = 3000;
    private static final double[] ENDS = {6, 12, 36};
    private static final int INTERVALS = 3;
    private static final double[] SLOPES = {0.03, 0.5};
    private static final double[] LOG_HAZARDS = {-3.2, -3.6, -4.0};

    private static final GlmDesign DESIGN = GlmDesign.of(
            List.of(GlmColumn.intercept("1"), GlmColumn.number("age", 0, 100), GlmColumn.level("arm=b", 0)));
    private static final GlmModel MODEL =
            new GlmModel(DESIGN, new PiecewiseExponential(ENDS), 0, 36, GlmPrior.standard());

    private final double[] x = new double[ROWS * 3];
    private final double[] y = new double[ROWS];

    /** Censoring that the family does not have: uniform over [4, 60], and the more likely early the older somebody is. */
    private void draw() {
        RandomStream random = RandomStream.ofSeed(12);
        for (int r = 0; r < ROWS; r++) {
            double age = 30 + 40 * random.uniform();
            double arm = random.uniform() < 0.5 ? 1 : 0;
            x[r * 3] = 1;
            x[r * 3 + 1] = age;
            x[r * 3 + 2] = arm;
            double needed = -Math.log(random.openUniform());
            double event = 36;
            double start = 0;
            for (int j = 0; j < INTERVALS; j++) {
                double hazard = Math.exp(LOG_HAZARDS[j] + SLOPES[0] * (age - 50) + SLOPES[1] * arm);
                if (needed < hazard * (ENDS[j] - start)) {
                    event = start + needed / hazard;
                    break;
                }
                needed -= hazard * (ENDS[j] - start);
                start = ENDS[j];
            }
            double censored = 4 + (66 - 0.2 * age) * random.uniform();
            y[r] = event < Math.min(36, censored) ? event : -Math.min(36, censored);
        }
    }

    /** Estimates of log hazards and slopes, then their covariance. */
    private double[][] maximumLikelihood() {
        int n = INTERVALS + 2;
        double[] b = new double[n];
        Arrays.fill(b, 0, INTERVALS, -3);
        double[] inverse = new double[n * n];
        for (int step = 0; step < 40; step++) {
            double[] gradient = new double[n];
            double[] information = new double[n * n];
            for (int r = 0; r < ROWS; r++) {
                double start = 0;
                for (int j = 0; j < INTERVALS && Math.abs(y[r]) > start; j++) {
                    double[] row = new double[n];
                    row[j] = 1;
                    row[INTERVALS] = x[r * 3 + 1] - 50;
                    row[INTERVALS + 1] = x[r * 3 + 2];
                    double exposure = Math.min(Math.abs(y[r]), ENDS[j]) - start;
                    double expected = exposure * Math.exp(Matrices.dot(row, b));
                    double events = y[r] > start && y[r] <= ENDS[j] ? 1 : 0;
                    for (int i = 0; i < n; i++) {
                        gradient[i] += (events - expected) * row[i];
                        for (int k = 0; k < n; k++) {
                            information[i * n + k] += expected * row[i] * row[k];
                        }
                    }
                    start = ENDS[j];
                }
            }
            inverse = Matrices.inverse(n, information);
            b = Matrices.plus(b, 1, Matrices.times(n, inverse, gradient));
        }
        return new double[][] {b, inverse};
    }

    @Test
    void withoutNoiseItIsMaximumLikelihood() {
        draw();
        double censored = Arrays.stream(y).filter(value -> value < 0).count() / (double) ROWS;
        assertThat(censored).isBetween(0.4, 0.65);
        double[][] reference = maximumLikelihood();
        PrivateLikelihood.Result result = GlmRuns.withoutNoise(MODEL, x, y).posterior(GlmPrior.standard());
        double[] mean = result.posterior().mean();
        int n = INTERVALS + 2;
        for (int j = 0; j < 2; j++) {
            double error = Math.sqrt(reference[1][(INTERVALS + j) * n + INTERVALS + j]);
            assertThat(mean[1 + j]).isCloseTo(reference[0][INTERVALS + j], within(0.3 * error));
            assertThat(result.posterior().standardDeviation()[1 + j]).isCloseTo(error, within(0.12 * error));
        }
        // log hazards of the intervals: the intercept is their mean, the extra parameters are over the first one's
        double[] relative = {0, mean[3], mean[4]};
        double centre = (mean[3] + mean[4]) / INTERVALS;
        for (int j = 0; j < INTERVALS; j++) {
            double error = Math.sqrt(reference[1][j * n + j]);
            assertThat(mean[0] + 50 * mean[1] + relative[j] - centre).isCloseTo(reference[0][j], within(0.3 * error));
        }
        assertThat(MODEL.parameterNames())
                .startsWith(
                        "1", "age", "arm=b", "log(hazard[6 to 12])", "log(hazard[12 to 36])", "log(censoring[0 to 6])");
    }

    /** A residual that would use the time after τ is larger than its bound; this one never is. */
    @Test
    void residualsAreBoundedForEveryLabel() {
        PiecewiseExponential family = new PiecewiseExponential(ENDS);
        double[] reference = new double[family.referenceSize()];
        double[] chi = new double[family.extraNames().size()];
        double[] extra = {0.7, 30, 0.5, 2, 0.02};
        double largest = 0;
        for (double eta = -45; eta <= 45; eta += 1.5) {
            family.reference(eta, extra, reference, 0);
            for (double t :
                    new double[] {0, 1e-300, 1e-9, 0.01, 1, 6, 11, 12, 35.9, 36, 1e9, Double.POSITIVE_INFINITY}) {
                for (double label : new double[] {t, -t}) {
                    assertThat(Math.abs(family.psi(label, reference, 0)))
                            .isLessThanOrEqualTo(reference[GlmFamily.BOUND] * (1 + 1e-12));
                    family.chi(label, reference, 0, chi);
                    double norm = Math.sqrt(Matrices.dot(chi, chi));
                    assertThat(norm).isLessThanOrEqualTo(family.chiBound() * (1 + 1e-12));
                    largest = Math.max(largest, norm / family.chiBound());
                }
            }
            assertThat(reference[GlmFamily.BOUND]).isBetween(1.0, 2 + 1e-12);
        }
        assertThat(largest).isGreaterThan(0.6);
    }
}
