package dev.tacit.experiments.mcmc;

import dev.tacit.numerics.RandomStream;

/**
 * One chain of the No-U-Turn sampler: a Hamiltonian trajectory that doubles, forwards or backwards at random, until it
 * turns back, and a state picked from it with probability proportional to e^−H.
 *
 * <pre>
 *   H(q, p) = −log π(q) + ½ pᵀ Σ p        leapfrog: p += ½ε∇log π, q += εΣp, p += ½ε∇log π
 *   goes on while  ρᵀΣp⁻ &gt; 0 and ρᵀΣp⁺ &gt; 0,  ρ the sum of the momenta of the trajectory,
 *   and while the same holds for each half with the first state of the other
 * </pre>
 *
 * Hoffman and Gelman 2014; multinomial weights, biased progressive sampling and the generalised criterion of Betancourt
 * 2017, appendix A.3–A.4.2; the two checks across the halves as in Stan since 2.21. A trajectory whose energy error
 * passes {@value #MOST_ENERGY_ERROR} is divergent and ends.
 */
final class NutsChain {
    private static final double MOST_ENERGY_ERROR = 1000;
    private static final int MOST_DOUBLINGS = 60;
    private static final double FIRST_TARGET = 0.8;

    private final LogDensity density;
    private final Metric metric;
    private final RandomStream random;
    private final int maximumTreeDepth;

    private double stepSize = 1;

    // the state that moves along the trajectory
    private final double[] position;
    private final double[] momentum;
    private final double[] gradient;
    private final double[] velocity;
    private double logDensity;

    private final Place current;
    private final Place candidate;
    private final End forward;
    private final End backward;
    private final Half front;
    private final Half rear;
    private final double[] sum;
    private final Scratch[] scratch;

    private double startEnergy;
    private double stepSign;
    private boolean diverged;
    private int leapfrogs;
    private double acceptanceSum;
    private double energy;
    private int depth;

    NutsChain(LogDensity density, Metric metric, int maximumTreeDepth, RandomStream random) {
        int n = density.dimension();
        this.density = density;
        this.metric = metric;
        this.random = random;
        this.maximumTreeDepth = maximumTreeDepth;
        this.position = new double[n];
        this.momentum = new double[n];
        this.gradient = new double[n];
        this.velocity = new double[n];
        this.current = new Place(n);
        this.candidate = new Place(n);
        this.forward = new End(n);
        this.backward = new End(n);
        this.front = new Half(n);
        this.rear = new Half(n);
        this.sum = new double[n];
        this.scratch = new Scratch[maximumTreeDepth];
        for (int i = 0; i < maximumTreeDepth; i++) {
            scratch[i] = new Scratch(n);
        }
    }

    /** A position with its log density and gradient. */
    private static final class Place {
        final double[] position;
        final double[] gradient;
        double logDensity;

        Place(int n) {
            position = new double[n];
            gradient = new double[n];
        }

        void copy(Place other) {
            System.arraycopy(other.position, 0, position, 0, position.length);
            System.arraycopy(other.gradient, 0, gradient, 0, gradient.length);
            logDensity = other.logDensity;
        }
    }

    /** An outermost state of the trajectory, where it is taken up again. */
    private static final class End {
        final Place place;
        final double[] momentum;

        End(int n) {
            place = new Place(n);
            momentum = new double[n];
        }
    }

    /** A piece of the trajectory as the criterion sees it: p and Σp at its two ends, and ρ. */
    private static final class Half {
        double[] firstMomentum;
        double[] firstVelocity;
        double[] lastMomentum;
        double[] lastVelocity;
        final double[] momentumSum;
        double logWeight;

        Half(int n) {
            firstMomentum = new double[n];
            firstVelocity = new double[n];
            lastMomentum = new double[n];
            lastVelocity = new double[n];
            momentumSum = new double[n];
        }
    }

    /** Working arrays of one level of the recursion. */
    private static final class Scratch {
        final Half first;
        final Half second;
        final Place candidate;

        Scratch(int n) {
            first = new Half(n);
            second = new Half(n);
            candidate = new Place(n);
        }
    }

    // ---- what a run asks -------------------------------------------------------------------------------------------

