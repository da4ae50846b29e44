package dev.tacit.accounting.classic;

import dev.tacit.accounting.compose.DominatingPairs;
import dev.tacit.accounting.compose.Phase;
import dev.tacit.accounting.compose.UnsupportedEventException;
import dev.tacit.accounting.exact.closed.SingleRelease;
import dev.tacit.accounting.pair.DominatingPair;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.accounting.renyi.RenyiConversion;
import dev.tacit.door.unit.Neighbours;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * What each single release of an event costs at a delta of its own: the input of composition theorems that only know
 * (epsilon, delta) per release.
 *
 * <p>A release with dominating pairs is converted exactly, in its worse direction ({@link SingleRelease}); one without
 * is converted from its Rényi curve.
 */
final class ReleaseEpsilons {
    /** Below this, doubles have too few digits left for a share of delta. */
    private static final double SMALLEST_DELTA = 1e-320;

    private final List<Group> groups;

    /** A number of releases of one kind and its epsilon as a function of delta. */
    private record Group(double times, DoubleUnaryOperator epsilon) {}

    /** A number of releases of one kind and the epsilon of each. */
    record Charge(double times, double epsilon) {}

    private ReleaseEpsilons(List<Group> groups) {
        this.groups = groups;
    }

    static ReleaseEpsilons of(List<Phase> phases, Neighbours neighbours) throws UnsupportedEventException {
        List<Group> groups = new ArrayList<>();
        for (Phase phase : phases) {
            groups.add(new Group(phase.times(), epsilonOf(phase, neighbours)));
        }
        return new ReleaseEpsilons(groups);
    }

    private static DoubleUnaryOperator epsilonOf(Phase phase, Neighbours neighbours) throws UnsupportedEventException {
        try {
            List<DominatingPair> directions = DominatingPairs.of(phase, neighbours);
            return delta -> {
                double worst = 0;
                for (DominatingPair pair : directions) {
                    worst = Math.max(worst, SingleRelease.epsilonUpper(pair, delta));
                }
                return worst;
            };
        } catch (UnsupportedEventException noPair) {
            DoubleUnaryOperator curve = RenyiAccountant.curve(phase, neighbours);
            return delta -> RenyiConversion.epsilon(curve, delta);
        }
    }

    double releases() {
        double sum = 0;
        for (Group group : groups) {
            sum += group.times();
        }
        return sum;
    }

    /** The charges when every release may fail with this probability. */
    List<Charge> at(double deltaOfEach) {
        List<Charge> charges = new ArrayList<>();
        for (Group group : groups) {
            double epsilon = deltaOfEach < SMALLEST_DELTA
                    ? Double.POSITIVE_INFINITY
                    : group.epsilon().applyAsDouble(deltaOfEach);
            charges.add(new Charge(group.times(), epsilon));
        }
        return charges;
    }

    /**
     * The smallest delta, up to a relative 1e-12, at which a non-increasing epsilon is at most the given one; 1 if
     * there is none.
     */
    static double smallestDelta(DoubleUnaryOperator epsilonOfDelta, double epsilon) {
        double fails = Math.log(1e-300);
        double holds = Math.log(1 - 1e-9);
        if (epsilonOfDelta.applyAsDouble(Math.exp(holds)) > epsilon) {
            return 1;
        }
        if (epsilonOfDelta.applyAsDouble(Math.exp(fails)) <= epsilon) {
            return Math.exp(fails);
        }
        while (holds - fails > 1e-12) {
            double middle = 0.5 * (fails + holds);
            if (epsilonOfDelta.applyAsDouble(Math.exp(middle)) <= epsilon) {
                holds = middle;
            } else {
                fails = middle;
            }
        }
        return Math.exp(holds);
    }
}
