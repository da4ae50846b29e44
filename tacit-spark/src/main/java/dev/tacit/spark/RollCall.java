package dev.tacit.spark;

import dev.tacit.data.prepare.EngineException;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function;

/**
 * Whether an executor computes as the driver does, to the last bit.
 *
 * <p>A record's contribution must not depend on which machine computes it, because where a record goes depends on others. Sums,
 * products and square roots are the same everywhere; Java lets elementary functions differ in the last bit between runtimes and
 * processors. So driver and executors compare: the runtime's version and architecture, 4096 values of each elementary function, and
 * the bytes of Tacit's own jars.
 *
 * @param expected the driver's answer
 */
record RollCall(String expected) implements Serializable {
    private static final int VALUES = 4096;

    /** How long to wait for the first executor: a busy cluster may have to make room. */
    private static final int PATIENCE_MINUTES = 5;

    /** Classes whose jars decide what a part contributes. */
    private static final List<String> CODE = List.of(
            "dev.tacit.door.sum.PartSums",
            "dev.tacit.noise.KeyedBatch",
            "dev.tacit.engine.LocalSummation",
            "dev.tacit.data.prepare.PartEncoder",
            "dev.tacit.json.Json",
            "dev.tacit.inference.InferenceKernel",
            "dev.tacit.fit.Fit",
            "dev.tacit.spark.RollCall");

    private static final List<DoubleUnaryOperator> FUNCTIONS = List.of(
            Math::exp,
            Math::expm1,
            Math::sin,
            Math::cos,
            Math::tan,
            Math::atan,
            Math::tanh,
            Math::sinh,
            Math::cosh,
            Math::cbrt,
            x -> Math.log(Math.abs(x)),
            x -> Math.log10(Math.abs(x)),
            x -> Math.log1p(Math.abs(x)),
            x -> Math.pow(Math.abs(x), x / 7),
            x -> Math.hypot(x, 3),
            x -> Math.atan2(x, 2),
            x -> Math.asin(x / 512),
            x -> Math.acos(x / 512),
            x -> Math.sqrt(Math.abs(x)),
            x -> Math.fma(x, x, 1 / 3.0));

    /** The answer of this process, computed once. */
    private static final class Here {
        static final String ANSWER = answer();

        private Here() {}
    }

    /** What executors are compared with: this process. */
    static RollCall ofDriver() {
        return new RollCall(Here.ANSWER);
    }

    static EngineException refusal() {
        return EngineException.refused(
                "an executor has another Java, processor or Tacit than the driver, and might compute"
                        + " other last digits; give all machines the same ones");
    }

    /** Asks the executors that are there now, each several times, as Spark does not say which one takes a task. */
    void require(SparkContext spark) {
        int tasks = Math.max(1, 2 * spark.defaultParallelism());
        List<Integer> numbers = IntStream.range(0, tasks).boxed().toList();
        boolean all = SparkEngine.ran(
                "the cluster has no executor that answers; check its address, its secret and whether it has room",
                () -> JavaSparkContext.fromSparkContext(spark)
                        .parallelize(numbers, tasks)
                        .map(new Answer(this))
                        .collectAsync()
                        .get(PATIENCE_MINUTES, TimeUnit.MINUTES)
                        .stream()
                        .allMatch(Boolean::booleanValue));
        if (!all) {
            throw refusal();
        }
    }

    /** What an executor answers. */
    private record Answer(RollCall roll) implements Function<Integer, Boolean> {
        @Override
        public Boolean call(Integer number) {
            return TaskFailure.guarded(roll::answered);
        }
    }

    /** Whether this process answers as expected. */
    boolean answered() {
        return expected.equals(Here.ANSWER);
    }

    private static String answer() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String property : List.of("java.vm.name", "java.vm.version", "os.arch")) {
                digest.update(System.getProperty(property, "").getBytes(StandardCharsets.UTF_8));
                digest.update((byte) 0);
            }
            ByteBuffer bits = ByteBuffer.allocate(Double.BYTES);
            for (DoubleUnaryOperator function : FUNCTIONS) {
                for (int i = 0; i < VALUES; i++) {
                    // From −256 to 256, no two steps alike.
                    double x = (i - VALUES / 2) / 8.0 + Math.sqrt(i + 2.0) * 0x1p-6;
                    digest.update(
                            bits.clear().putDouble(function.applyAsDouble(x)).array());
                }
            }
            for (String code : CODE) {
                digest.update(bytesOf(code));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** A digest of the jar, or of the folder of classes, that a class came from. */
    private static byte[] bytesOf(String code) throws NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        try {
            Path place = Path.of(Class.forName(code, false, RollCall.class.getClassLoader())
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            if (Files.isRegularFile(place)) {
                digest.update(Files.readAllBytes(place));
                return digest.digest();
            }
            try (Stream<Path> files = Files.walk(place)) {
                for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                    digest.update(place.relativize(file).toString().getBytes(StandardCharsets.UTF_8));
                    digest.update(Files.readAllBytes(file));
                }
            }
            return digest.digest();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ClassNotFoundException e) {
            return digest.digest(); // a program without it sends no queries of it
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the place of a class has no path", e);
        }
    }
}
