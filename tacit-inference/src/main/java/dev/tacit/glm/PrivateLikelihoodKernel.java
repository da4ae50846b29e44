package dev.tacit.glm;

import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.glm.model.Standardisation;
import dev.tacit.glm.solve.LikelihoodSolver;
import dev.tacit.glm.twin.LongRows;
import dev.tacit.glm.twin.RoundQueries;
import dev.tacit.glm.twin.SecondMoments;
import dev.tacit.glm.twin.TwinTable;
import dev.tacit.inference.FreePrior;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.inference.LostReleaseException;
import dev.tacit.inference.Step;
import dev.tacit.json.JsonFields;
import dev.tacit.json.PackedNumbers;
import dev.tacit.model.RecordSimulator;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import dev.tacit.query.ContributionSum;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Generalised linear models by whitened, weighted residual sums at public points, beside a twin table made of released
 * moments.
 *
 * <pre>
 *   1  Σ u, Σ levels                       √(p + F)          2.4 %      centre, counts          {@link Standardisation}
 *   2  Σ |u − c|, Σ (u − c)²               √p/2              3.6 %      scale
 *   3  Σ a z zᵀ, k₀ Σ a y₁ z               B √(1 + q²)       16 %       moments, start          {@link SecondMoments}
 *   4, 5, 7 … 10   Σ a ψ w, κ Σ χ          C √(1 + r²)       62 % as 1 : 1 : 2 : 3 : 4 : 5      {@link RoundQueries}
 *   6  Σ a slope w wᵀ at the point of 5    B_H               16 %       curvature
 * </pre>
 *
 * What is released, the L2 bound of one record's part, its share of the squared inverse noise, what it is for. Small tables buy more of
 * 3 and 6 ({@link BudgetShares}). All releases
 * are full passes of Gaussian noise on sums that the door clips jointly at the bound, which no record exceeds; so a run is
 * exactly Gaussian-DP. Derivations: docs/methods/private-likelihood.md. The released sums are kept as a {@link PrivateLikelihood}.
 */
public final class PrivateLikelihoodKernel implements FreePrior<GlmModel, PrivateLikelihoodKernel.State> {
    /** The name on the command line. */
    public static final String NAME = "private-likelihood";

    private static final String RESIDUALS = "residual sums";
    private static final double[] ROUNDS = {1, 1, 2, 3, 4, 5};

    /** Rounds behind the planned ones where they cost nothing. */
    private static final int FREE_ROUNDS = 6;

    /** What a release is. */
    private enum Kind {
        FIRST,
        SECOND,
        MOMENTS,
        ROUND,
        CURVATURE
    }

    private record Release(Kind kind, String label, int dimension, double share) {}

    /**
     * All sums so far.
     *
     * @param releases how many were made or lost
     * @param likelihood what they amount to
     * @param next where the next round takes place; empty before the moments are known
     * @param nextExtra the family's extra parameters there
     * @param clips C and B_H there
     * @param cache what follows from the likelihood, if it is at hand
     */
    public record State(
            int releases,
            PrivateLikelihood likelihood,
            double[] next,
            double[] nextExtra,
            double[] clips,
            Cache cache) {}

    /** A solver that has taken in the first {@code sums} sums of a likelihood. */
    static final class Cache {
        private final LikelihoodSolver solver;
        private int sums;

        private Cache(LikelihoodSolver solver, int sums) {
            this.solver = solver;
            this.sums = sums;
        }
    }

    /** A reading with what it is of. */
    private record Kept(PrivateLikelihood likelihood, GlmPrior prior, Reading reading) {}

    private final int moreRounds;
    private final LongRows longRows;

    /** Of the likelihood that is repeated; null if they follow from the size of the table. */
    private final BudgetShares repeated;

    private volatile Kept newest;

    /** With the rounds of a private fit. */
    public PrivateLikelihoodKernel() {
        this(0, LongRows.RESTORED, null);
    }

    private PrivateLikelihoodKernel(int moreRounds, LongRows longRows, BudgetShares repeated) {
        this.moreRounds = moreRounds;
        this.longRows = longRows;
        this.repeated = repeated;
    }

    private BudgetShares shares(GlmModel model, long records) {
        return repeated != null ? repeated : BudgetShares.of(model, records);
    }

    /**
     * For runs without noise, where sums cost nothing: more rounds, and a curvature for each of them. That is Newton's method on the
     * table itself, so the twin decides where it begins and not where it ends: at the mode of the posterior.
     */
    public static PrivateLikelihoodKernel withoutNoise() {
        return new PrivateLikelihoodKernel(FREE_ROUNDS, LongRows.RESTORED, null);
    }

    @Override
    public String name() {
        return NAME;
    }

