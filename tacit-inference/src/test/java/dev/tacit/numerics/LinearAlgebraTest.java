package dev.tacit.numerics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every implementation against textbook loops, in sizes below, at and above every block and switch. */
class LinearAlgebraTest {
    private static final int[] SIZES = {1, 2, 3, 5, 47, 48, 49, 51, 97, 130};

    static Stream<LinearAlgebra> implementations() {
        return Stream.of(LinearAlgebra.best(), LinearAlgebra.java());
    }

    private static double[] random(RandomStream random, int size) {
        double[] values = new double[size];
        random.fillNormal(values);
        return values;
    }

    /** A random matrix with eigenvalues between about 1 and n. */
    static double[] positiveDefinite(RandomStream random, int n) {
        double[] root = random(random, n * n);
        double[] matrix = SymmetricMatrix.scaledIdentity(n, 1);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                for (int k = 0; k < n; k++) {
                    matrix[i * n + j] += root[i * n + k] * root[j * n + k] / n;
                }
            }
        }
        SymmetricMatrix.mirrorLower(n, matrix);
        return matrix;
    }

    private static double at(boolean transposed, double[] a, int rows, int columns, int i, int j) {
        return transposed ? a[j * rows + i] : a[i * columns + j];
    }

    private static void assertClose(double[] actual, double[] expected, double tolerance) {
        assertThat(actual.length).isEqualTo(expected.length);
        double worst = 0;
        for (int i = 0; i < expected.length; i++) {
            double error = Math.abs(actual[i] - expected[i]);
            worst = error <= worst ? worst : error;
        }
        assertThat(worst).isLessThanOrEqualTo(tolerance);
    }

    @ParameterizedTest
    @MethodSource("implementations")
    void multipliesMatrices(LinearAlgebra algebra) {
        RandomStream random = RandomStream.ofSeed(1);
        for (int trial = 0; trial < 60; trial++) {
            int m = 1 + random.nextInt(40);
            int n = 1 + random.nextInt(40);
            int k = 1 + random.nextInt(40);
            boolean aTransposed = random.nextInt(2) == 0;
            boolean bTransposed = random.nextInt(2) == 0;
            double beta = random.nextInt(2);
            double[] a = random(random, m * k);
            double[] b = random(random, k * n);
            double[] c = random(random, m * n);
            double[] expected = new double[m * n];
            for (int i = 0; i < m; i++) {
                for (int j = 0; j < n; j++) {
                    double sum = beta * c[i * n + j];
                    for (int t = 0; t < k; t++) {
                        sum += 0.7 * at(aTransposed, a, m, k, i, t) * at(bTransposed, b, k, n, t, j);
                    }
                    expected[i * n + j] = sum;
                }
            }
            algebra.multiply(aTransposed, bTransposed, m, n, k, 0.7, a, b, beta, c);
            assertClose(c, expected, 1e-13);
        }
    }

    @ParameterizedTest
    @MethodSource("implementations")
    void multipliesVectorsAndFormsGramMatrices(LinearAlgebra algebra) {
        RandomStream random = RandomStream.ofSeed(2);
        for (int trial = 0; trial < 60; trial++) {
            int rows = 1 + random.nextInt(300);
            int columns = 1 + random.nextInt(100);
            double[] a = random(random, rows * columns);
            for (boolean transposed : new boolean[] {false, true}) {
                double[] x = random(random, transposed ? rows : columns);
                double[] y = random(random, transposed ? columns : rows);
                double[] expected = new double[y.length];
                for (int i = 0; i < y.length; i++) {
                    expected[i] = -0.5 * y[i];
                    for (int j = 0; j < x.length; j++) {
                        expected[i] += 2 * at(transposed, a, y.length, x.length, i, j) * x[j];
                    }
                }
                algebra.multiplyVector(transposed, rows, columns, 2, a, x, -0.5, y);
                assertClose(y, expected, 1e-12);
            }
            double[] gram = new double[columns * columns];
            double[] product = new double[columns * columns];
            Arrays.fill(gram, Double.NaN);
            algebra.gram(rows, columns, 1.5, a, 0, gram);
            algebra.multiply(true, false, columns, columns, rows, 1.5, a, a, 0, product);
            assertClose(gram, product, 1e-11);
            assertThat(SymmetricMatrix.isSymmetricAndFinite(columns, gram)).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("implementations")
    void factorsSolvesAndInverts(LinearAlgebra algebra) {
        RandomStream random = RandomStream.ofSeed(3);
        for (int n : SIZES) {
            double[] matrix = positiveDefinite(random, n);
            double[] factor = matrix.clone();
            assertThat(algebra.cholesky(n, factor)).isTrue();
            double[] product = new double[n * n];
            algebra.multiply(false, true, n, n, n, 1, factor, factor, 0, product);
            assertClose(product, matrix, 1e-13);
            double[] lower = factor.clone();
            for (int i = 0; i < n; i++) {
                Arrays.fill(lower, i * n + i + 1, (i + 1) * n, 0);
            }
            assertThat(factor).isEqualTo(lower);
            for (int columns : new int[] {1, 3}) {
                double[] x = random(random, n * columns);
                double[] b = new double[n * columns];
                algebra.multiply(false, false, n, columns, n, 1, matrix, x, 0, b);
                algebra.solveCholesky(n, factor, columns, b);
                assertClose(b, x, 1e-12);
            }
            double[] x = random(random, n);
            double[] b = new double[n];
            algebra.multiplyVector(false, n, n, 1, factor, x, 0, b);
            algebra.solveLower(n, factor, b);
            assertClose(b, x, 1e-12);
            algebra.multiplyVector(true, n, n, 1, factor, x, 0, b);
            algebra.solveLowerTransposed(n, factor, b);
            assertClose(b, x, 1e-12);
            double[] inverse = matrix.clone();
            assertThat(algebra.invert(n, inverse)).isTrue();
            assertThat(SymmetricMatrix.isSymmetricAndFinite(n, inverse)).isTrue();
            algebra.multiply(false, false, n, n, n, 1, inverse, matrix, 0, product);
            assertClose(product, SymmetricMatrix.scaledIdentity(n, 1), 1e-12);
        }
    }

    @ParameterizedTest
    @MethodSource("implementations")
    void saysWhenAMatrixIsNotPositiveDefinite(LinearAlgebra algebra) {
        RandomStream random = RandomStream.ofSeed(4);
        for (int n : SIZES) {
            for (int bad : new int[] {0, n / 2, n - 1}) {
                for (double entry : new double[] {-1, 0, Double.NaN, Double.POSITIVE_INFINITY}) {
                    double[] matrix = positiveDefinite(random, n);
                    matrix[bad * n + bad] = entry;
                    assertThat(algebra.cholesky(n, matrix))
                            .as("%d %d %s", n, bad, entry)
                            .isFalse();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("implementations")
    void findsEigenvectors(LinearAlgebra algebra) {
        RandomStream random = RandomStream.ofSeed(5);
        for (int n : SIZES) {
            double[] matrix = random(random, n * n);
            SymmetricMatrix.mirrorLower(n, matrix);
            double[] before = matrix.clone();
            SymmetricEigen eigen = algebra.eigen(n, matrix);
            assertThat(matrix).isEqualTo(before);
            double[] values = eigen.values();
            assertThat(values).isSorted();
            double[] vectors = eigen.vectors();
            for (int k = 0; k < n; k++) {
                double[] vector = Arrays.copyOfRange(vectors, k * n, (k + 1) * n);
                double[] image = new double[n];
                algebra.multiplyVector(false, n, n, 1, matrix, vector, 0, image);
                double[] scaled = new double[n];
                double largest = 0;
                for (int i = 0; i < n; i++) {
                    scaled[i] = values[k] * vector[i];
                    largest = Math.abs(vector[i]) > Math.abs(largest) ? vector[i] : largest;
                }
                assertClose(image, scaled, 1e-12);
                assertThat(largest).isPositive();
            }
            double[] identity = new double[n * n];
            algebra.multiply(false, true, n, n, n, 1, vectors, vectors, 0, identity);
            assertClose(identity, SymmetricMatrix.scaledIdentity(n, 1), 1e-13);
            assertClose(eigen.weighted(values), matrix, 1e-12);
        }
    }

    @ParameterizedTest
    @MethodSource("implementations")
    void givesTheSameBitsColdAndCompiled(LinearAlgebra algebra) {
        int n = 60;
        double[] matrix = positiveDefinite(RandomStream.ofSeed(6), n);
        double[] first = matrix.clone();
        assertThat(algebra.invert(n, first)).isTrue();
        double[] firstVectors = algebra.eigen(n, matrix).vectors();
        double[] firstGram = new double[n * n];
        algebra.gram(n, n, 1, matrix, 0, firstGram);
        for (int i = 0; i < 200; i++) {
            double[] again = matrix.clone();
            assertThat(algebra.invert(n, again)).isTrue();
            assertThat(Arrays.equals(again, first)).isTrue();
            double[] gram = new double[n * n];
            algebra.gram(n, n, 1, matrix, 0, gram);
            assertThat(Arrays.equals(gram, firstGram)).isTrue();
        }
        assertThat(algebra.eigen(n, matrix).vectors()).isEqualTo(firstVectors);
    }

    @ParameterizedTest
    @MethodSource("implementations")
    void takesEmptyMatricesAndRefusesShortArrays(LinearAlgebra algebra) {
        double[] y = {1, 2};
        algebra.multiplyVector(false, 2, 0, 1, new double[0], new double[0], 3, y);
        assertThat(y).containsExactly(3, 6);
        algebra.gram(0, 1, 1, new double[0], 0, y);
        assertThat(y).containsExactly(0, 6);
        assertThatThrownBy(() -> algebra.gram(2, 2, 1, new double[3], 0, new double[4]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("too short");
    }

    @Test
    void symmetricMatricesAreVectorsOfTheSameLength() {
        RandomStream random = RandomStream.ofSeed(7);
        int n = 9;
        double[] a = positiveDefinite(random, n);
        double[] b = positiveDefinite(random, n);
        double[] vector = SymmetricMatrix.toVector(n, a);
        double[] other = SymmetricMatrix.toVector(n, b);
        double inner = 0;
        double products = 0;
        for (int i = 0; i < vector.length; i++) {
            inner += vector[i] * other[i];
        }
        for (int i = 0; i < n * n; i++) {
            products += a[i] * b[i];
        }
        assertThat(inner).isCloseTo(products, within(1e-12));
        assertThat(SymmetricMatrix.traceOfProduct(n, a, b)).isCloseTo(products, within(1e-12));
        assertClose(SymmetricMatrix.fromVector(n, vector, 0), a, 1e-15);
        for (int i = 0; i < n; i++) {
            assertThat(SymmetricMatrix.vectorIndex(i, i)).isEqualTo(i * (i + 3) / 2);
            assertThat(vector[i * (i + 3) / 2]).isEqualTo(a[i * n + i]);
            for (int j = 0; j < i; j++) {
                assertThat(SymmetricMatrix.vectorIndex(j, i)).isEqualTo(i * (i + 1) / 2 + j);
                assertThat(vector[i * (i + 1) / 2 + j]).isEqualTo(Math.sqrt(2) * a[i * n + j]);
            }
        }
        double[] x = random(random, n);
        double[] image = new double[n];
        LinearAlgebra.best().multiplyVector(false, n, n, 1, a, x, 0, image);
        double form = 0;
        for (int i = 0; i < n; i++) {
            form += x[i] * image[i];
        }
        assertThat(SymmetricMatrix.quadraticForm(n, a, x)).isCloseTo(form, within(1e-12));
    }

    @Test
    void raisesEigenvaluesToAFloor() {
        RandomStream random = RandomStream.ofSeed(8);
        for (int n : SIZES) {
            double[] matrix = random(random, n * n);
            SymmetricMatrix.mirrorLower(n, matrix);
            double[] before = LinearAlgebra.best().eigen(n, matrix).values();
            double[] raised = SymmetricMatrix.withEigenvaluesAtLeast(0.1, n, matrix);
            assertThat(SymmetricMatrix.isSymmetricAndFinite(n, raised)).isTrue();
            double[] after = LinearAlgebra.best().eigen(n, raised).values();
            double logDeterminant = 0;
            for (int k = 0; k < n; k++) {
                assertThat(after[k]).isCloseTo(Math.max(0.1, before[k]), within(1e-12));
                logDeterminant += Math.log(after[k]);
            }
            assertThat(SymmetricMatrix.logDeterminant(n, raised)).isCloseTo(logDeterminant, within(1e-9));
            double[] good = positiveDefinite(random, n);
            assertThat(SymmetricMatrix.withEigenvaluesAtLeast(0.5, n, good)).isEqualTo(good);
        }
        assertThat(SymmetricMatrix.logDeterminant(1, new double[] {-1})).isNaN();
    }

    /** Neither a logger, nor native code, nor the virtual machine prints when the best implementation is chosen. */
    @Test
    void startsWithoutASound() throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        java, "-cp", System.getProperty("java.class.path"), SilentStart.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        assertThat(output).isEqualTo(LinearAlgebra.best().name());
    }
}
