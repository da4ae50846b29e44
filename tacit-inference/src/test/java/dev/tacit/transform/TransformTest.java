package dev.tacit.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.numerics.Golden;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.RandomStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TransformTest {
    private static final double STEP = 1e-5;

    static Stream<Transform> transforms() {
        return Stream.of(
                Transforms.real(2),
                Transforms.positive(2),
                Transforms.softplus(3),
                Transforms.lowerBounded(2, -3.5),
                Transforms.upperBounded(2, 4),
                Transforms.unitInterval(2),
                Transforms.interval(2, -1, 5),
                Transforms.ordered(4),
                Transforms.simplex(2),
                Transforms.simplex(5),
                Transforms.logRatio(2),
                Transforms.logRatio(5));
    }

    @ParameterizedTest
    @MethodSource("transforms")
    void hasTheJacobianOfFiniteDifferences(Transform transform) {
        RandomStream random = RandomStream.ofSeed(7);
        int k = transform.freeDimension();
        for (int trial = 0; trial < 20; trial++) {
            double[] free = normals(random, k);
            double[] jacobian = new double[k * k];
            for (int j = 0; j < k; j++) {
                double[] up = constrained(transform, moved(free, j, STEP));
                double[] down = constrained(transform, moved(free, j, -STEP));
                // a simplex has one number more than it has freedom: its last one follows from the others
                for (int i = 0; i < k; i++) {
                    jacobian[i * k + j] = (up[i] - down[i]) / (2 * STEP);
                }
            }
            double expected = logAbsoluteDeterminant(k, jacobian);
            double actual = transform.constrain(free, 0, new double[transform.dimension()], 0);
            assertThat(actual).as("%s, trial %s", transform.name(), trial).isCloseTo(expected, within(1e-7));
        }
    }

    @ParameterizedTest
    @MethodSource("transforms")
    void pullsGradientsBackAsFiniteDifferencesDo(Transform transform) {
        RandomStream random = RandomStream.ofSeed(8);
        int k = transform.freeDimension();
        int n = transform.dimension();
        for (int trial = 0; trial < 20; trial++) {
            double[] free = normals(random, k + 3);
            double[] slopes = normals(random, n);
            double[] constrained = new double[n + 2];
            transform.constrain(free, 1, constrained, 2);
            double[] gradient = new double[n + 2];
            for (int i = 0; i < n; i++) {
                // f(x) = Σ slope_i x_i² / 2
                gradient[i + 2] = slopes[i] * constrained[i + 2];
            }
            double[] actual = new double[k + 3];
            transform.pullBack(free, 1, constrained, 2, gradient, actual);
            for (int j = 0; j < k; j++) {
                double expected = (target(transform, slopes, moved(free, j + 1, STEP))
                                - target(transform, slopes, moved(free, j + 1, -STEP)))
                        / (2 * STEP);
                assertThat(actual[j + 1])
                        .as("%s, trial %s, coordinate %s", transform.name(), trial, j)
                        .isCloseTo(expected, within(1e-6 * Math.max(1, Math.abs(expected))));
            }
            assertThat(actual[0]).isZero();
            assertThat(actual[k + 1]).isZero();
        }
    }

    private static double target(Transform transform, double[] slopes, double[] free) {
        double[] x = new double[slopes.length];
        double sum = transform.constrain(free, 1, x, 0);
        for (int i = 0; i < x.length; i++) {
            sum += 0.5 * slopes[i] * x[i] * x[i];
        }
        return sum;
    }

    @ParameterizedTest
    @MethodSource("transforms")
    void comesBack(Transform transform) {
        RandomStream random = RandomStream.ofSeed(9);
        int k = transform.freeDimension();
        for (int trial = 0; trial < 50; trial++) {
            double[] free = normals(random, k);
            double[] back = new double[k];
            transform.unconstrain(constrained(transform, free), 0, back, 0);
            assertThat(back).as(transform.name()).containsExactly(free, within(1e-11));
        }
    }

    /** Far out, where e^u overflows or a stick is used up, log-Jacobians stay numbers. */
    @ParameterizedTest
    @MethodSource("transforms")
    void staysANumberFarOut(Transform transform) {
        int k = transform.freeDimension();
        for (double far : new double[] {-300, 300}) {
            double[] free = new double[k];
            java.util.Arrays.fill(free, far);
            double[] x = new double[transform.dimension()];
            assertThat(transform.constrain(free, 0, x, 0)).as(transform.name()).isFinite();
            double[] gradient = new double[k];
            transform.pullBack(free, 0, x, 0, new double[x.length], gradient);
            for (double value : gradient) {
                assertThat(value).isFinite();
            }
        }
    }

    @Test
    void agreesWithGoldenValuesOfSoftplus() {
        Map<?, ?> golden = Golden.read("/dev/tacit/transform/softplus.json");
        Map<?, ?> forward = Golden.object(golden, "softplus");
        double[] u = Golden.numbers(Golden.object(forward, "inputs"), "x");
        double[] x = new double[u.length];
        Transforms.softplus(u.length).constrain(u, 0, x, 0);
        double[] expected = Golden.numbers(Golden.object(forward, "expected"), "y");
        for (int i = 0; i < u.length; i++) {
            assertThat(x[i] / expected[i]).isCloseTo(1, within(1e-14));
        }
        Map<?, ?> inverse = Golden.object(golden, "inverse_softplus");
        double[] y = Golden.numbers(Golden.object(inverse, "inputs"), "y");
        double[] back = new double[y.length];
        Transforms.softplus(y.length).unconstrain(y, 0, back, 0);
        assertThat(back).containsExactly(Golden.numbers(Golden.object(inverse, "expected"), "x"), within(1e-12));
    }

    @Test
    void putsTheMiddleOfASimplexAtZero() {
        double[] x = new double[4];
        Transforms.simplex(4).constrain(new double[3], 0, x, 0);
        assertThat(x).containsExactly(new double[] {0.25, 0.25, 0.25, 0.25}, within(1e-15));
    }

    @Test
    void putsBlocksOneBehindTheOther() {
        ParameterSpace space = ParameterSpace.of("weights", Transforms.real(2))
                .and("shares", Transforms.simplex(3))
                .and("sd", Transforms.positive(1));
        assertThat(space.names())
                .isEqualTo(List.of("weights[1]", "weights[2]", "shares[1]", "shares[2]", "shares[3]", "sd"));
        assertThat(space.freeNames()).isEqualTo(List.of("weights[1]", "weights[2]", "shares[1]", "shares[2]", "sd"));
        assertThat(space.at("sd")).isEqualTo(5);
        assertThat(space.freeDimension()).isEqualTo(5);
        double[] free = {1, 2, 0.3, -0.4, Math.log(3)};
        double[] x = new double[6];
        double jacobian = space.constrain(free, x);
        double[] part = new double[3];
        assertThat(jacobian).isCloseTo(Math.log(3) + Transforms.simplex(3).constrain(free, 2, part, 0), within(1e-14));
        assertThat(x[5]).isCloseTo(3, within(1e-14));
        double[] back = new double[5];
        space.unconstrain(x, back);
        assertThat(back).containsExactly(free, within(1e-13));
        assertThatThrownBy(() -> space.and("sd", Transforms.real(1))).hasMessageContaining("\"sd\"");
        assertThatThrownBy(() -> space.at("mean")).hasMessageContaining("\"mean\"");
        assertThatThrownBy(() -> Transforms.interval(1, 2, 2)).hasMessageContaining("below");
        assertThatThrownBy(() -> Transforms.simplex(1)).hasMessageContaining("two");
        assertThatThrownBy(() -> Transforms.real(0)).hasMessageContaining("one");
    }

    private static double[] normals(RandomStream random, int n) {
        double[] x = new double[n];
        random.fillNormal(x);
        return x;
    }

    private static double[] moved(double[] x, int at, double step) {
        double[] moved = x.clone();
        moved[at] += step;
        return moved;
    }

    private static double[] constrained(Transform transform, double[] free) {
        double[] x = new double[transform.dimension()];
        transform.constrain(free, 0, x, 0);
        return x;
    }

    private static double logAbsoluteDeterminant(int n, double[] a) {
        double[] gram = new double[n * n];
        LinearAlgebra.java().gram(n, n, 1, a, 0, gram);
        assertThat(LinearAlgebra.java().cholesky(n, gram)).isTrue();
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += Math.log(gram[i * n + i]);
        }
        return sum;
    }
}
