package dev.tacit.cli.audit;

import dev.tacit.audit.bound.OneRunBound;
import dev.tacit.audit.canary.CanaryScores;
import dev.tacit.audit.canary.CanaryVerdict;
import dev.tacit.audit.table.SyntheticTable;
import dev.tacit.data.schema.Schema;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.noise.NoiseSource;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.fit.artefact.DataShapes;
import dev.tacit.fit.artefact.ReleaseRecord;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.fit.run.RunWitness;
import dev.tacit.fit.text.Remark;
import dev.tacit.fit.text.Rounded;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.json.Json;
import dev.tacit.json.JsonFields;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.noise.SecureNoise;
import dev.tacit.run.method.DataShape;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Canaries in a fit: invented records in its own table, each there by the toss of a secret coin, and a guess of the coins from
 * what was released.
 *
 * <p>The coins stay in {@code sealed/} and are kept with the scores before anybody sees a release, so that a resumed run has heard
 * each release once. What is published is how many guesses were right: a function of coins, invented records and releases.
 */
public final class FitCanaries implements RunWitness {
    /** The smallest number of them: fewer guesses rule out no epsilon to speak of. */
    public static final int LEAST = 100;

    /** The largest number of them. */
    public static final int MOST = 100_000;

    private static final double CONFIDENCE = 0.999;
    private static final long ROWS = 20_261_118L;

    private final int count;
    private final OptionalLong seed;
    private DataShape shape;
    private FitFolder folder;
    private boolean[] coins;
    private CanaryScores scores;

    /**
     * @param count how many coins are tossed
     * @param seed of a simulation; empty for a release
     */
    public FitCanaries(int count, OptionalLong seed) {
        this.count = count;
        this.seed = seed;
    }

    @Override
    public void require(ReleasePlan kernelPlan, Schema schema, Optional<PrivacyBudget> budget) {
        if (count < LEAST) {
            throw FitException.usage(
                    "--canaries " + count + " are too few to show anything; use at least " + LEAST + ".");
        }
        if (budget.isEmpty()) {
            throw FitException.usage("--canaries look for what a guarantee hides, and --not-private has none.");
        }
        if (schema.privacyUnit().neighbours() != Neighbours.ADD_REMOVE) {
            throw FitException.usage("--canaries are added or not, and the schema protects units that are replaced;"
                    + " use neighbours: add-remove.");
        }
        if (!schema.columnsWithPrivateBounds().isEmpty() || kernelPlan.view().isPresent()) {
            throw FitException.usage(
                    "--canaries need declared bounds, and releases that see all records and not those of a party.");
        }
        int numbers = InferenceKernel.largestRelease(kernelPlan);
        if (numbers < CanaryScores.LEAST_DIMENSION) {
            throw FitException.usage("--canaries hide each other in releases of " + numbers + " numbers and show little"
                    + " below " + CanaryScores.LEAST_DIMENSION + "; use tacit audit, which shows much there.");
        }
        shape = DataShapes.of(schema);
    }

    @Override
    public Optional<RecordSource> beside(FitFolder fit, boolean resumed) {
        folder = fit;
        SyntheticTable table = SyntheticTable.ordinary(shape, count, 1, ROWS);
        if (resumed) {
            read(table);
        } else {
            toss(table);
        }
        return Optional.of(scores.records());
    }

    private void toss(SyntheticTable table) {
        NoiseSource source =
                seed.isPresent() ? ReplayNoise.ofSeed(seed.getAsLong()).fork(-1) : SecureNoise.create();
        coins = new boolean[count];
        for (int i = 0; i < count; i++) {
            coins[i] = source.below(2) == 0;
        }
        scores = new CanaryScores(table, coins);
        keep();
    }

    private void read(SyntheticTable table) {
        try {
            JsonFields kept = JsonFields.of(
                    Json.read(Files.readString(folder.coins(), StandardCharsets.UTF_8)),
                    folder.coins().toString());
            String tossed = kept.text("coins");
            if (tossed.length() != count) {
                throw FitException.usage("the run was started with --canaries " + tossed.length() + ".");
            }
            double[] before = kept.list("scores").stream()
                    .mapToDouble(score -> ((Number) score).doubleValue())
                    .toArray();
            coins = new boolean[count];
            for (int i = 0; i < count; i++) {
                coins[i] = tossed.charAt(i) == '1';
            }
            scores = new CanaryScores(table, coins, before, kept.integer("heard"));
        } catch (FitException e) {
            throw e;
        } catch (IOException | RuntimeException e) { // whatever a damaged file makes of itself
            throw new FitException(
                    FitException.Kind.BAD_DATA, folder.coins() + " cannot be read, so the run cannot be resumed.", e);
        }
    }

    private void keep() {
        StringBuilder tossed = new StringBuilder();
        for (boolean coin : coins) {
            tossed.append(coin ? '1' : '0');
        }
        List<Object> numbers = new ArrayList<>();
        for (double score : scores.scores()) {
            numbers.add(score);
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("format", "tacit-coins/1");
        json.put("coins", tossed.toString());
        json.put("heard", scores.heard());
        json.put("scores", numbers);
        folder.write(folder.coins(), Json.write(json) + "\n");
    }

    @Override
    public PrivateSession listening(PrivateSession session, NoiseMechanism mechanism) {
        return scores.listening(session, mechanism, this::keep);
    }

    @Override
    public void done(FitFolder fit, FitOutcome outcome) {
        ReleaseRecord.Privacy privacy = outcome.release().privacy().orElseThrow();
        CanaryVerdict verdict =
                scores.verdict(privacy.epsilon(), privacy.budget().delta(), CONFIDENCE);
        fit.write(fit.canaries(), Json.write(verdict.toJson()) + "\n");
    }

    /** What the canaries of a fit say, if it had any. */
    public static Optional<Remark> remark(FitFolder fit) {
        return read(fit)
                .map(json -> new Remark(
                        "canaries",
                        json.text("sentence") + " So epsilon is at least " + Rounded.down(json.number("auditedEpsilon"))
                                + " at confidence " + Rounded.asGiven(json.number("confidence"))
                                + "; they are part of what was fitted."));
    }

    /** The published result of a fit that had canaries. */
    static Optional<JsonFields> read(FitFolder fit) {
        if (!Files.exists(fit.canaries())) {
            return Optional.empty();
        }
        try {
            return Optional.of(JsonFields.of(
                    Json.read(Files.readString(fit.canaries(), StandardCharsets.UTF_8)),
                    fit.canaries().toString()));
        } catch (IOException | IllegalArgumentException e) {
            throw new FitException(FitException.Kind.BAD_DATA, fit.canaries() + " cannot be read.", e);
        }
    }

    /** The same as a verdict. */
    static Optional<CanaryVerdict> verdict(FitFolder fit) {
        return read(fit)
                .map(json -> new CanaryVerdict(
                        new OneRunBound((int) json.integer("canaries"), (int) json.integer("guesses"), (int)
                                json.integer("right")),
                        json.number("claimedEpsilon"),
                        json.number("delta"),
                        json.number("auditedEpsilon"),
                        json.number("confidence")));
    }
}
