package dev.tacit.posterior.family;

import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Checks;
import dev.tacit.posterior.Posterior;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Independent coordinates, each a mixture of Gaussians; no natural parameters. */
public final class MixturePosterior implements Posterior {
    /** The name of the family. */
    public static final String FAMILY = "gaussian-mixtures";

    private final List<String> names;
    private final List<ScalarGaussianMixture> mixtures;

    /** From one mixture for each coordinate. */
    public MixturePosterior(List<String> parameterNames, List<ScalarGaussianMixture> mixtures) {
        this.names = Checks.names(parameterNames);
        this.mixtures = List.copyOf(mixtures);
        if (names.isEmpty() || this.mixtures.size() != names.size()) {
            throw new IllegalArgumentException(
                    "there are " + names.size() + " parameters and " + this.mixtures.size() + " mixtures");
        }
    }

    @Override
    public String family() {
        return FAMILY;
    }

    @Override
    public List<String> parameterNames() {
        return names;
    }

    /** The distribution of one coordinate. */
    public ScalarGaussianMixture mixture(int coordinate) {
        return mixtures.get(coordinate);
    }

    @Override
    public double[] mean() {
        return mixtures.stream().mapToDouble(ScalarGaussianMixture::mean).toArray();
    }

    @Override
    public double[] standardDeviation() {
        return mixtures.stream().mapToDouble(m -> Math.sqrt(m.variance())).toArray();
    }

    @Override
    public double quantile(int coordinate, double probability) {
        return mixtures.get(coordinate).quantile(probability);
    }

    @Override
    public Optional<double[]> naturalParameters() {
        return Optional.empty();
    }

    @Override
    public void sample(RandomStream random, double[] draw) {
        Checks.size(draw, mixtures.size(), "draw");
        for (int i = 0; i < draw.length; i++) {
            draw[i] = mixtures.get(i).sample(random);
        }
    }

    @Override
    public double logDensity(double[] point) {
        Checks.size(point, mixtures.size(), "point");
        double sum = 0;
        for (int i = 0; i < point.length; i++) {
            sum += mixtures.get(i).logDensity(point[i]);
        }
        return sum;
    }

    /** The Gaussian with the same means and variances, for predictions that project on x. */
    public DiagonalGaussianPosterior gaussian() {
        return new DiagonalGaussianPosterior(
                names,
                mean(),
                mixtures.stream().mapToDouble(ScalarGaussianMixture::variance).toArray());
    }

    @Override
    public Map<String, Object> toJson() {
        Map<String, Object> json = PosteriorFields.start(this);
        List<Object> list = new ArrayList<>();
        for (ScalarGaussianMixture mixture : mixtures) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("weights", PosteriorFields.list(mixture.weights()));
            one.put("means", PosteriorFields.list(mixture.means()));
            one.put("variances", PosteriorFields.list(mixture.variances()));
            list.add(one);
        }
        json.put("mixtures", list);
        return json;
    }
}
