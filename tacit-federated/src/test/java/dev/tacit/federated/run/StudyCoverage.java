package dev.tacit.federated.run;

import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.federated.study.StudyFixture;
import dev.tacit.fit.federation.FederationRequest;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * How often the intervals of whole studies hold the coefficients that their records were drawn from: every study has keys, tables, noise
 * and an absent party of its own.
 *
 * <pre>
 *   java -cp ... dev.tacit.federated.run.StudyCoverage STUDIES SEED ROWS EPSILON FOLDER
 * </pre>
 *
 * ROWS are those of each party. Studies run beside each other, because most of their time somebody waits for somebody.
 */
final class StudyCoverage {
    private static final int PARTIES = 5;
    private static final Duration PATIENCE = Duration.ofMillis(700);
    private static final int BESIDE_EACH_OTHER = 8;
    private static final double[] LEVELS = {0.5, 0.9, 0.95};

    /** What {@link PlayedParties} draws records from. */
    private static final Map<String, Double> TRUTH =
            Map.of("(Intercept)", 3 + 18 * 0.05, "age", -0.05, "income", -0.03);

    private StudyCoverage() {}

    public static void main(String[] args) throws Exception {
        int studies = Integer.parseInt(args[0]);
        RandomStream random = RandomStream.ofSeed(Long.parseLong(args[1]));
        int rows = Integer.parseInt(args[2]);
        PrivacyBudget budget = new PrivacyBudget(Double.parseDouble(args[3]), 1e-6);
        Path folder = Files.createDirectories(Path.of(args[4]));
        ExecutorService threads = Executors.newFixedThreadPool(BESIDE_EACH_OTHER);
        List<Future<Outcome>> played = new ArrayList<>();
        for (int study = 0; study < studies; study++) {
            Path own = Files.createDirectory(folder.resolve("study-" + study));
            RandomStream records = random.fork(study);
            played.add(threads.submit(() -> play(own, rows, budget, records)));
        }
        long[] held = new long[LEVELS.length];
        long asked = 0;
        double noise = 0;
        for (Future<Outcome> each : played) {
            Outcome outcome = each.get();
            asked += TRUTH.size();
            noise += outcome.noiseFactor() / studies;
            for (int level = 0; level < LEVELS.length; level++) {
                held[level] += outcome.held()[level];
            }
        }
        threads.shutdown();
        System.out.printf(
                "%d studies of %d parties, one of them absent, noise %.3f of a curator's%n", studies, PARTIES, noise);
        for (int level = 0; level < LEVELS.length; level++) {
            System.out.printf("%.0f %% intervals hold %d of %d%n", 100 * LEVELS[level], held[level], asked);
        }
    }

    /**
     * Of one study.
     *
     * @param held how many intervals of each level hold the truth
     * @param noiseFactor of its noise over a curator's
     */
    private record Outcome(long[] held, double noiseFactor) {}

    private static Outcome play(Path folder, int rows, PrivacyBudget budget, RandomStream records) throws Exception {
        FederationRequest.FittedWish wish = new FederationRequest.FittedWish(
                Optional.of("late ~ age + income"), Optional.empty(), Optional.empty(), Optional.empty(), Map.of());
        PlayedParties parties = new PlayedParties(
                folder, StudyFixture.schema((long) PARTIES * rows), wish, budget, PARTIES, 1, rows, records);
        FitOutcome outcome = parties.play(parties.names.subList(0, PARTIES - 1), PATIENCE);
        Posterior posterior = outcome.fitted().posterior();
        long[] held = new long[LEVELS.length];
        for (int i = 0; i < posterior.dimension(); i++) {
            double truth = TRUTH.get(posterior.parameterNames().get(i));
            for (int level = 0; level < LEVELS.length; level++) {
                double tail = (1 - LEVELS[level]) / 2;
                boolean holds = posterior.quantile(i, tail) <= truth && truth <= posterior.quantile(i, 1 - tail);
                held[level] += holds ? 1 : 0;
            }
        }
        return new Outcome(held, outcome.release().study().orElseThrow().noiseFactor());
    }
}
