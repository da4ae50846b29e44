package dev.tacit.glm.solve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.glm.GlmRuns;
import dev.tacit.glm.PrivateLikelihood;
import dev.tacit.glm.family.GlmFamilies;
import dev.tacit.glm.family.GlmFamily;
import dev.tacit.glm.family.NegativeBinomial;
import dev.tacit.glm.family.QuasiPoisson;
import dev.tacit.glm.model.GlmColumn;
import dev.tacit.glm.model.GlmDesign;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.numerics.RandomStream;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What a private likelihood says beside its intervals, and what it does about it. */
class LikelihoodWarningTest {
    private static final int ROWS = 4000;

    /** One in twenty records has the rare level. */
    private static boolean rare(int i) {
        return i % 20 == 0;
    }

    private static double[] rows() {
        double[] x = GlmRuns.rows(ROWS);
        for (int i = 0; i < ROWS; i++) {
            x[i * 3 + 2] = rare(i) ? 1 : 0;
        }
        return x;
    }

    private static double eta(double[] x, int i) {
        return -2 + 0.02 * x[i * 3 + 1];
    }

    private static GlmModel model(String family, double high) {
        return new GlmModel(GlmRuns.design(), GlmFamilies.named(family), 0, high, GlmPrior.standard());
    }

    /** Nobody with the level has the outcome: its likelihood has no maximum. */
    private static double[] separated(double[] x) {
        RandomStream random = RandomStream.ofSeed(3);
        double[] y = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            boolean outcome = random.uniform() < 1 / (1 + Math.exp(-eta(x, i)));
            y[i] = outcome && !rare(i) ? 1 : 0;
        }
        return y;
    }

    @Test
    void aSeparatedLevelHasTheQuantilesOfItsPosterior() {
        double[] x = rows();
        PrivateLikelihood.Result result =
                GlmRuns.withoutNoise(model("bernoulli", 1), x, separated(x)).posterior(GlmPrior.standard());
        double[] mean = result.posterior().mean();
        double low = mean[2] - 1.645 * result.posterior().standardDeviation()[2];
        double high = mean[2] + 1.645 * result.posterior().standardDeviation()[2];

        double[] exact = exactQuantiles(x, mean);
        assertThat(low).isCloseTo(exact[0], within(0.35));
        assertThat(high).isCloseTo(exact[1], within(0.35));
        assertThat(named(result, LikelihoodWarning.Kind.SKEWED)).containsExactly("g=b");
    }

    /** 5 % and 95 % quantiles of the level's coefficient given the others, by a sum over a grid. */
    private static double[] exactQuantiles(double[] x, double[] others) {
        int cells = 4000;
        double[] cumulated = new double[cells];
        for (int k = 0; k < cells; k++) {
            double b = -12 + 0.004 * k;
            double log = -b * b / 12.5;
            for (int i = 0; i < ROWS; i += 20) {
                log -= Math.log1p(Math.exp(others[0] + others[1] * x[i * 3 + 1] + b));
            }
            cumulated[k] = Math.exp(log) + (k > 0 ? cumulated[k - 1] : 0);
        }
        double[] quantiles = new double[2];
        for (int k = 0; k < cells; k++) {
            if (cumulated[k] < 0.05 * cumulated[cells - 1]) {
                quantiles[0] = -12 + 0.004 * k;
            }
            if (cumulated[k] < 0.95 * cumulated[cells - 1]) {
                quantiles[1] = -12 + 0.004 * k;
            }
        }
        return quantiles;
    }

    @Test
    void anOrdinaryTableHasNoWarnings() {
        double[] x = GlmRuns.rows(ROWS);
        RandomStream random = RandomStream.ofSeed(4);
        double[] y = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            y[i] = random.uniform() < 1 / (1 + Math.exp(-eta(x, i))) ? 1 : 0;
        }
        assertThat(GlmRuns.privately(model("bernoulli", 1), x, y, 4, 7)
                        .posterior(GlmPrior.standard())
                        .warnings())
                .isEmpty();
    }

    @Test
    void aLevelThatNobodyHasReturnsItsPriorAndSaysSo() {
        double[] x = GlmRuns.rows(ROWS);
        RandomStream random = RandomStream.ofSeed(5);
        double[] y = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            x[i * 3 + 2] = 0;
            y[i] = random.uniform() < 1 / (1 + Math.exp(-eta(x, i))) ? 1 : 0;
        }
        PrivateLikelihood.Result result =
                GlmRuns.privately(model("bernoulli", 1), x, y, 4, 8).posterior(GlmPrior.standard());
        assertThat(named(result, LikelihoodWarning.Kind.UNINFORMED)).containsExactly("g=b");
        assertThat(result.posterior().standardDeviation()[2]).isBetween(2.0, 2.5 + 1e-9);
    }

    @Test
    void overdispersedCountsAreSentToTheNegativeBinomial() {
        double[] x = GlmRuns.rows(ROWS);
        double[] poisson = counts(x, QuasiPoisson::new, new double[] {1});
        double[] spread = counts(x, NegativeBinomial::new, new double[] {1});
        assertThat(warnings("poisson", x, poisson)).isEmpty();
        assertThat(warnings("poisson", x, spread)).hasSize(1).first().satisfies(warning -> {
            assertThat(warning.kind()).isEqualTo(LikelihoodWarning.Kind.OVERDISPERSED);
            assertThat(warning.names()).containsExactly("log(overdispersion)");
            assertThat(warning.sentence()).contains("negative-binomial");
        });
    }

    private static double[] counts(double[] x, java.util.function.Supplier<GlmFamily> family, double[] extra) {
        RandomStream random = RandomStream.ofSeed(6);
        double[] y = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            y[i] = family.get().simulate(2 + eta(x, i), extra, random);
        }
        return y;
    }

    private static List<LikelihoodWarning> warnings(String family, double[] x, double[] y) {
        return GlmRuns.privately(model(family, 60), x, y, 4, 9)
                .posterior(GlmPrior.standard())
                .warnings();
    }

    private static List<String> named(PrivateLikelihood.Result result, LikelihoodWarning.Kind kind) {
        return result.warnings().stream()
                .filter(warning -> warning.kind() == kind)
                .flatMap(warning -> warning.names().stream())
                .collect(Collectors.toList());
    }

    /** A level that no record has must not widen the intervals of the others, without noise either. */
    @Test
    void anUnusedLevelChangesNoOtherIntervalWithoutNoise() {
        RandomStream random = RandomStream.ofSeed(13);
        GlmDesign more = GlmDesign.of(List.of(
                GlmColumn.intercept("1"),
                GlmColumn.number("x1", 0, 100),
                GlmColumn.level("g=b", 0),
                GlmColumn.level("g=other", 0)));
        double[] x = GlmRuns.rows(ROWS);
        double[] wide = new double[ROWS * 4];
        double[] y = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            System.arraycopy(x, i * 3, wide, i * 4, 3);
            y[i] = random.uniform() < 1 / (1 + Math.exp(-eta(x, i))) ? 1 : 0;
        }
        GlmModel model = new GlmModel(more, GlmFamilies.named("bernoulli"), 0, 1, GlmPrior.standard());
        PrivateLikelihood.Result with = GlmRuns.withoutNoise(model, wide, y).posterior(GlmPrior.standard());
        PrivateLikelihood.Result without =
                GlmRuns.withoutNoise(model("bernoulli", 1), x, y).posterior(GlmPrior.standard());
        for (int j = 0; j < 3; j++) {
            double deviation = without.posterior().standardDeviation()[j];
            assertThat(with.posterior().standardDeviation()[j]).isCloseTo(deviation, within(0.05 * deviation));
            assertThat(with.posterior().mean()[j]).isCloseTo(without.posterior().mean()[j], within(0.1 * deviation));
        }
        assertThat(with.posterior().standardDeviation()[3]).isBetween(2.0, 2.5 + 1e-9);
    }

    /** Tables of a few records under noise of up to 22,000 bounds: the charge is spent, so there must be a posterior. */
    @Test
    void whateverIsReleasedThereIsAPosteriorNotWiderThanThePrior() {
        for (int seed = 0; seed < 6; seed++) {
            RandomStream random = RandomStream.ofSeed(seed);
            int n = 30 + (int) (300 * random.uniform());
            double noise = Math.exp(12 * random.uniform() - 2);
            double[] y = new double[n];
            for (int i = 0; i < n; i++) {
                y[i] = 45 * random.uniform() - 5;
            }
            GlmModel model = new GlmModel(GlmRuns.design(), GlmFamilies.named("gaussian"), -5, 40, GlmPrior.standard());
            PrivateLikelihood.Result result =
                    GlmRuns.privately(model, GlmRuns.rows(n), y, noise, seed).posterior(GlmPrior.standard());
            double[] after = result.posterior().standardDeviation();
            double[] before = result.prior().standardDeviation();
            for (int j = 0; j < after.length; j++) {
                assertThat(result.posterior().mean()[j]).isFinite();
                assertThat(after[j]).isPositive().isLessThanOrEqualTo(before[j] * (1 + 1e-6));
            }
        }
    }

    /** Two factors with the same levels but for one record in fifty. */
    @Test
    void nestedFactorsAreNamedAndTheirSumStaysKnown() {
        GlmDesign design = GlmDesign.of(List.of(
                GlmColumn.intercept("1"),
                GlmColumn.level("g=b", 0),
                GlmColumn.level("g=c", 0),
                GlmColumn.level("h=b", 1),
                GlmColumn.level("h=c", 1)));
        RandomStream random = RandomStream.ofSeed(10);
        double[] x = new double[ROWS * 5];
        double[] y = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            int g = i % 3;
            int h = i % 50 == 0 ? (g + 1) % 3 : g;
            x[i * 5] = 1;
            if (g > 0) {
                x[i * 5 + g] = 1;
            }
            if (h > 0) {
                x[i * 5 + 2 + h] = 1;
            }
            y[i] = random.uniform() < 1 / (1 + Math.exp(0.5 - 0.5 * g)) ? 1 : 0;
        }
        GlmModel model = new GlmModel(design, GlmFamilies.named("bernoulli"), 0, 1, GlmPrior.standard());
        PrivateLikelihood.Result result = GlmRuns.privately(model, x, y, 4, 12).posterior(GlmPrior.standard());

        assertThat(named(result, LikelihoodWarning.Kind.NESTED)).contains("g=b", "g=c", "h=b", "h=c");
        double[] covariance = result.linear().covariance();
        double sum = Math.sqrt(covariance[6] + 2 * covariance[8] + covariance[18]);
        assertThat(sum).isLessThan(0.3);
        assertThat(result.posterior().standardDeviation()[1]).isGreaterThan(3 * sum);
        assertThat(result.posterior().mean()[1] + result.posterior().mean()[3]).isCloseTo(0.5, within(4 * sum));
    }
}
