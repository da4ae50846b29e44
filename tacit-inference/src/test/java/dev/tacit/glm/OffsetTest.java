package dev.tacit.glm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.glm.family.GlmFamilies;
import dev.tacit.glm.model.GlmColumn;
import dev.tacit.glm.model.GlmDesign;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.glm.twin.GlmGeometry;
import dev.tacit.json.Json;
import dev.tacit.json.JsonFields;
import dev.tacit.numerics.Matrices;
import dev.tacit.numerics.RandomStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rates: a number that is added to the predictor, against maximum likelihood by Newton steps written down here. */
class OffsetTest {
    private static final int ROWS = 3000;
    private static final int LENGTH = 4;
    private static final double SIZE = 1.5;

    private static final GlmDesign DESIGN = GlmDesign.of(
                    List.of(GlmColumn.intercept("1"), GlmColumn.number("age", 0, 100), GlmColumn.level("sex=m", 0)))
            .withOffset(GlmColumn.number("(offset)", -3, 3));

    /** Ages from 30 to 70, sex, and logarithms of person-years that are the larger the older somebody is. */
    private static double[] rows() {
        RandomStream random = RandomStream.ofSeed(4);
        double[] x = new double[ROWS * LENGTH];
        for (int r = 0; r < ROWS; r++) {
            x[r * LENGTH] = 1;
            x[r * LENGTH + 1] = 30 + 40 * random.uniform();
            x[r * LENGTH + 2] = random.uniform() < 0.4 ? 1 : 0;
            x[r * LENGTH + 3] = 0.03 * (x[r * LENGTH + 1] - 50) + 0.8 * random.normal();
        }
        return x;
    }

    private static GlmModel model(String family) {
        return new GlmModel(DESIGN, GlmFamilies.named(family), 0, 60, GlmPrior.standard());
    }

    private static double[] targets(GlmModel model, double[] x) {
        RandomStream random = RandomStream.ofSeed(9);
        boolean gaussian = model.family().name().equals("gaussian");
        double[] truth = gaussian ? new double[] {20, 0.1, 2, Math.log(1.5)} : new double[] {-1, 0.02, 0.5, 0};
        if (model.family().name().equals("negative-binomial")) {
            truth[3] = Math.log(SIZE);
        }
        double[] y = new double[ROWS];
        DenseBlock block = DenseBlock.of(ROWS, LENGTH, x, y);
        for (int r = 0; r < ROWS; r++) {
            y[r] = model.drawTarget(truth, block, r, random);
        }
        return y;
    }

    /** Maximum likelihood, and its standard errors: iterated weighted least squares with the offset in the predictor. */
    private static double[][] maximumLikelihood(String family, double size, double[] x, double[] y) {
        double[] b = {family.equals("gaussian") ? 20 : 0, 0, 0};
        double[] inverse = new double[9];
        double squares = 0;
        for (int step = 0; step < 60; step++) {
            double[] gradient = new double[3];
            double[] information = new double[9];
            squares = 0;
            for (int r = 0; r < ROWS; r++) {
                double eta = x[r * LENGTH + 3];
                for (int j = 0; j < 3; j++) {
                    eta += b[j] * x[r * LENGTH + j];
                }
                double mean = family.equals("gaussian") ? eta : Math.exp(eta);
                double share = family.equals("negative-binomial") ? size / (size + mean) : 1;
                double weight = family.equals("gaussian") ? 1 : share * mean;
                squares += (y[r] - mean) * (y[r] - mean);
                for (int i = 0; i < 3; i++) {
                    gradient[i] += share * (y[r] - mean) * x[r * LENGTH + i];
                    for (int j = 0; j < 3; j++) {
                        information[i * 3 + j] += weight * x[r * LENGTH + i] * x[r * LENGTH + j];
                    }
                }
            }
            inverse = Matrices.inverse(3, information);
            double[] move = Matrices.times(3, inverse, gradient);
            for (int j = 0; j < 3; j++) {
                b[j] += Math.max(-1, Math.min(1, move[j]));
            }
        }
        double variance = family.equals("gaussian") ? squares / ROWS : 1;
        double[] error = new double[3];
        for (int j = 0; j < 3; j++) {
            error[j] = Math.sqrt(variance * inverse[j * 3 + j]);
        }
        return new double[][] {b, error};
    }

