package dev.tacit.benchmarks;

import dev.tacit.experiments.mcmc.ConstrainedDensity;
import dev.tacit.experiments.mcmc.LogDensity;
import dev.tacit.experiments.mcmc.NoUTurnSampler;
import dev.tacit.experiments.mcmc.NutsResult;
import dev.tacit.experiments.mcmc.NutsSettings;
import dev.tacit.json.Json;
import dev.tacit.json.JsonFields;
import dev.tacit.numerics.RandomStream;
import dev.tacit.transform.ParameterSpace;
import dev.tacit.transform.Transforms;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/**
 * Prints effective draws per CPU second of {@link NoUTurnSampler} beside Stan's sampler, on two regressions of
 * posteriordb, both measured now on this machine.
 *
 * <p>Start it with {@code TACIT_DATA=... tacit-benchmarks/run beside-stan}; it needs the folder {@code posteriordb} and
 * R with rstan. Both have four chains of 1000 + 1000 transitions, target acceptance 0.8, a diagonal mass matrix, random
 * starts, and the same estimate of the effective sample size (the smallest bulk size of all parameters). Times are CPU
 * times of all chains, warm-up included; compiling Stan's model is not. Stan's model is its fused linear regression,
 * whose gradient is written by hand, as ours is. Ours runs three times and the first run, in a cold machine, is printed
 * as well.
 */
public final class BesideStan {
    private static final int REPETITIONS = 3;

    private BesideStan() {}

    /** Prints the table. */
    public static void main(String[] arguments) throws IOException {
        String folder = System.getenv("TACIT_DATA");
        if (folder == null) {
            throw new IOException("TACIT_DATA must name the folder that has posteriordb");
        }
        Path data = Path.of(folder, "posteriordb", "data");
        Path scripts = scripts();
        try {
            kidscore(scripts, read(data.resolve("kidiq.json.zip")));
            nes(scripts, read(data.resolve("nes2000.json.zip")));
        } finally {
            delete(scripts);
        }
    }

    private static void kidscore(Path scripts, Map<?, ?> data) throws IOException {
        double[] score = numbers(data, "mom_iq");
        double[] school = numbers(data, "mom_hs");
        double[] product = score.clone();
        for (int i = 0; i < product.length; i++) {
            product[i] *= school[i];
        }
        double[] x = columns(ones(score.length), school, score, product);
        compare(scripts, "kidiq-kidscore_interaction", x, numbers(data, "kid_score"), 2.5);
    }

    private static void nes(Path scripts, Map<?, ?> data) throws IOException {
        double[] age = numbers(data, "age_discrete");
        double[] x = columns(
                ones(age.length),
                numbers(data, "real_ideo"),
                numbers(data, "race_adj"),
                equal(age, 2),
                equal(age, 3),
                equal(age, 4),
                numbers(data, "educ1"),
                numbers(data, "gender"),
                numbers(data, "income"));
        compare(scripts, "nes2000-nes", x, numbers(data, "partyid7"), 0);
    }

    private static void compare(Path scripts, String name, double[] x, double[] y, double cauchyScale)
            throws IOException {
        Regression regression = new Regression(x, y, cauchyScale);
        ParameterSpace space =
                ParameterSpace.of("beta", Transforms.real(regression.columns)).and("sigma", Transforms.positive(1));
        System.out.printf(Locale.ROOT, "%s, %d rows, %d parameters%n", name, y.length, space.dimension());
        JsonFields stan = stan(scripts, x, y, cauchyScale);
        double theirs = stan.number("effectiveDraws") / stan.number("seconds");
        System.out.printf(
                Locale.ROOT,
                "  %-16s %8.0f effective draws, %7.3f CPU s, %5.1f leapfrogs, %9.0f a second%n",
                "rstan " + stan.text("version"),
                stan.number("effectiveDraws"),
                stan.number("seconds"),
                stan.number("leapfrogs"),
                theirs);
        for (int run = 0; run < REPETITIONS; run++) {
            long before = processCpu();
            NutsResult result = new NoUTurnSampler(NutsSettings.standard())
                    .sample(space.freeNames(), new ConstrainedDensity(space, regression), RandomStream.ofSeed(run))
                    .constrained(space);
            double seconds = (processCpu() - before) * 1e-9;
            double draws = result.diagnostics().stream()
                    .mapToDouble(diagnostics -> diagnostics.bulkSampleSize())
                    .min()
                    .orElseThrow();
            System.out.printf(
                    Locale.ROOT,
                    "  %-16s %8.0f effective draws, %7.3f CPU s, %5.1f leapfrogs, %9.0f a second, ratio %.2f%n",
                    "tacit, run " + (run + 1),
                    draws,
                    seconds,
                    result.meanLeapfrogs(),
                    draws / seconds,
                    draws / seconds / theirs);
        }
    }

