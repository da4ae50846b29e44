package dev.tacit.glm.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.glm.GlmRuns;
import dev.tacit.glm.PrivateLikelihood;
import dev.tacit.glm.family.BernoulliLink;
import dev.tacit.glm.group.GroupConstraints;
import dev.tacit.glm.twin.GlmGeometry;
import dev.tacit.json.Json;
import dev.tacit.json.JsonFields;
import dev.tacit.model.prediction.Prediction;
import dev.tacit.model.prediction.Predictor;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.Matrices;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.GroupedPosterior;
import dev.tacit.posterior.json.PosteriorJson;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Effects of groups: what is solved, against the exact mixed model; what is said about groups that are not known. */
class GroupEffectsTest {
    private static final int ROWS = 6000;
    private static final List<String> LEVELS = List.of("a", "b", "c", "d", "e", "f");
    private static final double[] EFFECTS = {0.9, -0.6, 0.3, -0.2, 0.1, -0.7};

    private static GlmDesign design(List<GroupEffects> terms) {
        return GlmRuns.design().withGroups(terms);
    }

    private static final GlmDesign INTERCEPTS = design(List.of(GroupEffects.intercepts("h", LEVELS)));

    private static GlmModel logistic(GlmDesign design) {
        return new GlmModel(design, new BernoulliLink(BernoulliLink.Link.LOGIT), 0, 0, GlmPrior.standard());
    }

    /** Columns of van der Corput numbers, unequal groups. */
    private static double[] rows() {
        double[] columns = GlmRuns.rows(ROWS);
        double[] x = new double[ROWS * 4];
        for (int i = 0; i < ROWS; i++) {
            System.arraycopy(columns, i * 3, x, i * 4, 3);
            x[i * 4 + 3] = (int) (LEVELS.size() * Math.pow(GlmRuns.corput(i + 1, 7), 2));
        }
        return x;
    }

    private static final double[] X = rows();
    private static final double[] Y = targets();

