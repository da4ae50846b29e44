package dev.tacit.glm.family;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.glm.GlmRuns;
import dev.tacit.glm.PrivateLikelihood;
import dev.tacit.glm.model.GlmColumn;
import dev.tacit.glm.model.GlmDesign;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.glm.model.GroupEffects;
import dev.tacit.glm.solve.LikelihoodWarning;
import dev.tacit.json.Json;
import dev.tacit.json.JsonFields;
import dev.tacit.model.prediction.Prediction;
import dev.tacit.numerics.Matrices;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Unordered levels: derivatives, bounds, the fit without noise beside Newton's own, and what a private fit says. */
class MultinomialLogitTest {
    private static final double[] NONE = {};
    private static final List<String> LEVELS = List.of("clerk", "cook", "miner", "pilot");

    private static MultinomialLogit family(String reference) {
        return new MultinomialLogit("job", LEVELS, reference);
    }

    /** log P(y) at u, from the definition. */
    private static double logProbability(MultinomialLogit family, double[] u, int y) {
        int q = family.predictors();
        double[] eta = Matrices.times(q, family.mixing(), u);
        double total = 1;
        for (double one : eta) {
            total += Math.exp(one);
        }
        int place = family.compared().indexOf(LEVELS.get(y));
        return (place < 0 ? 0 : eta[place]) - Math.log(total);
    }

    private static double[] moved(double[] u, int k, double step) {
        double[] other = u.clone();
        other[k] += step;
        return other;
    }

    @Test
    void residualsAreScoresAndNoneExceedsItsBound() {
        RandomStream random = RandomStream.ofSeed(11);
        for (String base : List.of("clerk", "miner", "pilot")) {
            MultinomialLogit family = family(base);
            double[] reference = new double[family.referenceSize()];
            double[] residual = new double[3];
            for (int trial = 0; trial < 200; trial++) {
                double size = trial % 2 == 0 ? 1 : 8;
                double[] u = {size * random.normal(), size * random.normal(), size * random.normal()};
                family.reference(u, 0, NONE, reference, 0);
                double largest = 0;
                double[] mean = new double[3];
                for (int y = 0; y < 4; y++) {
                    family.residual(y, reference, 0, residual);
                    for (int k = 0; k < 3; k++) {
                        double slope = (logProbability(family, moved(u, k, 1e-5), y)
                                        - logProbability(family, moved(u, k, -1e-5), y))
                                / 2e-5;
                        assertThat(residual[k]).isCloseTo(slope, within(1e-6));
                        mean[k] += Math.exp(logProbability(family, u, y)) * residual[k];
                    }
                    largest = Math.max(largest, Math.sqrt(Matrices.dot(residual, residual)));
                }
                assertThat(mean).containsExactly(new double[3], within(1e-12));
                assertThat(reference[GlmFamily.BOUND])
                        .isCloseTo(largest, within(1e-12))
                        .isLessThanOrEqualTo(Math.sqrt(2) + 1e-12);
                for (double y : new double[] {-1e9, 0.4, 17, Double.NaN, Double.POSITIVE_INFINITY}) {
                    family.residual(y, reference, 0, residual);
                    assertThat(Matrices.dot(residual, residual)).isLessThanOrEqualTo(largest * largest + 1e-12);
                }
            }
        }
    }

    /** Σ s_i c_i c_iᵀ. */
    private static double[] matrix(MultinomialLogit family, double[] slopes) {
        double[] matrix = new double[9];
        double[][] directions = family.directions();
        for (int i = 0; i < directions.length; i++) {
            assertThat(slopes[i]).isNotNegative();
            for (int a = 0; a < 3; a++) {
                for (int b = 0; b < 3; b++) {
                    matrix[a * 3 + b] += slopes[i] * directions[i][a] * directions[i][b];
                }
            }
        }
        return matrix;
    }