    private static long processCpu() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    /**
     * y ~ N(Xβ, σ²), β flat, σ half-Cauchy or flat; value and gradient in β and σ. X is kept column after column, so that the
     * residuals are loops that the compiler vectorises, and sums are taken in four interleaved parts.
     */
    private static final class Regression implements LogDensity {
        final int columns;
        private final double[][] x;
        private final double[] y;
        private final double scale;
        private final double[] residuals;

        Regression(double[] x, double[] y, double scale) {
            this.columns = x.length / y.length;
            this.x = new double[columns][y.length];
            for (int i = 0; i < x.length; i++) {
                this.x[i % columns][i / columns] = x[i];
            }
            this.y = y;
            this.scale = scale;
            this.residuals = new double[y.length];
        }

        private Regression(Regression other) {
            this.columns = other.columns;
            this.x = other.x;
            this.y = other.y;
            this.scale = other.scale;
            this.residuals = new double[y.length];
        }

        @Override
        public LogDensity worker() {
            return new Regression(this);
        }

        @Override
        public int dimension() {
            return columns + 1;
        }

        @Override
        public double valueAndGradient(double[] point, double[] gradient) {
            System.arraycopy(y, 0, residuals, 0, y.length);
            for (int j = 0; j < columns; j++) {
                subtract(residuals, point[j], x[j]);
            }
            double squares = dot(residuals, residuals);
            double sigma = point[columns];
            double precision = 1 / (sigma * sigma);
            for (int j = 0; j < columns; j++) {
                gradient[j] = dot(x[j], residuals) * precision;
            }
            gradient[columns] = (squares * precision - y.length) / sigma;
            double value = -0.5 * squares * precision - y.length * Math.log(sigma);
            if (scale > 0) {
                double ratio = sigma / scale;
                value -= Math.log1p(ratio * ratio);
                gradient[columns] -= 2 * ratio / scale / (1 + ratio * ratio);
            }
            return value;
        }

        private static void subtract(double[] sum, double factor, double[] column) {
            for (int i = 0; i < sum.length; i++) {
                sum[i] -= factor * column[i];
            }
        }

        private static double dot(double[] a, double[] b) {
            double first = 0;
            double second = 0;
            double third = 0;
            double fourth = 0;
            int i = 0;
            for (; i + 3 < a.length; i += 4) {
                first += a[i] * b[i];
                second += a[i + 1] * b[i + 1];
                third += a[i + 2] * b[i + 2];
                fourth += a[i + 3] * b[i + 3];
            }
            for (; i < a.length; i++) {
                first += a[i] * b[i];
            }
            return first + second + (third + fourth);
        }
    }

    // ---- Stan ------------------------------------------------------------------------------------------------------

    private static Path scripts() throws IOException {
        Path folder = Files.createTempDirectory("beside-stan");
        for (String name : new String[] {"regression.stan", "regression.R"}) {
            try (InputStream source = BesideStan.class.getResourceAsStream(name)) {
                Files.write(folder.resolve(name), source.readAllBytes());
            }
        }
        return folder;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static JsonFields stan(Path folder, double[] x, double[] y, double scale) throws IOException {
        int columns = x.length / y.length;
        StringBuilder table = new StringBuilder();
        for (int row = 0; row < y.length; row++) {
            table.append(y[row]);
            for (int j = 0; j < columns; j++) {
                table.append(' ').append(x[row * columns + j]);
            }
            table.append('\n');
        }
        Files.writeString(folder.resolve("table.txt"), table);
        Process process = new ProcessBuilder("Rscript", "regression.R", String.valueOf(scale))
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int start = answer.lastIndexOf("{\"version\"");
        if (start < 0) {
            throw new IOException("Rscript with the packages rstan and posterior is needed to compare with Stan");
        }
        return JsonFields.of(Json.read(answer.substring(start).strip()), "");
    }

    // ---- data ------------------------------------------------------------------------------------------------------

    private static Map<?, ?> read(Path file) throws IOException {
        try (ZipFile zip = new ZipFile(file.toFile());
                InputStream stream = zip.getInputStream(zip.entries().nextElement())) {
            return (Map<?, ?>) Json.read(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private static double[] numbers(Map<?, ?> data, String name) {
        return ((List<?>) data.get(name))
                .stream().mapToDouble(v -> ((Number) v).doubleValue()).toArray();
    }

    private static double[] ones(int n) {
        double[] ones = new double[n];
        Arrays.fill(ones, 1);
        return ones;
    }

    private static double[] equal(double[] x, double value) {
        return Arrays.stream(x).map(v -> v == value ? 1 : 0).toArray();
    }

    private static double[] columns(double[]... columns) {
        double[] x = new double[columns[0].length * columns.length];
        for (int i = 0; i < x.length; i++) {
            x[i] = columns[i % columns.length][i / columns.length];
        }
        return x;
    }
}
