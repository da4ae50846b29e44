package dev.tacit.inference.ep;

import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.inference.LostReleaseException;
import dev.tacit.inference.Step;
import dev.tacit.json.JsonFields;
import dev.tacit.json.PackedNumbers;
import dev.tacit.model.GaussianBlocks;
import dev.tacit.model.PrivateStart;
import dev.tacit.model.RowBounded;
import dev.tacit.model.TiltedMomentModel;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What {@link StochasticEp}, {@link ClippedStochasticEp} and {@link DpStochasticEp} share: one site f that stands for each of
 * N records, kept as the sum G = N f in natural parameters, and the step that a batch of records' sites makes.
 *
 * <pre>
 *   q ∝ p(θ) exp(G),     cavity = q without f = prior + (1 − 1/N) G
 *   natural    G ← G + (γ/N) (s − E|B| f)                                               s = Σ_{n∈B} site_n (+ noise)
 *   centred    Λ ← Λ_p + (1 − ρ) G_Λ + ρ s_Λ N/E|B|,   m ← m + ρ Λ⁻¹ (s_η N/E|B| + Λ_p (m_p − m)),   ρ = γ E|B| / N²
 * </pre>
 *
 * Both are the same step if nothing is clipped; in the second, η is taken around the current mean, which is public. With γ = N
 * the step is SEP's (Li, Hernández-Lobato, Turner 2015, Algorithm 1: all N copies of f move), with γ = 1 that of Vinaroz, Park
 * 2022, equation 5 (one copy moves). Noise is in s, so whatever γ is, noise and step have the same factor.
 */
public abstract class SharedSiteKernel implements InferenceKernel<TiltedMomentModel, SharedSiteState> {
    /**
     * One step.
     *
     * @param l2Bound at which the site of a unit is clipped in the sum itself; infinite for no clip
     * @param largestSite the bound that the door is told
     * @param precisionWeight factor on precisions before the clip
     * @param numerator γ
     * @param centred whether η is taken around the current mean
     * @param floor of the eigenvalues of G's precisions
     * @param averages whether G is averaged from here on
     */
    public record Move(
            double l2Bound,
            double largestSite,
            double precisionWeight,
            double numerator,
            boolean centred,
            double floor,
            boolean averages) {}

    abstract int steps();

    abstract SamplingScheme sampling(long publicSize);

    abstract Move move(int step, long publicSize);

    @Override
    public ReleasePlan plan(TiltedMomentModel model, long publicSize) {
        SamplingScheme sampling = sampling(publicSize);
        ReleasePlan steps = ReleasePlan.of("sites", steps(), model.shape().naturalSize(), sampling);
        return PrivateStarts.plan(model, steps(), sampling, publicSize)
                .map(start -> start.then(steps))
                .orElse(steps)
                .forRows(RowBounded.of(model));
    }

    @Override
    public SharedSiteState init(TiltedMomentModel model, long publicSize, RandomStream random) {
        double[] none = {};
        double[] sites = new double[model.shape().naturalSize()];
        return new SharedSiteState(0, sites, PrivateStarts.begin(model, random), 0, none);
    }

    @Override
    public Step<SharedSiteState> step(
            SharedSiteState state, TiltedMomentModel model, PrivateSession session, RandomStream random) {
        int startReleases = PrivateStarts.releases(model);
        if (state.releases() < startReleases) {
            return start(state, model, session, random);
        }
        long size = session.publicSize();
        Move move = move(state.releases() - startReleases, size);
        SitesGaussian cavity = SitesGaussian.of(model, state.sites(), 1 - 1.0 / size);
        double[] centre =
                move.centred() ? SitesGaussian.of(model, state.sites(), 1).mean() : null;
        NoisySum released = session.release(
                new SiteSum(model, state.constants(), cavity, centre, move.precisionWeight(), move.l2Bound()),
                move.largestSite());
        double[] sum = released.value().clone();
        for (int i = model.shape().size(); i < sum.length; i++) {
            sum[i] /= move.precisionWeight();
        }
        double[] sites = moved(model, state.sites(), sum, released.expectedBatchSize(), size, centre, move);
        int averaged = move.averages() ? state.averaged() + 1 : 0;
        return new Step<>(
                new SharedSiteState(
                        state.releases() + 1,
                        sites,
                        state.constants(),
                        averaged,
                        average(state.averageSites(), sites, averaged)),
                released);
    }

