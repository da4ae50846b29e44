package dev.tacit.transform;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A vector of named, constrained parameters, each block with its {@link Transform}, one after the other.
 *
 * <pre>
 *   ParameterSpace space = ParameterSpace.of("weights", Transforms.real(3)).and("sd", Transforms.positive(1));
 *   space.dimension()    4        space.names()    weights[1], weights[2], weights[3], sd
 * </pre>
 *
 * A density that is written for the constrained parameters becomes one for the free numbers, Jacobian included, with
 * {@code ConstrainedDensity} of {@code dev.tacit.mcmc}.
 */
public final class ParameterSpace {
    private final Map<String, Transform> blocks;
    private final int dimension;
    private final int freeDimension;

    private ParameterSpace(Map<String, Transform> blocks) {
        this.blocks = blocks;
        this.dimension = blocks.values().stream().mapToInt(Transform::dimension).sum();
        this.freeDimension =
                blocks.values().stream().mapToInt(Transform::freeDimension).sum();
    }

    /** A space with one block. */
    public static ParameterSpace of(String name, Transform transform) {
        return new ParameterSpace(new LinkedHashMap<>(Map.of(name, transform)));
    }

    /** This space with one more block behind. */
    public ParameterSpace and(String name, Transform transform) {
        Map<String, Transform> more = new LinkedHashMap<>(blocks);
        if (more.put(name, transform) != null) {
            throw new IllegalArgumentException("two parameters have the name \"" + name + "\"");
        }
        return new ParameterSpace(more);
    }

    /** The blocks in order. */
    public Map<String, Transform> blocks() {
        return new LinkedHashMap<>(blocks);
    }

    /** How many constrained numbers there are. */
    public int dimension() {
        return dimension;
    }

    /** How many free numbers there are. */
    public int freeDimension() {
        return freeDimension;
    }

    /** Names of the constrained numbers: the block's name, with [1], [2], … if it has several. */
    public List<String> names() {
        return names(false);
    }

    /** Names of the free numbers. */
    public List<String> freeNames() {
        return names(true);
    }

    private List<String> names(boolean free) {
        List<String> names = new ArrayList<>();
        blocks.forEach((name, transform) -> {
            int count = free ? transform.freeDimension() : transform.dimension();
            for (int i = 1; i <= count; i++) {
                names.add(transform.dimension() == 1 ? name : name + "[" + i + "]");
            }
        });
        return names;
    }

    /** Where the constrained numbers of a block start. */
    public int at(String name) {
        int at = 0;
        for (Map.Entry<String, Transform> block : blocks.entrySet()) {
            if (block.getKey().equals(name)) {
                return at;
            }
            at += block.getValue().dimension();
        }
        throw new IllegalArgumentException("there is no parameter \"" + name + "\"");
    }

    /** Writes the constrained numbers and returns the logarithm of the Jacobian's determinant. */
    public double constrain(double[] free, double[] constrained) {
        int freeAt = 0;
        int at = 0;
        double sum = 0;
        for (Transform transform : blocks.values()) {
            sum += transform.constrain(free, freeAt, constrained, at);
            freeAt += transform.freeDimension();
            at += transform.dimension();
        }
        return sum;
    }

    /** Writes the free numbers. */
    public void unconstrain(double[] constrained, double[] free) {
        int freeAt = 0;
        int at = 0;
        for (Transform transform : blocks.values()) {
            transform.unconstrain(constrained, at, free, freeAt);
            freeAt += transform.freeDimension();
            at += transform.dimension();
        }
    }

    /** Writes the gradient in the free numbers of f(x(u)) + log |det ∂x/∂u|, given ∂f/∂x. */
    public void pullBack(double[] free, double[] constrained, double[] gradient, double[] freeGradient) {
        int freeAt = 0;
        int at = 0;
        for (Transform transform : blocks.values()) {
            transform.pullBack(free, freeAt, constrained, at, gradient, freeGradient);
            freeAt += transform.freeDimension();
            at += transform.dimension();
        }
    }
}