    @Test
    void slopesAreDerivativesOfTheFieldAndVariancesOfTheResidual() {
        RandomStream random = RandomStream.ofSeed(12);
        MultinomialLogit family = family("cook");
        double[] reference = new double[family.referenceSize()];
        for (int trial = 0; trial < 50; trial++) {
            double[] u = {random.normal(), 2 * random.normal(), random.normal()};
            double[] other = {random.normal(), random.normal(), random.normal()};
            family.reference(u, 0, NONE, reference, 0);
            double[] slopes = new double[6];
            family.slopes(other, 0, NONE, reference, 0, slopes, 0);
            double[] slope = matrix(family, slopes);
            double[] high = new double[3];
            double[] low = new double[3];
            for (int k = 0; k < 3; k++) {
                family.field(moved(other, k, 1e-5), 0, NONE, reference, 0, high, 0);
                family.field(moved(other, k, -1e-5), 0, NONE, reference, 0, low, 0);
                for (int j = 0; j < 3; j++) {
                    assertThat(slope[j * 3 + k]).isCloseTo((high[j] - low[j]) / 2e-5, within(1e-8));
                }
            }
            family.field(u, 0, NONE, reference, 0, high, 0);
            assertThat(high).containsExactly(new double[3], within(1e-12));
            family.ownVariances(reference, 0, slopes, 0);
            double[] variance = matrix(family, slopes);
            double[] expected = new double[9];
            double[] residual = new double[3];
            for (int y = 0; y < 4; y++) {
                family.residual(y, reference, 0, residual);
                for (int i = 0; i < 9; i++) {
                    expected[i] += Math.exp(logProbability(family, u, y)) * residual[i / 3] * residual[i % 3];
                }
            }
            assertThat(variance).containsExactly(expected, within(1e-12));
            assertThat(reference[GlmFamily.SLOPE])
                    .isCloseTo(Math.sqrt(Matrices.dot(variance, variance)), within(1e-12));
            assertThat(reference[GlmFamily.VARIANCE]).isCloseTo(Matrices.trace(3, variance), within(1e-12));
        }
    }

    @Test
    void noLevelIsSpecialInWhatIsReleased() {
        double[] eta = {0.3, -0.7, 1.1, 0};
        for (String base : LEVELS) {
            MultinomialLogit family = family(base);
            double[] own = new double[3];
            for (int k = 0; k < 3; k++) {
                own[k] = eta[LEVELS.indexOf(family.compared().get(k))] - eta[LEVELS.indexOf(base)];
            }
            double[] reference = new double[family.referenceSize()];
            family.reference(Matrices.times(3, Matrices.inverse(3, family.mixing()), own), 0, NONE, reference, 0);
            double[] residual = new double[3];
            family.residual(2, reference, 0, residual);
            double total = Math.exp(0.3) + Math.exp(-0.7) + Math.exp(1.1) + 1;
            double squares = 0;
            for (int k = 0; k < 4; k++) {
                squares += Math.pow((k == 2 ? 1 : 0) - Math.exp(eta[k]) / total, 2);
            }
            assertThat(Matrices.dot(residual, residual)).isCloseTo(squares, within(1e-12));
            double[] target = new double[3];
            family.startTarget(1, 0, 1, target);
            assertThat(Math.sqrt(Matrices.dot(target, target))).isCloseTo(family.startBound(), within(1e-12));
        }
    }