    private static double[] targets() {
        RandomStream random = RandomStream.ofSeed(4);
        double[] y = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            double eta = -2 + 0.03 * X[i * 4 + 1] + 0.8 * X[i * 4 + 2] + EFFECTS[(int) X[i * 4 + 3]];
            y[i] = random.uniform() < SpecialFunctions.sigmoid(eta) ? 1 : 0;
        }
        return y;
    }

    /** Mode and Laplace deviations of z-coefficients and effects for one standard deviation of groups. */
    private static double[][] exact(double deviation, GlmPrior.Standard prior, Standardisation standard) {
        int p = 3 + LEVELS.size();
        double[] theta = new double[p];
        double[] covariance = new double[p * p];
        for (int step = 0; step < 15; step++) {
            double[] hessian = new double[p * p];
            double[] gradient = new double[p];
            for (int i = 0; i < ROWS; i++) {
                double[] v = new double[p];
                v[0] = 1;
                v[1] = (X[i * 4 + 1] - standard.centre()[0]) / standard.scale()[0];
                v[2] = X[i * 4 + 2];
                v[3 + (int) X[i * 4 + 3]] = 1;
                double probability = SpecialFunctions.sigmoid(Matrices.dot(v, theta));
                for (int j = 0; j < p; j++) {
                    gradient[j] += (Y[i] - probability) * v[j];
                    for (int k = 0; k < p && v[j] != 0; k++) {
                        hessian[j * p + k] += probability * (1 - probability) * v[j] * v[k];
                    }
                }
            }
            for (int j = 0; j < p; j++) {
                double precision = j < 3 ? prior.precision()[j] : 1 / (deviation * deviation);
                hessian[j * p + j] += precision;
                gradient[j] -= precision * theta[j];
            }
            assertThat(LinearAlgebra.best().invert(p, hessian)).isTrue();
            covariance = hessian;
            theta = Matrices.plus(theta, 1, Matrices.times(p, hessian, gradient));
        }
        double[] deviations = new double[p];
        for (int j = 0; j < p; j++) {
            deviations[j] = Math.sqrt(covariance[j * p + j]);
        }
        return new double[][] {theta, deviations};
    }

    /** Without noise, group effects and slopes are those of the exact model at the standard deviation that is found. */
    @Test
    void withoutNoiseItIsTheExactMixedModel() {
        PrivateLikelihood likelihood = GlmRuns.withoutNoise(logistic(INTERCEPTS), X, Y);
        GroupedPosterior posterior =
                (GroupedPosterior) likelihood.posterior(GlmPrior.standard()).posterior();
        assertThat(posterior.parameterNames())
                .containsExactly("1", "x1", "g=b", "h[a]", "h[b]", "h[c]", "h[d]", "h[e]", "h[f]", "sd(h)");
        Standardisation standard = likelihood.standardisation();
        GlmPrior.Standard prior = GlmPrior.standard().toStandard(logistic(INTERCEPTS), standard, 0);
        double median = posterior.quantile(9, 0.5);
        assertThat(median).isBetween(0.35, 1.1);
        double[][] exact = exact(median, prior, standard);
        double[] mean = posterior.mean();
        double[] deviation = posterior.standardDeviation();
        assertThat(mean[1] * standard.scale()[0]).isCloseTo(exact[0][1], within(0.05 * exact[1][1]));
        assertThat(mean[2]).isCloseTo(exact[0][2], within(0.05 * exact[1][2]));
        for (int j = 3; j < 9; j++) {
            // the mixture over the deviation moves and widens effects that one deviation does not
            assertThat(mean[j]).isCloseTo(exact[0][j], within(0.15 * exact[1][j]));
            assertThat(deviation[j]).isBetween(0.98 * exact[1][j], 1.35 * exact[1][j]);
        }
    }

    /** At a noise of a quarter of what epsilon 1 has, truths lie within four deviations, which rests on the seed alone. */
    @Test
    void privateEffectsAreNearTheTruth() {
        Posterior posterior = GlmRuns.privately(logistic(INTERCEPTS), X, Y, 1, 3)
                .posterior(GlmPrior.standard())
                .posterior();
        for (int g = 0; g < EFFECTS.length; g++) {
            assertThat(posterior.mean()[3 + g])
                    .isCloseTo(EFFECTS[g], within(4 * posterior.standardDeviation()[3 + g]));
        }
        assertThat(posterior.standardDeviation()[3]).isLessThan(0.5);
    }

    @Test
    void thePriorOfDeviationsIsFree() {
        PrivateLikelihood standard = GlmRuns.privately(logistic(INTERCEPTS), X, Y, 3, 2);
        GlmPrior narrow = GlmPrior.parse("sd(h) ~ halfnormal(0.1); x1 ~ normal(0, 1)");
        GlmModel other = new GlmModel(INTERCEPTS, new BernoulliLink(BernoulliLink.Link.LOGIT), 0, 0, narrow);
        PrivateLikelihood fitted = GlmRuns.privately(other, X, Y, 3, 2);
        assertThat(fitted.toJson()).isEqualTo(standard.toJson());
        PrivateLikelihood read =
                PrivateLikelihood.fromJson(JsonFields.of(Json.read(Json.write(standard.toJson())), "likelihood"));
        Posterior before = standard.posterior(narrow).posterior();
        assertThat(read.posterior(narrow).posterior().toJson()).isEqualTo(before.toJson());
        assertThat(PosteriorJson.read(PosteriorJson.write(before)).toJson()).isEqualTo(before.toJson());
        assertThat(before.quantile(9, 0.5))
                .isLessThan(standard.posterior(GlmPrior.standard()).posterior().quantile(9, 0.5));
        assertThatThrownBy(() -> standard.posterior(GlmPrior.parse("sd(k) ~ halfnormal(1)")))
                .hasMessageContaining("sd(h)");
    }

    @Test
    void aGroupThatIsNotKnownIsDrawnLikeTheOthers() {
        GlmModel model = logistic(INTERCEPTS);
        GroupedPosterior posterior = (GroupedPosterior) GlmRuns.privately(model, X, Y, 1, 3)
                .posterior(GlmPrior.standard())
                .posterior();
        Predictor predictor = model.predictor(posterior);
        double[] x = {1, 50, 0, 0, 1, 50, 0, -1, 1, 50, 0, Double.NaN, 1, 50, 0, 6};
        DenseBlock block = DenseBlock.of(4, 4, x, new double[4]);
        double known = probability(predictor.predict(block, 0));
        double unknown = probability(predictor.predict(block, 1));
        assertThat(known).isGreaterThan(unknown + 0.1);
        assertThat(probability(predictor.predict(block, 2))).isEqualTo(unknown);
        assertThat(probability(predictor.predict(block, 3))).isEqualTo(unknown);
        double[] mean = posterior.mean();
        double eta = mean[0] + 50 * mean[1];
        double variance = 0;
        double[] covariance = posterior.linear().covariance();
        double[] row = {1, 50, 0};
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                variance += row[i] * row[j] * covariance[i * 10 + j];
            }
        }
        variance += posterior.deviations().get(0).meanSquare();
        Prediction expected = new BernoulliLink(BernoulliLink.Link.LOGIT).predict(eta, variance, new double[0]);
        assertThat(unknown).isCloseTo(probability(expected), within(1e-12));
    }

    private static double probability(Prediction prediction) {
        return ((Prediction.Probability) prediction).probability();
    }

    private static List<GroupEffects> everyMeeting() {
        List<String> inner = new ArrayList<>();
        for (String level : LEVELS) {
            inner.add(level + ":1");
            inner.add(level + ":2");
        }
        return List.of(
                GroupEffects.intercepts("h", LEVELS),
                new GroupEffects("h", LEVELS, 1, "x1"),
                GroupEffects.intercepts("h:k", inner),
                GroupEffects.intercepts("r", List.of("u", "v", "w")));
    }

    /** Sums over the twin that use who is in which group are those of the whole rows. */
    @Test
    void sparseSumsAreThoseOfWholeRows() {
        GlmDesign design = design(everyMeeting());
        double[] x = new double[ROWS * 7];
        for (int i = 0; i < ROWS; i++) {
            System.arraycopy(X, i * 4, x, i * 7, 4);
            x[i * 7 + 4] = X[i * 4 + 3];
            x[i * 7 + 5] = 2 * X[i * 4 + 3] + i % 2;
            x[i * 7 + 6] = i % 3;
        }
        PrivateLikelihood likelihood = GlmRuns.privately(logistic(design), x, Y, 3, 1);
        GlmGeometry geometry = likelihood.geometry();
        int d = geometry.d;
        assertThat(d).isEqualTo(3 + 6 + 6 + 12 + 3);
        int n = geometry.twinRows;
        double[] whole = new double[n * d];
        for (int r = 0; r < n; r++) {
            geometry.addRow(r, 1, whole, n, r);
        }
        double[] rows = new double[n * d];
        for (int r = 0; r < n; r++) {
            for (int j = 0; j < d; j++) {
                rows[r * d + j] = whole[j * n + r];
            }
            double length = Matrices.dot(
                    Arrays.copyOfRange(rows, r * d, (r + 1) * d), Arrays.copyOfRange(rows, r * d, (r + 1) * d));
            assertThat(geometry.length[r]).isCloseTo(Math.sqrt(length), within(1e-9));
        }
        double[] point = new double[d];
        RandomStream.ofSeed(2).fillNormal(point);
        double[] eta = geometry.predictors(point);
        requireClose(eta, Matrices.predictors(n, d, rows, point), 1e-9);
        double[] gram = geometry.gram(geometry.omega, 2);
        requireClose(gram, Matrices.weightedGram(n, d, rows, geometry.omega, 2), 1e-6);
        requireClose(geometry.adjoint(eta), Matrices.transposedTimes(n, d, rows, eta), 1e-6);
        double[] covariance = Matrices.inverse(d, Matrices.plus(gram, 1, Matrices.diagonal(ones(d))));
        double[] variances = geometry.predictorVariances(covariance);
        for (int r = 0; r < 50; r++) {
            double[] row = Arrays.copyOfRange(rows, r * d, (r + 1) * d);
            assertThat(variances[r]).isCloseTo(Matrices.form(d, covariance, row), within(1e-9));
        }
        // a row is in one level of each term and levels lie in each other: the curvature knows nothing along these
        double[] scale = new double[d];
        for (int i = 0; i < d; i++) {
            scale[i] = gram[i * d + i];
        }
        double[] imposed =
                new GroupConstraints(geometry.groups().orElseThrow(), geometry.unwhitening).imposed(gram, scale, 0);
        requireClose(imposed, gram, 1e-6 * Matrices.trace(d, gram));
        Posterior posterior = likelihood.posterior(GlmPrior.standard()).posterior();
        assertThat(posterior.dimension()).isEqualTo(d + 4);
        assertThat(posterior.standardDeviation()).doesNotContain(Double.NaN);
    }

    private static double[] ones(int n) {
        double[] ones = new double[n];
        Arrays.fill(ones, 1);
        return ones;
    }

    private static void requireClose(double[] found, double[] expected, double tolerance) {
        assertThat(found).hasSameSizeAs(expected);
        for (int i = 0; i < found.length; i++) {
            assertThat(found[i]).isCloseTo(expected[i], within(tolerance * (1 + Math.abs(expected[i]))));
        }
    }

    @Test
    void limitsAreSaidBeforeAnythingIsReleased() {
        List<String> many = new ArrayList<>();
        for (int i = 0; i < 598; i++) {
            many.add("l" + i);
        }
        assertThatThrownBy(() -> logistic(design(List.of(GroupEffects.intercepts("h", many)))))
                .hasMessageContaining("3 columns and 598 declared levels")
                .hasMessageContaining("at most 600");
        assertThatThrownBy(() -> logistic(design(List.of(new GroupEffects("h", LEVELS, 1, "x1")))))
                .hasMessageContaining("write (x1 || h)");
        assertThatThrownBy(() ->
                        design(List.of(GroupEffects.intercepts("h", LEVELS), GroupEffects.intercepts("h", LEVELS))))
                .hasMessageContaining("two effects have the name h[a]");
        assertThatThrownBy(() -> design(List.of(new GroupEffects("h", LEVELS, 2, "g=b"))))
                .hasMessageContaining("number among the columns");
    }
}
