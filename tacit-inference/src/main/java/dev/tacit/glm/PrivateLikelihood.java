package dev.tacit.glm;

import dev.tacit.glm.family.GlmFamilies;
import dev.tacit.glm.family.GlmFamily;
import dev.tacit.glm.group.GroupDeviations;
import dev.tacit.glm.model.GlmColumn;
import dev.tacit.glm.model.GlmDesign;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.glm.model.GroupEffects;
import dev.tacit.glm.model.GroupLayout;
import dev.tacit.glm.model.Standardisation;
import dev.tacit.glm.solve.ExtraParameters;
import dev.tacit.glm.solve.GroupedResult;
import dev.tacit.glm.solve.LikelihoodEstimate;
import dev.tacit.glm.solve.LikelihoodSolver;
import dev.tacit.glm.solve.LikelihoodWarning;
import dev.tacit.glm.twin.GlmGeometry;
import dev.tacit.glm.twin.LongRows;
import dev.tacit.glm.twin.RoundQueries;
import dev.tacit.inference.OtherStatisticException;
import dev.tacit.json.JsonFieldException;
import dev.tacit.json.JsonFields;
import dev.tacit.json.PackedNumbers;
import dev.tacit.numerics.Matrices;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.posterior.family.GroupedPosterior;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that a fit released, with the law of its noise: a likelihood that any prior can be held against, as often as
 * wanted, at no cost.
 *
 * <p>The points at which sums were released follow from a working prior that is always the same, {@link GlmPrior#standard},
 * so the released part of a fit does not depend on the prior that its user chose. {@link #posterior} is a pure function of
 * this record and a prior: the same bits each time.
 *
 * @param design what is public about columns
 * @param family the family's name
 * @param targetLow declared lower bound of the target, 0 if the family needs none
 * @param targetHigh declared upper bound
 * @param records the declared number of records
 * @param first sums of numbers and levels, empty if there are neither
 * @param second sums of distances and their squares, empty if there are no numbers
 * @param moments second moments and cross moments
 * @param rounds residual sums at public points, in their order
 * @param curvature the curvature at the point of round {@code curvatureRound}
 * @param curvatureRound how many rounds there were before the curvature was released, 0 before it was
 * @param longRows how the twin has long rows: whitened coordinates of points follow from it
 * @param shares how the releases share the budget: clips follow from it
 */
public record PrivateLikelihood(
        GlmDesign design,
        String family,
        double targetLow,
        double targetHigh,
        long records,
        Sums first,
        Sums second,
        Sums moments,
        List<Round> rounds,
        Sums curvature,
        int curvatureRound,
        LongRows longRows,
        BudgetShares shares) {
    /**
     * Numbers that were released.
     *
     * @param value with noise in them; empty before the release
     * @param noise standard deviation of the noise on each
     * @param bound the L2 norm that one record had at most
     */
    public record Sums(double[] value, double noise, double bound) {
        /** Nothing yet. */
        public static final Sums NONE = new Sums(new double[0], 0, 1);

        boolean isPresent() {
            return value.length > 0;
        }
    }

    /**
     * Residual sums.
     *
     * @param point in whitened coordinates
     * @param extra the family's extra parameters
     * @param residualBound C
     * @param curvatureBound B_H
     * @param sums what was released
     */
    public record Round(double[] point, double[] extra, double residualBound, double curvatureBound, Sums sums) {}

    private static final String STATISTIC = "statistic";
    private static final String LONG_ROWS = "longRows";
    private static final String SHARES = "shares";

    public PrivateLikelihood {
        rounds = List.copyOf(rounds);
    }

    /** Before any release. */
    static PrivateLikelihood none(GlmModel model, long records, LongRows longRows, BudgetShares shares) {
        return new PrivateLikelihood(
                model.design(),
                model.family().name(),
                model.targetLow(),
                model.targetHigh(),
                records,
                Sums.NONE,
                Sums.NONE,
                Sums.NONE,
                List.of(),
                Sums.NONE,
                0,
                longRows,
                shares);
    }

    PrivateLikelihood withFirst(Sums sums) {
        return new PrivateLikelihood(
                design,
                family,
                targetLow,
                targetHigh,
                records,
                sums,
                second,
                moments,
                rounds,
                curvature,
                0,
                longRows,
                shares);
    }

    PrivateLikelihood withSecond(Sums sums) {
        return new PrivateLikelihood(
                design,
                family,
                targetLow,
                targetHigh,
                records,
                first,
                sums,
                moments,
                rounds,
                curvature,
                0,
                longRows,
                shares);
    }

    PrivateLikelihood withMoments(Sums sums) {
        return new PrivateLikelihood(
                design,
                family,
                targetLow,
                targetHigh,
                records,
                first,
                second,
                sums,
                rounds,
                curvature,
                0,
                longRows,
                shares);
    }

    PrivateLikelihood withRound(Round round) {
        List<Round> more = new ArrayList<>(rounds);
        more.add(round);
        return new PrivateLikelihood(
                design,
                family,
                targetLow,
                targetHigh,
                records,
                first,
                second,
                moments,
                more,
                curvature,
                curvatureRound,
                longRows,
                shares);
    }

    PrivateLikelihood withCurvature(Sums sums) {
        return new PrivateLikelihood(
                design,
                family,
                targetLow,
                targetHigh,
                records,
                first,
                second,
                moments,
                rounds,
                sums,
                rounds.size(),
                longRows,
                shares);
    }

    /** The model, with a prior. */
    public GlmModel model(GlmPrior prior) {
        return new GlmModel(design, GlmFamilies.named(family), targetLow, targetHigh, prior);
    }

    public Standardisation standardisation() {
        return Standardisation.of(
                model(GlmPrior.standard()),
                new Standardisation.NoisySums(first.value, first.noise),
                new Standardisation.NoisySums(second.value, second.noise),
                (double) records);
    }

    public GlmGeometry geometry() {
        return new GlmGeometry(
                model(GlmPrior.standard()),
                standardisation(),
                new Standardisation.NoisySums(moments.value, moments.noise),
                (double) records,
                longRows);
    }

    /** Noise of all rounds together over their bound. */
    double noisePerBound() {
        return moments.noise / moments.bound * Math.sqrt(shares.moments() / shares.rounds());
    }

    /** Whether there is enough for a posterior. */
    public boolean isComplete() {
        return curvature.isPresent() && rounds.size() >= curvatureRound;
    }

    /** The solver after all sums, ready for the last passes. */
    LikelihoodSolver replayed() {
        LikelihoodSolver solver = new LikelihoodSolver(geometry(), noisePerBound());
        GlmPrior.Standard working = solver.workingPrior();
        for (int i = 0; i < rounds.size(); i++) {
            Round round = rounds.get(i);
            solver.addRound(pointOf(round), round.sums.value, round.sums.noise);
            if (curvature.isPresent() && i + 1 == curvatureRound) {
                solver.addCurvature(curvature.value, curvature.noise);
            }
            boolean awaitsCurvature = !curvature.isPresent() && i + 1 == CURVATURE_AFTER;
            if (i + 1 < rounds.size() && !awaitsCurvature) {
                solver.solve(working, false);
            }
        }
        return solver;
    }

    /** How many rounds there are before the curvature. */
    static final int CURVATURE_AFTER = 2;

    static RoundQueries.Point pointOf(Round round) {
        return new RoundQueries.Point(round.point, round.extra, round.residualBound, round.curvatureBound);
    }

    /**
     * What a prior and the released sums say together.
     *
     * @param posterior in natural units: coefficients, then the logarithms of extra parameters, then effects of groups and
     *     their standard deviations
     * @param withoutNoise what the same records would have given without privacy, as far as can be told
     * @param prior in the same coordinates
     * @param warnings what must be said beside the posterior
     */
    public record Result(
            Posterior posterior, Posterior withoutNoise, Posterior prior, List<LikelihoodWarning> warnings) {
        public Result {
            warnings = List.copyOf(warnings);
        }

        /** The coefficients and effects together, Gaussian; scores in place of standard deviations of groups. */
        public GaussianPosterior linear() {
            return posterior instanceof GroupedPosterior grouped ? grouped.linear() : (GaussianPosterior) posterior;
        }
    }

    /** The posterior of a prior: post-processing, deterministic. */
    public Result posterior(GlmPrior prior) {
        if (!isComplete()) {
            throw new IllegalStateException("a likelihood has a posterior once its curvature was released");
        }
        GlmModel model = model(prior);
        prior.requireColumns(model);
        LikelihoodSolver solver = replayed();
        GlmGeometry geometry = solver.geometry();
        GlmPrior.Standard standard = prior.toStandard(model, geometry.standard, geometry.startIntercept);
        LikelihoodEstimate estimate = solver.estimate(standard);
        GroupLayout layout = new GroupLayout(design);
        int d = model.coordinates();
        int coefficients = standard.mean().length;
        int all = estimate.mean().length;
        double[] map = natural(geometry, layout, all);
        double[] mean = moved(geometry, Matrices.times(all, map, estimate.mean()));
        double[] before = java.util.Arrays.copyOf(standard.mean(), all);
        double[] spread = new double[all];
        for (int j = 0; j < all; j++) {
            if (j < coefficients || j >= d) {
                spread[j] = 1 / (j < d ? standard.precision()[j] : ExtraParameters.PRIOR_PRECISION);
            } else {
                double scale = standard.groupScales()[layout.termOf(j)];
                spread[j] = new GroupedPosterior.Deviation(
                                0, 0, GroupDeviations.grid(scale), GroupDeviations.priorWeights(scale))
                        .meanSquare();
            }
        }
        GroupedResult shape = new GroupedResult(geometry, layout, map, estimate.groups());
        Posterior posterior = shape.posterior(mean, Matrices.mapped(all, map, estimate.covariance()));
        Posterior believed = shape.ofPrior(standard)
                .posterior(
                        moved(geometry, Matrices.times(all, map, before)),
                        Matrices.mapped(all, map, Matrices.diagonal(spread)));
        return new Result(
                posterior,
                shape.withoutScores().posterior(mean, Matrices.mapped(all, map, estimate.withoutNoise())),
                believed,
                LikelihoodWarning.of(model, estimate, posterior, believed));
    }

    /** With the target's centre and unit put back. */
    private double[] moved(GlmGeometry geometry, double[] mean) {
        if (geometry.model.family().fitsStandardised()) {
            mean[0] += geometry.targetCentre;
            mean[geometry.d] += Math.log(geometry.targetSpread);
        }
        return mean;
    }

    /** The linear map from z-coefficients to those in natural units; logarithms of extra parameters stay. */
    private double[] natural(GlmGeometry geometry, GroupLayout layout, int all) {
        int d = geometry.d;
        double unit = geometry.model.family().fitsStandardised() ? geometry.targetSpread : 1;
        double[] map = new double[all * all];
        for (int i = 0; i < all; i++) {
            map[i * all + i] = i < d ? unit : 1;
        }
        int[] numbers = design.numbers();
        for (int first = 0; first < geometry.columns; first += geometry.width) {
            for (int k = 0; k < numbers.length; k++) {
                double scale = geometry.standard.scale()[k];
                int at = first + numbers[k];
                map[at * all + at] = unit / scale;
                map[first * all + at] = -unit * geometry.standard.centre()[k] / scale;
            }
        }
        for (GroupLayout.Pair pair : layout.pairs()) {
            boolean intercepts = layout.terms.get(pair.first()).slope() == 0;
            int slopes = intercepts ? pair.second() : pair.first();
            if (pair.meeting() == GroupLayout.Meeting.SAME
                    && (intercepts != (layout.terms.get(pair.second()).slope() == 0))) {
                int column = layout.terms.get(slopes).slope();
                for (int g = 0; g < layout.levels(slopes); g++) {
                    int at = layout.coordinate(slopes, g);
                    map[at * all + at] = map[column * all + column];
                    map[layout.coordinate(intercepts ? pair.first() : pair.second(), g) * all + at] = map[column];
                }
            }
        }
        return map;
    }

    /** The record as JSON, exactly. */
    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put(
                "columns",
                design.columns().stream().map(PrivateLikelihood::column).toList());
        design.offset().ifPresent(offset -> json.put("offset", column(offset)));
        if (!design.groups().isEmpty()) {
            json.put(
                    "groups",
                    design.groups().stream().map(PrivateLikelihood::groups).toList());
        }
        json.put("rowsPerUnit", design.rowsPerUnit());
        json.put("family", family);
        json.put(STATISTIC, GlmFamilies.named(family).statistic());
        if (longRows != LongRows.CUT) {
            json.put(LONG_ROWS, longRows.name().toLowerCase(java.util.Locale.ROOT));
        }
        if (!shares.equals(BudgetShares.STANDARD)) {
            json.put(SHARES, Map.of("moments", shares.moments(), "curvature", shares.curvature()));
        }
        json.put("targetLow", targetLow);
        json.put("targetHigh", targetHigh);
        json.put("records", records);
        json.put("first", sums(first));
        json.put("second", sums(second));
        json.put("moments", sums(moments));
        List<Object> all = new ArrayList<>();
        for (Round round : rounds) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("point", PackedNumbers.write(round.point));
            entry.put("extra", PackedNumbers.write(round.extra));
            entry.put("residualBound", round.residualBound);
            entry.put("curvatureBound", round.curvatureBound);
            entry.put("sums", sums(round.sums));
            all.add(entry);
        }
        json.put("rounds", all);
        json.put("curvature", sums(curvature));
        json.put("curvatureRound", curvatureRound);
        return json;
    }

    private static Map<String, Object> column(GlmColumn column) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("name", column.name());
        entry.put("kind", column.kind().name().toLowerCase(java.util.Locale.ROOT));
        entry.put("low", column.low());
        entry.put("high", column.high());
        entry.put("factor", column.factor());
        return entry;
    }

    private static GlmColumn column(JsonFields entry) {
        GlmColumn column = new GlmColumn(
                entry.text("name"),
                GlmColumn.Kind.valueOf(entry.text("kind").toUpperCase(java.util.Locale.ROOT)),
                entry.number("low"),
                entry.number("high"),
                Math.toIntExact(entry.integer("factor")));
        entry.end();
        return column;
    }

    private static Object groups(GroupEffects term) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("name", term.name());
        entry.put("levels", term.levels());
        entry.put("slope", term.slope());
        return entry;
    }

    private static List<GroupEffects> groups(JsonFields json, List<GlmColumn> columns) {
        List<GroupEffects> groups = new ArrayList<>();
        if (!json.has("groups")) {
            return groups;
        }
        for (Object value : json.list("groups")) {
            JsonFields entry = JsonFields.of(value, json.pathOf("groups"));
            int slope = Math.toIntExact(entry.integer("slope"));
            if (slope < 0 || slope >= columns.size()) {
                throw new JsonFieldException(entry.pathOf("slope"), "must be the place of a column");
            }
            groups.add(new GroupEffects(
                    entry.text("name"),
                    entry.list("levels").stream().map(Object::toString).toList(),
                    slope,
                    slope == 0 ? "" : columns.get(slope).name()));
            entry.end();
        }
        return groups;
    }

    private static Map<String, Object> sums(Sums sums) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("value", PackedNumbers.write(sums.value));
        json.put("noise", sums.noise);
        json.put("bound", sums.bound);
        return json;
    }

    /**
     * Reads {@link #toJson} back.
     *
     * @throws OtherStatisticException if the sums are of another statistic than the family has now
     */
    public static PrivateLikelihood fromJson(JsonFields json) {
        requireStatistic(json);
        List<GlmColumn> columns = new ArrayList<>();
        for (Object value : json.list("columns")) {
            columns.add(column(JsonFields.of(value, json.pathOf("columns"))));
        }
        Optional<GlmColumn> offset = json.has("offset") ? Optional.of(column(json.object("offset"))) : Optional.empty();
        GlmDesign design =
                new GlmDesign(columns, groups(json, columns), offset, Math.toIntExact(json.integer("rowsPerUnit")));
        List<Round> rounds = new ArrayList<>();
        for (Object value : json.list("rounds")) {
            JsonFields entry = JsonFields.of(value, json.pathOf("rounds"));
            rounds.add(new Round(
                    PackedNumbers.read(entry, "point"),
                    PackedNumbers.read(entry, "extra"),
                    entry.number("residualBound"),
                    entry.number("curvatureBound"),
                    sums(entry.object("sums"))));
            entry.end();
        }
        PrivateLikelihood likelihood = new PrivateLikelihood(
                design,
                json.text("family"),
                json.number("targetLow"),
                json.number("targetHigh"),
                json.integer("records"),
                sums(json.object("first")),
                sums(json.object("second")),
                sums(json.object("moments")),
                rounds,
                sums(json.object("curvature")),
                Math.toIntExact(json.integer("curvatureRound")),
                longRows(json),
                shares(json));
        json.end();
        return likelihood;
    }

    /** Before statistics had numbers, each was the first one. */
    private static void requireStatistic(JsonFields json) {
        String name = json.text("family");
        GlmFamily family;
        try {
            family = GlmFamilies.named(name);
        } catch (IllegalArgumentException e) {
            throw new JsonFieldException(json.pathOf("family"), "is not a family that this version knows");
        }
        long stored = json.has(STATISTIC) ? json.integer(STATISTIC) : 1;
        if (stored != family.statistic()) {
            throw new OtherStatisticException(
                    "the stored sums of " + name.split(":", 2)[0] + " are of statistic " + stored
                            + ", and this version reads those of statistic " + family.statistic()
                            + ": they mean something else; use the version that released them");
        }
    }

    /** Before it was written down, long rows were cut. */
    private static LongRows longRows(JsonFields json) {
        if (!json.has(LONG_ROWS)) {
            return LongRows.CUT;
        }
        if (!json.text(LONG_ROWS).equals("restored")) {
            throw new JsonFieldException(json.pathOf(LONG_ROWS), "must be restored, or left out");
        }
        return LongRows.RESTORED;
    }

    /** Where nothing is said, they are those that all likelihoods once had. */
    private static BudgetShares shares(JsonFields json) {
        if (!json.has(SHARES)) {
            return BudgetShares.STANDARD;
        }
        JsonFields fields = json.object(SHARES);
        double moments = fields.number("moments");
        double curvature = fields.number("curvature");
        fields.end();
        try {
            return new BudgetShares(moments, curvature);
        } catch (IllegalArgumentException e) {
            throw new JsonFieldException(json.pathOf(SHARES), "must be shares of a budget");
        }
    }

    private static Sums sums(JsonFields json) {
        Sums sums = new Sums(PackedNumbers.read(json, "value"), json.number("noise"), json.number("bound"));
        json.end();
        return sums;
    }

    /** Whether two likelihoods hold the same numbers, bit for bit. */
    public boolean sameAs(PrivateLikelihood other) {
        return toJson().equals(other.toJson());
    }

    @Override
    public String toString() {
        return "PrivateLikelihood of " + family + " on "
                + Arrays.toString(design.names().toArray());
    }
}