    /** Moves to a point; false if the density is zero or not a number there, or its gradient is not finite. */
    boolean start(double[] point) {
        System.arraycopy(point, 0, current.position, 0, point.length);
        current.logDensity = density.valueAndGradient(current.position, current.gradient);
        boolean finite = Double.isFinite(current.logDensity);
        for (double value : current.gradient) {
            finite &= Double.isFinite(value);
        }
        return finite;
    }

    double[] position() {
        return current.position;
    }

    double stepSize() {
        return stepSize;
    }

    void stepSize(double newStepSize) {
        stepSize = newStepSize;
    }

    /**
     * Doubles or halves the step size until the acceptance of one leapfrog step crosses 0.8 (heuristic of Algorithm
     * 4).
     */
    void findStepSize() {
        int direction = 0;
        for (int i = 0; i < MOST_DOUBLINGS; i++) {
            begin();
            stepSign = 1;
            leapfrog();
            double gain = startEnergy - hamiltonian();
            int wanted = gain > Math.log(FIRST_TARGET) ? 1 : -1;
            if (direction == 0) {
                direction = wanted;
            } else if (wanted != direction) {
                return;
            }
            stepSize *= direction > 0 ? 2 : 0.5;
        }
    }

    // ---- one transition --------------------------------------------------------------------------------------------

    /** Moves the chain and returns the acceptance statistic: the mean of min(1, e^(H₀−H)) over the trajectory. */
    double transition() {
        begin();
        save(forward);
        save(backward);
        candidate.copy(current);
        copy(momentum, front.lastMomentum);
        copy(velocity, front.lastVelocity);
        copy(momentum, rear.firstMomentum);
        copy(velocity, rear.firstVelocity);
        copy(momentum, sum);
        double logWeight = 0;
        energy = startEnergy;
        diverged = false;
        leapfrogs = 0;
        acceptanceSum = 0;
        for (depth = 0; depth < maximumTreeDepth; ) {
            boolean valid;
            double added;
            // rear is the earlier part of the doubled trajectory, front the later one; one of them is what there was
            // before
            if (random.nextLong() < 0) {
                copy(sum, rear.momentumSum);
                copy(front.lastMomentum, rear.lastMomentum);
                copy(front.lastVelocity, rear.lastVelocity);
                resume(forward);
                stepSign = 1;
                valid = build(depth, front, candidate);
                save(forward);
                added = front.logWeight;
            } else {
                copy(sum, front.momentumSum);
                copy(rear.firstMomentum, front.firstMomentum);
                copy(rear.firstVelocity, front.firstVelocity);
                resume(backward);
                stepSign = -1;
                valid = build(depth, rear, candidate);
                turnAround(rear);
                save(backward);
                added = rear.logWeight;
            }
            if (!valid) {
                break;
            }
            depth++;
            if (added > logWeight || random.uniform() < Math.exp(added - logWeight)) {
                current.copy(candidate);
            }
            logWeight = logSum(logWeight, added);
            for (int i = 0; i < sum.length; i++) {
                sum[i] = rear.momentumSum[i] + front.momentumSum[i];
            }
            if (!goesOn(rear, front, sum)) {
                break;
            }
        }
        return acceptanceSum / leapfrogs;
    }

    /** A tree built backwards in time has its first state last. */
    private static void turnAround(Half half) {
        double[] swap = half.firstMomentum;
        half.firstMomentum = half.lastMomentum;
        half.lastMomentum = swap;
        swap = half.firstVelocity;
        half.firstVelocity = half.lastVelocity;
        half.lastVelocity = swap;
    }

    /**
     * Extends the trajectory by 2^level states, in the order in which they are visited.
     *
     * @param half receives ends, sum of momenta and log weight
     * @param proposal receives a state drawn by weight
     * @return whether the piece neither diverges nor turns back within itself
     */
    private boolean build(int level, Half half, Place proposal) {
        if (level == 0) {
            return buildLeaf(half, proposal);
        }
        Scratch own = scratch[level];
        Half first = own.first;
        Half second = own.second;
        if (!build(level - 1, first, proposal) || !build(level - 1, second, own.candidate)) {
            return false;
        }
        half.logWeight = logSum(first.logWeight, second.logWeight);
        if (random.uniform() < Math.exp(second.logWeight - half.logWeight)) {
            proposal.copy(own.candidate);
        }
        for (int i = 0; i < sum.length; i++) {
            half.momentumSum[i] = first.momentumSum[i] + second.momentumSum[i];
        }
        copy(first.firstMomentum, half.firstMomentum);
        copy(first.firstVelocity, half.firstVelocity);
        copy(second.lastMomentum, half.lastMomentum);
        copy(second.lastVelocity, half.lastVelocity);
        return goesOn(first, second, half.momentumSum);
    }