    /** G after a batch whose sites have the given sum. */
    public static double[] moved(
            TiltedMomentModel model,
            double[] sites,
            double[] sum,
            double expectedBatchSize,
            long publicSize,
            double[] centre,
            Move move) {
        GaussianBlocks shape = model.shape();
        double step = move.numerator() / publicSize;
        double[] next = new double[sites.length];
        for (int i = 0; i < next.length; i++) {
            next[i] = sites[i] + step * (sum[i] - expectedBatchSize / publicSize * sites[i]);
        }
        SitesGaussian.raisePrecision(shape, next, move.floor());
        if (centre == null) {
            return next;
        }
        double[] precision = shape.precision(next);
        double[] priorPrecision = model.priorPrecision();
        double[] priorMean = model.priorMean();
        double[] fromPrior = new double[shape.size()];
        for (int i = 0; i < fromPrior.length; i++) {
            fromPrior[i] = priorMean[i] - centre[i];
        }
        double[] pull = shape.multiply(priorPrecision, fromPrior);
        for (int i = 0; i < pull.length; i++) {
            pull[i] = step * (sum[i] + expectedBatchSize / publicSize * pull[i]);
        }
        for (int i = 0; i < precision.length; i++) {
            precision[i] += priorPrecision[i];
        }
        double[] mean = shape.multiply(shape.inverse(precision), pull);
        for (int i = 0; i < mean.length; i++) {
            mean[i] += centre[i];
        }
        double[] weighted = shape.multiply(precision, mean);
        double[] weightedPrior = shape.multiply(priorPrecision, priorMean);
        for (int i = 0; i < mean.length; i++) {
            next[i] = weighted[i] - weightedPrior[i];
        }
        return next;
    }

    private static double[] average(double[] before, double[] newest, int count) {
        double[] result = count == 0 ? new double[0] : newest.clone();
        for (int i = 0; i < result.length && count > 1; i++) {
            result[i] = before[i] + (newest[i] - before[i]) / count;
        }
        return result;
    }

    /** After the last release of the private start, q has the start's mean and the fixed family's precision. */
    private static Step<SharedSiteState> start(
            SharedSiteState state, TiltedMomentModel model, PrivateSession session, RandomStream random) {
        PrivateStart start = model.privateStart().orElseThrow();
        NoisySum released = session.release(start.query(state.constants(), state.releases()), start.l2Bound());
        double[] constants = start.constants(state.constants(), state.releases(), released);
        double[] sites = state.sites();
        if (state.releases() + 1 == start.releases()) {
            GaussianBlocks shape = model.shape();
            double[] records = model.fixedPrecision(constants);
            double[] mean = model.startMean(constants, random.fork("start"));
            double[] fromPrior = new double[mean.length];
            double[] priorMean = model.priorMean();
            for (int i = 0; i < mean.length; i++) {
                fromPrior[i] = mean[i] - priorMean[i];
            }
            double[] weighted = shape.multiply(records, mean);
            double[] prior = shape.multiply(model.priorPrecision(), fromPrior);
            for (int i = 0; i < mean.length; i++) {
                weighted[i] += prior[i];
            }
            sites = shape.natural(weighted, records);
        }
        return new Step<>(
                new SharedSiteState(state.releases() + 1, sites, constants, state.averaged(), state.averageSites()),
                released);
    }

    /** A lost step leaves everything where it was. */
    @Override
    public SharedSiteState without(SharedSiteState state, TiltedMomentModel model) throws LostReleaseException {
        if (state.releases() < PrivateStarts.releases(model)) {
            throw PrivateStarts.lost();
        }
        return new SharedSiteState(
                state.releases() + 1, state.sites(), state.constants(), state.averaged(), state.averageSites());
    }

    @Override
    public Posterior posterior(SharedSiteState state, TiltedMomentModel model) {
        double[] sites = state.averaged() > 0 ? state.averageSites() : state.sites();
        SitesGaussian q = SitesGaussian.of(model, sites, 1);
        return model.posterior(q.mean(), q.covariance(), state.constants());
    }

    @Override
    public Map<String, Object> toJson(SharedSiteState state) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("releases", state.releases());
        json.put("sites", PackedNumbers.write(state.sites()));
        json.put("constants", PackedNumbers.write(state.constants()));
        json.put("averaged", state.averaged());
        json.put("averageSites", PackedNumbers.write(state.averageSites()));
        return json;
    }

    @Override
    public SharedSiteState fromJson(JsonFields json) {
        SharedSiteState state = new SharedSiteState(
                Math.toIntExact(json.integer("releases")),
                PackedNumbers.read(json, "sites"),
                PackedNumbers.read(json, "constants"),
                Math.toIntExact(json.integer("averaged")),
                PackedNumbers.read(json, "averageSites"));
        json.end();
        return state;
    }
}
