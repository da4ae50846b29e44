package dev.tacit.posterior.family;

import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Checks;
import dev.tacit.posterior.Posterior;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Independent posteriors side by side, each under a name.
 *
 * <pre>
 *   density Π_b q_b(θ_b)        coordinates and natural parameters of the blocks one after the other
 * </pre>
 *
 * A coordinate is named {@code block.parameter}.
 */
public final class ProductPosterior implements Posterior, Serializable {
    private static final long serialVersionUID = 1;

    /** The name of the family. */
    public static final String FAMILY = "product";

    private final Map<String, Posterior> blocks;
    private final List<String> names;

    /** From blocks in the order of the map. */
    public ProductPosterior(Map<String, ? extends Posterior> blocks) {
        this.blocks = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(blocks));
        List<String> all = new ArrayList<>();
        this.blocks.forEach((block, posterior) ->
                posterior.parameterNames().forEach(parameter -> all.add(block + "." + parameter)));
        this.names = Checks.names(all);
    }

    @Override
    public String family() {
        return FAMILY;
    }

    @Override
    public List<String> parameterNames() {
        return names;
    }

    /** The blocks, in order. */
    public Map<String, Posterior> blocks() {
        return blocks;
    }

    /** One block. */
    public Posterior block(String name) {
        Posterior block = blocks.get(name);
        if (block == null) {
            throw new IllegalArgumentException(
                    "the posterior has no block \"" + name + "\" (it has " + String.join(", ", blocks.keySet()) + ")");
        }
        return block;
    }

    @Override
    public double[] mean() {
        return blocks.values().stream()
                .flatMapToDouble(block -> Arrays.stream(block.mean()))
                .toArray();
    }

    @Override
    public double[] standardDeviation() {
        return blocks.values().stream()
                .flatMapToDouble(block -> Arrays.stream(block.standardDeviation()))
                .toArray();
    }

    @Override
    public double quantile(int coordinate, double probability) {
        Checks.coordinate(coordinate, names.size());
        int offset = 0;
        for (Posterior block : blocks.values()) {
            if (coordinate < offset + block.dimension()) {
                return block.quantile(coordinate - offset, probability);
            }
            offset += block.dimension();
        }
        throw new AssertionError("unreachable");
    }

    @Override
    public Optional<double[]> naturalParameters() {
        List<double[]> parts = new ArrayList<>();
        for (Posterior block : blocks.values()) {
            Optional<double[]> part = block.naturalParameters();
            if (part.isEmpty()) {
                return Optional.empty();
            }
            parts.add(part.get());
        }
        return Optional.of(parts.stream().flatMapToDouble(Arrays::stream).toArray());
    }

    @Override
    public void sample(RandomStream random, double[] draw) {
        Checks.size(draw, names.size(), "draw");
        int offset = 0;
        for (Posterior block : blocks.values()) {
            double[] part = new double[block.dimension()];
            block.sample(random, part);
            System.arraycopy(part, 0, draw, offset, part.length);
            offset += part.length;
        }
    }

    @Override
    public double logDensity(double[] point) {
        Checks.size(point, names.size(), "point");
        double sum = 0;
        int offset = 0;
        for (Posterior block : blocks.values()) {
            sum += block.logDensity(Arrays.copyOfRange(point, offset, offset + block.dimension()));
            offset += block.dimension();
        }
        return sum;
    }

    @Override
    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("family", FAMILY);
        Map<String, Object> parts = new LinkedHashMap<>();
        blocks.forEach((name, block) -> parts.put(name, block.toJson()));
        json.put("blocks", parts);
        return json;
    }
}