    private List<Release> releases(GlmModel model, BudgetShares shares) {
        List<Release> releases = new ArrayList<>();
        boolean numbers = Standardisation.numberCount(model) > 0;
        int firstSize = Standardisation.firstSize(model);
        if (firstSize > 0) {
            double share = BudgetShares.STANDARDISE * (numbers ? BudgetShares.FIRST : 1);
            releases.add(new Release(Kind.FIRST, "sums of columns", firstSize, share));
        }
        if (numbers) {
            releases.add(new Release(
                    Kind.SECOND,
                    "spreads of columns",
                    2 * Standardisation.numberCount(model),
                    BudgetShares.STANDARDISE * (1 - BudgetShares.FIRST)));
        }
        releases.add(new Release(Kind.MOMENTS, "second moments", SecondMoments.size(model), shares.moments()));
        double total = 0;
        for (double part : ROUNDS) {
            total += part;
        }
        total += moreRounds * ROUNDS[ROUNDS.length - 1];
        int size = RoundQueries.residualSize(model);
        for (int t = 0; t < ROUNDS.length + moreRounds; t++) {
            double part = ROUNDS[Math.min(t, ROUNDS.length - 1)];
            releases.add(new Release(Kind.ROUND, RESIDUALS, size, shares.rounds() * part / total));
            if (t + 1 == PrivateLikelihood.CURVATURE_AFTER || moreRounds > 0) {
                releases.add(new Release(
                        Kind.CURVATURE, "curvature", RoundQueries.curvatureSize(model), shares.curvature()));
            }
        }
        return releases;
    }

    @Override
    public ReleasePlan plan(GlmModel model, long publicSize) {
        return new ReleasePlan(releases(model, shares(model, publicSize)).stream()
                .map(release -> new ReleasePlan.Phase(
                        release.label(),
                        1,
                        release.dimension(),
                        new SamplingScheme.FullPass(),
                        1 / Math.sqrt(release.share())))
                .toList());
    }

    /**
     * Beside the sums the twin table in a few copies, whose size follows from the number of columns, and some matrices over all
     * coordinates of the residual sums.
     */
    @Override
    public long workingBytes(ReleasePlan plan) {
        int largest = InferenceKernel.largestRelease(plan);
        int columns = (int) Math.ceil(Math.sqrt(2.0 * largest));
        long coordinates = plan.phases().stream()
                .filter(phase -> phase.label().equals(RESIDUALS))
                .mapToLong(ReleasePlan.Phase::dimension)
                .max()
                .orElse(0);
        return 160L * largest + 40L * TwinTable.rows(columns, 0) * columns + 240L * coordinates * coordinates;
    }

    @Override
    public State init(GlmModel model, long publicSize, RandomStream random) {
        double[] none = new double[0];
        return new State(
                0,
                PrivateLikelihood.none(model, publicSize, longRows, shares(model, publicSize)),
                none,
                none,
                none,
                null);
    }

    @Override
    public Step<State> step(State state, GlmModel model, PrivateSession session, RandomStream random) {
        PrivateLikelihood likelihood = state.likelihood();
        return switch (releases(model, state.likelihood().shares())
                .get(state.releases())
                .kind()) {
            case FIRST -> {
                NoisySum released = session.release(Standardisation.first(model), Standardisation.firstBound(model));
                yield moved(state, likelihood.withFirst(sums(released, Standardisation.firstBound(model))), released);
            }
            case SECOND -> {
                double[] centres =
                        Standardisation.centres(model, likelihood.first().value(), (double) likelihood.records());
                NoisySum released =
                        session.release(Standardisation.second(model, centres), Standardisation.secondBound(model));
                yield moved(state, likelihood.withSecond(sums(released, Standardisation.secondBound(model))), released);
            }
            case MOMENTS -> {
                ContributionSum query = SecondMoments.query(model, likelihood.standardisation());
                NoisySum released = session.release(query, SecondMoments.bound(model));
                PrivateLikelihood next = likelihood.withMoments(sums(released, SecondMoments.bound(model)));
                LikelihoodSolver solver = new LikelihoodSolver(next.geometry(), next.noisePerBound());
                yield at(solver.start(), state, next, new Cache(solver, 0), released);
            }
            case ROUND -> round(state, model, session);
            case CURVATURE -> curvature(state, session);
        };
    }

    private static PrivateLikelihood.Sums sums(NoisySum released, double bound) {
        return new PrivateLikelihood.Sums(released.value(), released.noiseStandardDeviation(), bound);
    }

    private static Step<State> moved(State state, PrivateLikelihood next, NoisySum released) {
        return new Step<>(
                new State(state.releases() + 1, next, state.next(), state.nextExtra(), state.clips(), null), released);
    }

    private static Step<State> at(
            RoundQueries.Point point, State state, PrivateLikelihood next, Cache cache, NoisySum released) {
        return new Step<>(
                new State(
                        state.releases() + 1,
                        next,
                        point.point(),
                        point.extra(),
                        new double[] {point.residualBound(), point.curvatureBound()},
                        cache),
                released);
    }

