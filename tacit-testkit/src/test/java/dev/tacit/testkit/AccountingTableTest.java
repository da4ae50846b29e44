package dev.tacit.testkit;

import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.accounting.calibrate.CalibrationException;
import dev.tacit.accounting.calibrate.NoiseCalibration;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.testkit.accountant.GoldenCase;
import dev.tacit.testkit.accountant.GoldenCase.PeerAnswer;
import dev.tacit.testkit.accountant.GoldenCase.Question;
import dev.tacit.testkit.accountant.GoldenCases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Prints, for every golden case, our error, width and seconds beside those of other libraries; nothing is asserted.
 *
 * <p>Our seconds are for one call in a warm JVM, after a first call on the same question; peers' are processor seconds
 * from vectors/accounting.json. The table is left in {@code target/accounting-table.txt}.
 */
class AccountingTableTest {
    private static final List<String> PEERS =
            List.of("google_pld", "google_rdp", "ms_prv", "opacus_prv", "autodp_rdp", "fourier_fft");

    private final PrivacyAccountant exact = new ExactAccountant();

    /** What we answer: the number that would be reported, the width of the interval (0 if none), and the time. */
    private record Ours(double reported, double width, double seconds) {}

    /** Prints the table. */
    public static void main(String[] arguments) throws CalibrationException {
        System.out.print(new AccountingTableTest().table());
    }

    @Test
    void writeTable() throws CalibrationException, IOException {
        Path file = Path.of("target", "accounting-table.txt");
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, table());
    }

    private String table() throws CalibrationException {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT, "%-34s %22s %10s %9s %10s", "case", "truth", "our error", "width", "seconds"));
        for (String peer : PEERS) {
            text.append(String.format(Locale.ROOT, " | %11s %8s", peer, "s"));
        }
        text.append(String.format(Locale.ROOT, "%n(! a bound below the truth; - no answer)%n"));
        for (GoldenCase golden : GoldenCases.accounting()) {
            ask(golden);
            Ours ours = ask(golden);
            Optional<Double> truth = golden.truth().map(known -> known.value().doubleValue());
            text.append(String.format(
                    Locale.ROOT,
                    "%-34s %22s %10s %9.1e %10.6f",
                    golden.id(),
                    truth.map(String::valueOf).orElse("unknown"),
                    truth.map(known -> error(ours.reported(), known))
                            .orElse(String.format(Locale.ROOT, "=%.5g", ours.reported())),
                    ours.width(),
                    ours.seconds()));
            for (String peer : PEERS) {
                text.append(peerCell(golden.peers().get(peer), truth));
            }
            text.append(String.format(Locale.ROOT, "%n"));
        }
        return text.toString();
    }

    private static String error(double reported, double truth) {
        return String.format(Locale.ROOT, "%.1e", reported - truth);
    }

    private static String peerCell(PeerAnswer answer, Optional<Double> truth) {
        if (answer == null) {
            return String.format(Locale.ROOT, " | %11s %8s", "", "");
        }
        Optional<Double> reported = answer.reported();
        String error = "-";
        if (reported.isPresent() && truth.isPresent()) {
            boolean invalid = (answer.numbers().containsKey("upper") && reported.get() < truth.get())
                    || (answer.numbers().containsKey("lower")
                            && answer.numbers().get("lower") > truth.get());
            error = (invalid ? "!" : "") + error(reported.get(), truth.get());
        }
        return String.format(Locale.ROOT, " | %11s %8.4f", error, answer.seconds());
    }

    private Ours ask(GoldenCase golden) throws CalibrationException {
        Question question = golden.question();
        long start = System.nanoTime();
        double reported = Double.NaN;
        double width = 0;
        if (question instanceof Question.Epsilon epsilon) {
            EpsilonBound bound = exact.epsilon(epsilon.event(), epsilon.delta(), golden.neighbours());
            reported = bound.upper();
            width = bound instanceof EpsilonBound.Between between ? between.epsilon() - between.lower() : 0;
        } else if (question instanceof Question.NoiseMultiplier noise) {
            reported = NoiseCalibration.noiseMultiplier(noise::event, noise.target(), exact, golden.neighbours());
        } else if (question instanceof Question.RenyiDivergence renyi) {
            reported = new RenyiAccountant()
                    .divergence(
                            PrivacyEvent.gaussian(renyi.noiseMultiplier()).poissonSampled(renyi.rate()),
                            renyi.order(),
                            golden.neighbours());
        } else if (question instanceof Question.ZeroConcentratedEpsilon zeroConcentrated) {
            reported = new RenyiAccountant()
                    .epsilon(zeroConcentrated.event(), zeroConcentrated.delta(), golden.neighbours())
                    .upper();
        }
        return new Ours(reported, width, (System.nanoTime() - start) * 1e-9);
    }
}
