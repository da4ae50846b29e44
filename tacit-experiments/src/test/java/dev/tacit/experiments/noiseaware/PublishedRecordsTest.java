package dev.tacit.experiments.noiseaware;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.numerics.SpecialFunctions;
import org.junit.jupiter.api.Test;

/** Gradients of one record's share of the negative bound against independent values from automatic differentiation. */
class PublishedRecordsTest {
    private static final int RECORDS = 5_000;

    /** The gradient at μ and u with draws z_kj = 1.2 sin(1.3 (k + 1) + 0.7 (j + 1)²). */
    private static double[] gradient(PublishedAlgorithm.Records records, double[] means, double[] links, int kind) {
        int n = means.length;
        double[] scales = new double[n];
        double[] slopes = new double[n];
        double[] draws = new double[10 * n];
        for (int j = 0; j < n; j++) {
            scales[j] = SpecialFunctions.softplus(links[j]);
            slopes[j] = SpecialFunctions.sigmoid(links[j]);
            for (int k = 0; k < 10; k++) {
                draws[k * n + j] = 1.2 * Math.sin(1.3 * (k + 1) + 0.7 * (j + 1) * (j + 1));
            }
        }
        records.prepare(means, scales, slopes, draws);
        double[] gradient = new double[2 * n];
        records.gradient(kind, gradient);
        return gradient;
    }

    private static void check(double[] gradient, double... expected) {
        for (int i = 0; i < expected.length; i++) {
            assertThat(gradient[i]).isCloseTo(expected[i], within(1e-12 * Math.max(1, Math.abs(expected[i]))));
        }
    }

    private static DenseBlock labels(double first, double second, double third) {
        double[] labels = new double[RECORDS];
        labels[0] = first;
        labels[1] = second;
        labels[2] = third;
        return DenseBlock.of(RECORDS, 1, new double[RECORDS], labels);
    }

    @Test
    void conjugatePairs() {
        double[] mean = {3.5};
        double[] link = {-2};
        PublishedRecords.Waiting waiting = new PublishedRecords.Waiting(labels(0.37, 1.9, 0));
        check(gradient(waiting, mean, link, 0), 0.08434802281955078, 0.0011271996426588274);
        check(gradient(waiting, mean, link, 1), 1.569488616534173, 0.009171857073049393);

        PublishedRecords.Coin coin = new PublishedRecords.Coin(labels(1, 0, 0));
        check(gradient(coin, new double[] {0.2}, new double[] {-3.5}, 1), -0.4496595850847786, -0.0005968547900060017);
        check(gradient(coin, new double[] {0.2}, new double[] {-3.5}, 0), 0.5503404149152213, 0.0006534568536187416);

        PublishedRecords.Die die = new PublishedRecords.Die(labels(0, 1, 2));
        check(
                gradient(die, new double[] {0.3, -0.2}, new double[] {-3, -4}, 0),
                -0.573127053322305,
                0.25787561596146585,
                -0.0008950662312137266,
                -0.00021673870230865585);
        check(
                gradient(die, new double[] {0.3, -0.2}, new double[] {-3, -4}, 2),
                0.42687294667769504,
                0.25787561596146585,
                0.0011278818666630769,
                -0.00021673870230865585);
    }

    @Test
    void regression() {
        double[] cells = new double[3 * RECORDS];
        cells[0] = 0.3;
        cells[1] = -0.7;
        cells[2] = 1;
        double[] targets = new double[RECORDS];
        targets[0] = 0.4;
        PublishedRecords.Regression regression =
                new PublishedRecords.Regression(DenseBlock.of(RECORDS, 3, cells, targets), 2.0 / 40);
        check(
                gradient(regression, new double[] {0.5, 0.1, -0.2, -3.5}, new double[] {-5, -4.5, -5.5, -3}, 0),
                -5.250117367784017,
                12.250700683352331,
                -17.50102020632358,
                -3.989522089114114,
                -0.0018355052859076455,
                0.0014448103088361185,
                -0.0009113383490716055,
                0.01284027642795736);
    }
}
