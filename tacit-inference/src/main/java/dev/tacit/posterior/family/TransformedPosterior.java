package dev.tacit.posterior.family;

import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Checks;
import dev.tacit.posterior.Posterior;
import dev.tacit.transform.ParameterSpace;
import dev.tacit.transform.Transform;
import dev.tacit.transform.Transforms;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Constrained parameters x(u), given the posterior of the free numbers u.
 *
 * <pre>
 *   density(x) = density(u(x)) / |det ∂x/∂u|        quantiles of x_i are x(quantiles of u_i) where x_i depends on u_i alone
 * </pre>
 *
 * Moments of such coordinates are means over 400 quantiles at equal steps; those of blocks whose numbers depend on each
 * other, such as shares, come from 20 000 draws with a fixed seed.
 */
public final class TransformedPosterior implements Posterior {
    /** The name of the family. */
    public static final String FAMILY = "transformed";

    private static final int QUANTILES = 400;
    private static final int DRAWS = 20_000;

    private final List<String> names;
    private final ParameterSpace space;
    private final Posterior free;
    private final double[] mean;
    private final double[] deviation;

    /** For each coordinate of a block that is not coordinatewise its sorted draws, null elsewhere. */
    private final double[][] sortedDraws;

    /** For each coordinatewise coordinate the place of its free number, −1 elsewhere. */
    private final int[] freePlaces;

    private final Transform[] transforms;

    /** From the posterior of the free numbers. */
    public TransformedPosterior(List<String> parameterNames, ParameterSpace space, Posterior free) {
        this.names = Checks.names(parameterNames);
        this.space = space;
        this.free = free;
        int n = space.dimension();
        if (names.size() != n || free.dimension() != space.freeDimension()) {
            throw new IllegalArgumentException("a posterior of " + free.dimension() + " free numbers does not describe "
                    + names.size() + " parameters");
        }
        this.freePlaces = new int[n];
        this.transforms = new Transform[n];
        int at = 0;
        int freeAt = 0;
        boolean joint = false;
        for (Transform transform : space.blocks().values()) {
            for (int i = 0; i < transform.dimension(); i++) {
                transforms[at + i] = transform.coordinatewise() ? Transforms.named(transform.name(), 1) : transform;
                freePlaces[at + i] = transform.coordinatewise() ? freeAt + i : -1;
                joint |= !transform.coordinatewise();
            }
            at += transform.dimension();
            freeAt += transform.freeDimension();
        }
        this.mean = new double[n];
        this.deviation = new double[n];
        this.sortedDraws = new double[n][];
        double[] freeMean = free.mean();
        double[] freeDeviation = free.standardDeviation();
        double[][] draws = joint ? draws() : new double[0][];
        for (int i = 0; i < n; i++) {
            if (freePlaces[i] < 0) {
                sortedDraws[i] = draws[i];
                Arrays.sort(sortedDraws[i]);
                moments(i, draws[i]);
            } else if (transforms[i].name().equals("real")) {
                mean[i] = freeMean[freePlaces[i]];
                deviation[i] = freeDeviation[freePlaces[i]];
            } else {
                double[] quantiles = new double[QUANTILES];
                for (int k = 0; k < QUANTILES; k++) {
                    quantiles[k] = quantile(i, (k + 0.5) / QUANTILES);
                }
                moments(i, quantiles);
            }
        }
    }

    /** The posterior of free numbers behind a posterior, which may be itself. */
    public static Posterior freeOf(Posterior posterior) {
        return posterior instanceof TransformedPosterior transformed ? transformed.free : posterior;
    }

    private double[][] draws() {
        double[][] draws = new double[names.size()][DRAWS];
        RandomStream random = RandomStream.ofSeed(1);
        double[] one = new double[names.size()];
        for (int k = 0; k < DRAWS; k++) {
            sample(random, one);
            for (int i = 0; i < one.length; i++) {
                draws[i][k] = one[i];
            }
        }
        return draws;
    }

    private void moments(int coordinate, double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        double average = sum / values.length;
        double squares = 0;
        for (double value : values) {
            squares += (value - average) * (value - average);
        }
        mean[coordinate] = average;
        deviation[coordinate] = Math.sqrt(squares / values.length);
    }

    @Override
    public String family() {
        return FAMILY;
    }

    @Override
    public List<String> parameterNames() {
        return names;
    }

    /** The posterior of the free numbers. */
    public Posterior free() {
        return free;
    }

    @Override
    public double[] mean() {
        return mean.clone();
    }

    @Override
    public double[] standardDeviation() {
        return deviation.clone();
    }

    @Override
    public double quantile(int coordinate, double probability) {
        Checks.probability(probability);
        if (freePlaces[coordinate] < 0) {
            double[] draws = sortedDraws[coordinate];
            return draws[(int) Math.min(draws.length - 1, Math.floor(probability * draws.length))];
        }
        return value(coordinate, free.quantile(freePlaces[coordinate], probability));
    }

    /** Every transform that has a name, and so every one here, is increasing. */
    private double value(int coordinate, double link) {
        double[] constrained = new double[1];
        transforms[coordinate].constrain(new double[] {link}, 0, constrained, 0);
        return constrained[0];
    }

    @Override
    public Optional<double[]> naturalParameters() {
        return Optional.empty();
    }

    @Override
    public void sample(RandomStream random, double[] draw) {
        Checks.size(draw, names.size(), "draw");
        double[] links = new double[free.dimension()];
        free.sample(random, links);
        space.constrain(links, draw);
    }

    @Override
    public double logDensity(double[] point) {
        Checks.size(point, names.size(), "point");
        double[] links = new double[free.dimension()];
        space.unconstrain(point, links);
        for (double link : links) {
            if (!Double.isFinite(link)) {
                return Double.NEGATIVE_INFINITY;
            }
        }
        return free.logDensity(links) - space.constrain(links, new double[point.length]);
    }

    @Override
    public Map<String, Object> toJson() {
        Map<String, Object> json = PosteriorFields.start(this);
        List<Object> blocks = new ArrayList<>();
        space.blocks().forEach((name, transform) -> {
            Map<String, Object> block = new LinkedHashMap<>();
            block.put("name", name);
            block.put("transform", transform.name());
            block.put("size", transform.dimension());
            blocks.add(block);
        });
        json.put("space", blocks);
        json.put("free", free.toJson());
        return json;
    }
}