    private Step<State> round(State state, GlmModel model, PrivateSession session) {
        LikelihoodSolver solver = solver(state);
        RoundQueries.Point point =
                new RoundQueries.Point(state.next(), state.nextExtra(), state.clips()[0], state.clips()[1]);
        double bound = RoundQueries.residualBound(model, point.residualBound());
        NoisySum released = session.release(RoundQueries.residuals(solver.geometry(), point), bound);
        PrivateLikelihood.Sums sums = sums(released, bound);
        PrivateLikelihood next = state.likelihood()
                .withRound(new PrivateLikelihood.Round(
                        point.point(), point.extra(), point.residualBound(), point.curvatureBound(), sums));
        solver.addRound(point, sums.value(), sums.noise());
        Cache cache = new Cache(solver, count(next));
        List<Release> releases = releases(model, state.likelihood().shares());
        int following = state.releases() + 1;
        boolean again = following < releases.size() && releases.get(following).kind() == Kind.ROUND;
        RoundQueries.Point to = again ? solver.pointAt(solver.solve(solver.workingPrior(), false)) : point;
        return at(to, state, next, cache, released);
    }

    private Step<State> curvature(State state, PrivateSession session) {
        LikelihoodSolver solver = solver(state);
        RoundQueries.Point point =
                new RoundQueries.Point(state.next(), state.nextExtra(), state.clips()[0], state.clips()[1]);
        NoisySum released = session.release(RoundQueries.curvature(solver.geometry(), point), point.curvatureBound());
        PrivateLikelihood.Sums sums = sums(released, point.curvatureBound());
        PrivateLikelihood next = state.likelihood().withCurvature(sums);
        solver.addCurvature(sums.value(), sums.noise());
        RoundQueries.Point to = solver.pointAt(solver.solve(solver.workingPrior(), false));
        return at(to, state, next, new Cache(solver, count(next)), released);
    }

    private static int count(PrivateLikelihood likelihood) {
        return likelihood.rounds().size() + (likelihood.curvatureRound() > 0 ? 1 : 0);
    }

    /** The cached solver if nothing else has moved it on, otherwise one from the sums. */
    private static LikelihoodSolver solver(State state) {
        Cache cache = state.cache();
        int expected = count(state.likelihood());
        if (cache != null) {
            synchronized (cache) {
                if (cache.sums == expected) {
                    cache.sums = -1;
                    return cache.solver;
                }
            }
        }
        LikelihoodSolver solver = state.likelihood().replayed();
        boolean awaits = state.likelihood().curvatureRound() == 0
                && state.likelihood().rounds().size() == PrivateLikelihood.CURVATURE_AFTER;
        if (expected > 0 && !awaits) {
            solver.solve(solver.workingPrior(), false);
        }
        return solver;
    }

    /** A lost round only costs accuracy; nothing else can be done without. */
    @Override
    public State without(State state, GlmModel model) throws LostReleaseException {
        Release lost = releases(model, state.likelihood().shares()).get(state.releases());
        boolean early = state.likelihood().curvatureRound() == 0;
        if (lost.kind() != Kind.ROUND || early) {
            throw new LostReleaseException("the crash took the release of " + lost.label()
                    + ", without which a private likelihood cannot go on; what it cost stays spent, so start a new run"
                    + " with what is left of the budget");
        }
        return new State(
                state.releases() + 1,
                state.likelihood(),
                state.next(),
                state.nextExtra(),
                state.clips(),
                state.cache());
    }

    @Override
    public Posterior posterior(State state, GlmModel model) {
        return read(state, model).posterior();
    }

    /** The newest reading is kept: a run asks several times for the same one. */
    @Override
    @SuppressWarnings("ReferenceEquality") // another object may hold the same numbers; then they are read once more
    public Reading read(State state, GlmModel model) {
        Kept kept = newest;
        if (kept == null || kept.likelihood != state.likelihood() || !kept.prior.equals(model.prior())) {
            PrivateLikelihood.Result result = state.likelihood().posterior(model.prior());
            List<Caution> cautions = result.warnings().stream()
                    .map(warning -> new Caution(
                            warning.kind().name().toLowerCase(Locale.ROOT), warning.names(), warning.sentence()))
                    .toList();
            kept = new Kept(
                    state.likelihood(),
                    model.prior(),
                    new Reading(
                            result.posterior(),
                            result.withoutNoise(),
                            result.prior(),
                            cautions,
                            new LikelyRecords(model, state.likelihood()).centre()));
            newest = kept;
        }
        return kept.reading;
    }

    @Override
    public PrivateLikelihoodKernel asOf(State state) {
        return new PrivateLikelihoodKernel(
                moreRounds, state.likelihood().longRows(), state.likelihood().shares());
    }

    @Override
    public Optional<RecordSimulator> simulator(State state, GlmModel model) {
        return Optional.of(new LikelyRecords(model, state.likelihood()));
    }

    @Override
    public Map<String, Object> toJson(State state) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("releases", state.releases());
        json.put("likelihood", state.likelihood().toJson());
        json.put("next", PackedNumbers.write(state.next()));
        json.put("nextExtra", PackedNumbers.write(state.nextExtra()));
        json.put("clips", PackedNumbers.write(state.clips()));
        return json;
    }

    @Override
    public State fromJson(JsonFields json) {
        State state = new State(
                Math.toIntExact(json.integer("releases")),
                PrivateLikelihood.fromJson(json.object("likelihood")),
                PackedNumbers.read(json, "next"),
                PackedNumbers.read(json, "nextExtra"),
                PackedNumbers.read(json, "clips"),
                null);
        json.end();
        return state;
    }
}