    private boolean buildLeaf(Half half, Place proposal) {
        leapfrog();
        leapfrogs++;
        double hamiltonian = hamiltonian();
        if (Double.isNaN(hamiltonian)) {
            hamiltonian = Double.POSITIVE_INFINITY;
        }
        double gain = startEnergy - hamiltonian;
        diverged = -gain > MOST_ENERGY_ERROR;
        acceptanceSum += gain > 0 ? 1 : Math.exp(gain);
        half.logWeight = gain;
        copy(momentum, half.firstMomentum);
        copy(momentum, half.lastMomentum);
        copy(momentum, half.momentumSum);
        copy(velocity, half.firstVelocity);
        copy(velocity, half.lastVelocity);
        copy(position, proposal.position);
        copy(gradient, proposal.gradient);
        proposal.logDensity = logDensity;
        return !diverged;
    }

    /** The generalised criterion for two pieces that follow one another, and across the seam. */
    private static boolean goesOn(Half first, Half second, double[] whole) {
        double wholeFirst = 0;
        double wholeLast = 0;
        double seamFirst = 0;
        double seamMiddle = 0;
        double otherMiddle = 0;
        double otherLast = 0;
        for (int i = 0; i < whole.length; i++) {
            wholeFirst += whole[i] * first.firstVelocity[i];
            wholeLast += whole[i] * second.lastVelocity[i];
            double seam = first.momentumSum[i] + second.firstMomentum[i];
            seamFirst += seam * first.firstVelocity[i];
            seamMiddle += seam * second.firstVelocity[i];
            double other = second.momentumSum[i] + first.lastMomentum[i];
            otherMiddle += other * first.lastVelocity[i];
            otherLast += other * second.lastVelocity[i];
        }
        return wholeFirst > 0 && wholeLast > 0 && seamFirst > 0 && seamMiddle > 0 && otherMiddle > 0 && otherLast > 0;
    }

    private void begin() {
        metric.sampleMomentum(random, momentum);
        copy(current.position, position);
        copy(current.gradient, gradient);
        logDensity = current.logDensity;
        metric.velocity(momentum, velocity);
        startEnergy = hamiltonian();
    }

    private void leapfrog() {
        double step = stepSign * stepSize;
        double half = 0.5 * step;
        for (int i = 0; i < momentum.length; i++) {
            momentum[i] += half * gradient[i];
        }
        metric.velocity(momentum, velocity);
        for (int i = 0; i < position.length; i++) {
            position[i] += step * velocity[i];
        }
        logDensity = density.valueAndGradient(position, gradient);
        for (int i = 0; i < momentum.length; i++) {
            momentum[i] += half * gradient[i];
        }
        metric.velocity(momentum, velocity);
    }

    private double hamiltonian() {
        double twice = 0;
        for (int i = 0; i < momentum.length; i++) {
            twice += momentum[i] * velocity[i];
        }
        return 0.5 * twice - logDensity;
    }

    private void save(End end) {
        copy(position, end.place.position);
        copy(gradient, end.place.gradient);
        end.place.logDensity = logDensity;
        copy(momentum, end.momentum);
    }

    private void resume(End end) {
        copy(end.place.position, position);
        copy(end.place.gradient, gradient);
        logDensity = end.place.logDensity;
        copy(end.momentum, momentum);
    }

    private static void copy(double[] from, double[] to) {
        System.arraycopy(from, 0, to, 0, from.length);
    }

    private static double logSum(double a, double b) {
        double larger = Math.max(a, b);
        return larger == Double.NEGATIVE_INFINITY ? larger : larger + Math.log1p(Math.exp(-Math.abs(a - b)));
    }

    // ---- what the last transition was like --------------------------------------------------------------------------

    boolean diverged() {
        return diverged;
    }

    int leapfrogs() {
        return leapfrogs;
    }

    int depth() {
        return depth;
    }

    /** The energy at the start of the last transition, after the new momentum. */
    double energy() {
        return energy;
    }

    double logDensity() {
        return current.logDensity;
    }
}