    @ParameterizedTest
    @CsvSource({"poisson, 0.15", "negative-binomial, 0.25", "gaussian, 0.25"})
    void withoutNoiseItIsMaximumLikelihoodWithAnOffset(String family, double ofError) {
        GlmModel model = model(family);
        double[] x = rows();
        double[] y = targets(model, x);
        PrivateLikelihood.Result result = GlmRuns.withoutNoise(model, x, y).posterior(GlmPrior.standard());
        double size = Math.exp(result.posterior().mean()[3]);
        double[][] reference = maximumLikelihood(family, size, x, y);
        for (int j = 0; j < 3; j++) {
            assertThat(result.posterior().mean()[j])
                    .as(DESIGN.names().get(j))
                    .isCloseTo(reference[0][j], within(ofError * reference[1][j]));
            assertThat(result.posterior().standardDeviation()[j])
                    .as(DESIGN.names().get(j))
                    .isCloseTo(reference[1][j], within(0.12 * reference[1][j]));
        }
        // Without it the slope of age would be wrong by what person-years add to it.
        double[] bare = x.clone();
        for (int r = 0; r < ROWS; r++) {
            bare[r * LENGTH + 3] = 0;
        }
        assertThat(Math.abs(maximumLikelihood(family, size, bare, y)[0][1] - reference[0][1]))
                .isGreaterThan(5 * reference[1][1]);
    }

    @Test
    void theTwinCarriesTheOffsetWithItsColumns() {
        GlmModel model = model("poisson");
        double[] x = rows();
        PrivateLikelihood likelihood = GlmRuns.withoutNoise(model, x, targets(model, x));
        GlmGeometry geometry = likelihood.geometry();
        double[] offsets = geometry.predictors(new double[3]);
        double[] mean = new double[2];
        double[] moments = new double[3];
        for (int pass = 0; pass < 2; pass++) {
            for (int r = 0; r < geometry.twinRows; r++) {
                double[] w = java.util.Arrays.copyOfRange(geometry.twin, 3 * r, 3 * r + 3);
                double age = Matrices.times(3, geometry.unwhitening, w)[1];
                double share = geometry.omega[r] / geometry.rows;
                if (pass == 0) {
                    mean[0] += share * age;
                    mean[1] += share * offsets[r];
                } else {
                    moments[0] += share * (age - mean[0]) * (offsets[r] - mean[1]);
                    moments[1] += share * Math.pow(age - mean[0], 2);
                    moments[2] += share * Math.pow(offsets[r] - mean[1], 2);
                }
            }
        }
        // 0.03 per year, years uniform on 40 of them, beside a deviation of 0.8: correlation 0.4
        assertThat(moments[0] / Math.sqrt(moments[1] * moments[2])).isCloseTo(0.4, within(0.05));
        // of 0.92; rows far from the centre have smaller weights in the second moments
        assertThat(Math.sqrt(moments[2])).isCloseTo(0.8, within(0.1));
        assertThat(mean[1]).isCloseTo(0, within(0.06));
    }

    @Test
    void theOffsetIsReadBackWithTheLikelihood() {
        GlmModel model = model("poisson");
        double[] x = rows();
        PrivateLikelihood likelihood = GlmRuns.privately(model, x, targets(model, x), 3, 2);
        PrivateLikelihood read =
                PrivateLikelihood.fromJson(JsonFields.of(Json.read(Json.write(likelihood.toJson())), "likelihood"));
        assertThat(read.design()).isEqualTo(DESIGN);
        assertThat(read.posterior(GlmPrior.standard()).posterior().toJson())
                .isEqualTo(likelihood.posterior(GlmPrior.standard()).posterior().toJson());
    }
}