    @Test
    void aNameSaysTheWholeFamily() {
        MultinomialLogit odd = new MultinomialLogit("a:b c", List.of("x:y", "ü %", "", "z"), "ü %");
        GlmFamily read = GlmFamilies.named(odd.name());
        assertThat(read.name()).isEqualTo(odd.name());
        assertThat(read.coefficientNames(List.of("(Intercept)", "age")))
                .startsWith("a:b c[x:y]:(Intercept)", "a:b c[x:y]:age", "a:b c[]:(Intercept)")
                .hasSize(6);
        assertThatThrownBy(() -> GlmFamilies.named("multinomial:a:b:c")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new MultinomialLogit("a", List.of("x"), "x"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new MultinomialLogit("a", List.of("x", "y"), "z"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void predictionsAverageOverThePredictors() {
        MultinomialLogit family = new MultinomialLogit("job", List.of("a", "b"), "a");
        double[] sure =
                ((Prediction.Classes) family.predict(new double[] {0.7}, new double[] {0}, NONE)).probabilities();
        assertThat(sure[1]).isCloseTo(1 / (1 + Math.exp(-0.7)), within(1e-5));
        double[] unsure =
                ((Prediction.Classes) family.predict(new double[] {0.7}, new double[] {0.5}, NONE)).probabilities();
        double expected = ((Prediction.Probability) new BernoulliLink(BernoulliLink.Link.LOGIT).predict(0.7, 0.5, NONE))
                .probability();
        assertThat(unsure[1]).isCloseTo(expected, within(2e-3));
        assertThat(unsure[0] + unsure[1]).isCloseTo(1, within(1e-12));
    }

    // ---- fits ------------------------------------------------------------------------------------------------------

    private static final int ROWS = 3000;
    private static final double[] TRUTH = {-1.2, 0.02, 0.6, 0.4, -0.015, -0.5, 0.2, 0, 0};

    private static GlmModel model(String reference, GlmPrior prior) {
        return new GlmModel(GlmRuns.design(), family(reference), 0, 0, prior);
    }

    private static double[] labels(double[] x, long seed) {
        GlmModel model = model("clerk", GlmPrior.standard());
        RandomStream random = RandomStream.ofSeed(seed);
        DenseBlock block = DenseBlock.of(ROWS, 3, x, new double[ROWS]);
        double[] y = new double[ROWS];
        for (int r = 0; r < ROWS; r++) {
            y[r] = model.drawTarget(TRUTH, block, r, random);
        }
        return y;
    }

    /** Maximum likelihood against the first level by Newton's method, and the inverse of the information. */
    private static double[][] newton(double[] x, double[] y) {
        double[] beta = new double[9];
        double[] information = new double[81];
        for (int step = 0; step < 30; step++) {
            double[] score = new double[9];
            information = new double[81];
            for (int r = 0; r < y.length; r++) {
                double[] p = new double[3];
                double total = 1;
                for (int k = 0; k < 3; k++) {
                    for (int j = 0; j < 3; j++) {
                        p[k] += beta[k * 3 + j] * x[r * 3 + j];
                    }
                    p[k] = Math.exp(p[k]);
                    total += p[k];
                }
                for (int i = 0; i < 9; i++) {
                    double pi = p[i / 3] / total;
                    score[i] += ((int) y[r] == i / 3 + 1 ? 1 - pi : -pi) * x[r * 3 + i % 3];
                    for (int j = 0; j < 9; j++) {
                        double pj = p[j / 3] / total;
                        information[i * 9 + j] +=
                                ((i / 3 == j / 3 ? pi : 0) - pi * pj) * x[r * 3 + i % 3] * x[r * 3 + j % 3];
                    }
                }
            }
            beta = Matrices.plus(beta, 1, Matrices.times(9, Matrices.inverse(9, information), score));
        }
        return new double[][] {beta, Matrices.inverse(9, information)};
    }

    private static final GlmPrior FLAT = GlmPrior.parse("b ~ normal(0, 300); 1 ~ normal(0, 300)");

    @Test
    void withoutNoiseAFitIsMaximumLikelihood() {
        double[] x = GlmRuns.rows(ROWS);
        double[] y = labels(x, 21);
        double[][] best = newton(x, y);
        Posterior posterior =
                GlmRuns.withoutNoise(model("clerk", FLAT), x, y).posterior(FLAT).posterior();
        double[] deviation = posterior.standardDeviation();
        for (int i = 0; i < 9; i++) {
            double sd = Math.sqrt(best[1][i * 9 + i]);
            assertThat((posterior.mean()[i] - best[0][i]) / sd).isCloseTo(0, within(0.02));
            assertThat(deviation[i] / sd).isBetween(0.97, 1.03);
        }
        assertThat(posterior.parameterNames())
                .startsWith("job[cook]:1", "job[cook]:x1", "job[cook]:g=b", "job[miner]:1")
                .hasSize(9);
    }

    @Test
    void anotherReferenceIsTheSameFit() {
        double[] x = GlmRuns.rows(ROWS);
        double[] y = labels(x, 21);
        Posterior one =
                GlmRuns.withoutNoise(model("clerk", FLAT), x, y).posterior(FLAT).posterior();
        Posterior other =
                GlmRuns.withoutNoise(model("miner", FLAT), x, y).posterior(FLAT).posterior();
        double minerAge = one.mean()[one.parameterNames().indexOf("job[miner]:x1")];
        double cookAge = one.mean()[one.parameterNames().indexOf("job[cook]:x1")];
        assertThat(other.mean()[other.parameterNames().indexOf("job[clerk]:x1")])
                .isCloseTo(-minerAge, within(2e-5));
        assertThat(other.mean()[other.parameterNames().indexOf("job[cook]:x1")])
                .isCloseTo(cookAge - minerAge, within(2e-5));
    }

    /** All nine errors of a private fit within 5.5 standard deviations: a false alarm is less likely than 1e-6. Seeds 22 and 5. */
    @Test
    void aPrivateFitKnowsHowFarItIsOff() {
        double[] x = GlmRuns.rows(ROWS);
        double[] y = labels(x, 22);
        GlmPrior prior = GlmPrior.standard();
        PrivateLikelihood likelihood = GlmRuns.privately(model("clerk", prior), x, y, 4, 5);
        PrivateLikelihood.Result result = likelihood.posterior(prior);
        double[] wide = result.posterior().standardDeviation();
        double[] plain = result.withoutNoise().standardDeviation();
        double[] before = result.prior().standardDeviation();
        for (int i = 0; i < 9; i++) {
            assertThat(Math.abs(result.posterior().mean()[i] - TRUTH[i])).isLessThan(5.5 * wide[i]);
            assertThat(wide[i]).isGreaterThan(plain[i]).isLessThan(before[i]);
        }
        PrivateLikelihood read =
                PrivateLikelihood.fromJson(JsonFields.of(Json.read(Json.write(likelihood.toJson())), "likelihood"));
        assertThat(read.sameAs(likelihood)).isTrue();
        GlmPrior sharp = GlmPrior.parse("job[cook]:x1 ~ normal(0, 1e-6); g=b ~ normal(0, 1e-6)");
        Posterior under = likelihood.posterior(sharp).posterior();
        assertThat(under.mean()[1]).isCloseTo(0, within(1e-4));
        assertThat(Math.abs(under.mean()[4])).isGreaterThan(1e-4);
        assertThat(under.mean()[2]).isCloseTo(0, within(1e-4));
        assertThat(under.mean()[5]).isCloseTo(0, within(1e-4));
        assertThatThrownBy(() -> likelihood.posterior(GlmPrior.parse("job[clerk]:x1 ~ normal(0, 1)")))
                .hasMessageContaining("there is no column job[clerk]:x1")
                .hasMessageContaining("job[cook]:g=b");
    }

    @Test
    void twoLevelsAreTheLogisticRegression() {
        double[] x = GlmRuns.rows(ROWS);
        double[] y = labels(x, 23);
        for (int r = 0; r < ROWS; r++) {
            y[r] = y[r] > 1 ? 1 : 0;
        }
        GlmPrior prior = GlmPrior.standard();
        GlmModel two = new GlmModel(GlmRuns.design(), new MultinomialLogit("job", List.of("a", "b"), "a"), 0, 0, prior);
        GlmModel logistic = new GlmModel(GlmRuns.design(), GlmFamilies.named("bernoulli"), 0, 0, prior);
        Posterior ours = GlmRuns.withoutNoise(two, x, y).posterior(prior).posterior();
        Posterior other = GlmRuns.withoutNoise(logistic, x, y).posterior(prior).posterior();
        for (int j = 0; j < 3; j++) {
            double sd = other.standardDeviation()[j];
            assertThat((ours.mean()[j] - other.mean()[j]) / sd).isCloseTo(0, within(0.05));
            assertThat(ours.standardDeviation()[j] / sd).isBetween(0.98, 1.02);
        }
        DenseBlock block = DenseBlock.of(ROWS, 3, x, y);
        double[] shares = ((Prediction.Classes) two.predictor(ours).predict(block, 7)).probabilities();
        double one = ((Prediction.Probability) logistic.predictor(other).predict(block, 7)).probability();
        assertThat(shares[1]).isCloseTo(one, within(0.005));
        assertThat(two.drawTarget(ours.mean(), block, 7, RandomStream.ofSeed(1)))
                .isBetween(0.0, 1.0);
    }

    /** A level that nobody has leaves the others alone and is known as little as that says. */
    @Test
    void aLevelWithoutRecordsIsNamed() {
        double[] x = GlmRuns.rows(ROWS);
        double[] y = labels(x, 24);
        for (int r = 0; r < ROWS; r++) {
            y[r] = y[r] == 3 ? 0 : y[r];
        }
        GlmPrior prior = GlmPrior.standard();
        PrivateLikelihood.Result result =
                GlmRuns.privately(model("clerk", prior), x, y, 4, 6).posterior(prior);
        double[] deviation = result.posterior().standardDeviation();
        assertThat(deviation[5]).isLessThan(0.5);
        assertThat(deviation[8]).isGreaterThan(0.8);
        assertThat(result.warnings())
                .anySatisfy(warning -> assertThat(warning.names()).contains("job[pilot]:g=b"))
                .allSatisfy(warning -> assertThat(warning.names()).noneMatch(name -> name.endsWith(":1")));
    }

    /** A number that says the same as a level is known only together with it, for every level of the response. */
    @Test
    void nestedTermsAreNamedForEveryLevel() {
        double[] three = GlmRuns.rows(ROWS);
        double[] x = new double[ROWS * 4];
        for (int r = 0; r < ROWS; r++) {
            System.arraycopy(three, r * 3, x, r * 4, 3);
            x[r * 4 + 3] = 5 * three[r * 3 + 2];
        }
        GlmDesign design = GlmDesign.of(List.of(
                GlmColumn.intercept("1"),
                GlmColumn.number("x1", 0, 100),
                GlmColumn.level("g=b", 0),
                GlmColumn.number("again", 0, 5)));
        GlmPrior prior = GlmPrior.standard();
        GlmModel model = new GlmModel(design, family("clerk"), 0, 0, prior);
        PrivateLikelihood.Result result =
                GlmRuns.privately(model, x, labels(three, 25), 4, 7).posterior(prior);
        List<List<String>> nested = result.warnings().stream()
                .filter(warning -> warning.kind() == LikelihoodWarning.Kind.NESTED)
                .map(LikelihoodWarning::names)
                .toList();
        assertThat(nested)
                .containsExactly(
                        List.of("job[cook]:g=b", "job[cook]:again"),
                        List.of("job[miner]:g=b", "job[miner]:again"),
                        List.of("job[pilot]:g=b", "job[pilot]:again"));
        double[] deviation = result.posterior().standardDeviation();
        assertThat(deviation[2]).isGreaterThan(0.5);
        assertThat(deviation[10]).isGreaterThan(0.5);
    }

    @Test
    void whatIsNotFittedIsRefused() {
        GlmDesign groups = GlmRuns.design().withGroups(List.of(new GroupEffects("g", List.of("a", "b"), 0, "")));
        assertThatThrownBy(() -> new GlmModel(groups, family("clerk"), 0, 0, GlmPrior.standard()))
                .hasMessageContaining("effects of groups are not fitted");
        GlmDesign offset = GlmRuns.design().withOffset(GlmColumn.number("(offset)", 0, 1));
        assertThatThrownBy(() -> new GlmModel(offset, family("clerk"), 0, 0, GlmPrior.standard()))
                .hasMessageContaining("an offset is not fitted");
        List<GlmColumn> many = new java.util.ArrayList<>(List.of(GlmColumn.intercept("1")));
        for (int j = 0; j < 210; j++) {
            many.add(GlmColumn.number("x" + j, 0, 1));
        }
        assertThatThrownBy(() -> new GlmModel(GlmDesign.of(many), family("clerk"), 0, 0, GlmPrior.standard()))
                .hasMessageContaining("633 coefficients");
    }
}
