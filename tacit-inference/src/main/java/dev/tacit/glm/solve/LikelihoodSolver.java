package dev.tacit.glm.solve;

import dev.tacit.glm.group.GroupDeviations;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.glm.twin.ClipChoice;
import dev.tacit.glm.twin.GlmGeometry;
import dev.tacit.glm.twin.RoundQueries;
import dev.tacit.glm.twin.TwinRound;
import dev.tacit.numerics.Matrices;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * From residual sums at public points to an estimate with all its variances, in whitened coordinates.
 *
 * <pre>
 *   before a round   where it takes place, with its clips                        {@link ClipChoice}
 *   a round          its sums beside the twin's field                            {@link TwinRound}
 *   the curvature    γ, A and what stays uncertain; a secant from each later round   {@link LearnedCurvature}
 *   an estimate      Newton steps against all sums, each with its variance       {@link SolverPass}, {@link ExtraParameters}
 *   the end          three passes with expectations averaged over the posterior of the predictor, then   {@link LikelihoodEstimate}
 *                    without noise none: the curvature at the newest point is the table's own, what is averaged would be the twin's
 * </pre>
 *
 * Everything here is post-processing of released sums. A solver is used once, round after round in the order of the
 * releases.
 */
public final class LikelihoodSolver {
    private static final int INNER = 10;
    private static final int SMOOTH_PASSES = 3;

    /** Steps of extra parameters where coefficients have come to rest. */
    private static final int LAST_STEPS_OF_EXTRA = 5;

    /** Passes for a prior that is far from what the sums say, one trusted step after the other. */
    private static final int MOST_PASSES = 200;

    /** Steps between two looks at the deviations of groups. */
    private static final int DEVIATION_STEPS = 3;

    /** A step ends an estimate if its predictor is shorter than this, and than this share of its standard deviation. */
    private static final double SHORT_STEP = 0.01;

    private static final double SHORT_SHARE = 0.02;
    private static final double LARGEST_VARIANCE = 4;

    /** Noise that stands for none, in bounds. */
    private static final double NOISELESS = 1e-6;

    private final GlmGeometry geometry;
    private final GlmPrior.Standard workingPrior;
    private final ClipChoice clips;
    private final LearnedCurvature learned;
    private final ExtraParameters extra;
    private final List<TwinRound> rounds = new ArrayList<>();

    /** The last pass without averages over the posterior, the last pass, and the inverse of the information on extra parameters that it left. */
    private SolverPass mode;

    private SolverPass pass;

    private double[] noiseOfExtra;

    /** Of the effects of each group term, as far as the sums so far say. */
    private double[] groupDeviations;

    /** @param noisePerBound noise of all rounds together over their bound */
    public LikelihoodSolver(GlmGeometry geometry, double noisePerBound) {
        this.geometry = geometry;
        this.workingPrior = GlmPrior.standard().toStandard(geometry.model, geometry.standard, geometry.startIntercept);
        this.clips = new ClipChoice(geometry, noisePerBound);
        this.learned = new LearnedCurvature(geometry);
        this.extra = new ExtraParameters(geometry);
        this.groupDeviations = GroupDeviations.start(workingPrior);
    }

    public GlmGeometry geometry() {
        return geometry;
    }

    /** The prior that decides where sums are released, always the same. */
    public GlmPrior.Standard workingPrior() {
        return workingPrior;
    }

    /** The first point. */
    public RoundQueries.Point start() {
        return pointAt(geometry.startPoint());
    }

    /** Where the next sums are to be released, with clips chosen on the twin. */
    public RoundQueries.Point pointAt(double[] theta) {
        return clips.at(
                theta,
                extra.values(),
                SolverPass.Prior.of(geometry, workingPrior, groupDeviations).precision());
    }

    /** Takes the sums of a round in. */
    public void addRound(RoundQueries.Point at, double[] released, double noise) {
        double least = NOISELESS * clips.typical(at.residualBound());
        TwinRound round = new TwinRound(geometry, at, released, Math.max(noise, least));
        rounds.add(round);
        if (learned.isKnown() && rounds.size() > 1) {
            learned.secant(rounds.get(rounds.size() - 2), round, extra.values(), pass.local());
        }
    }

    /** Takes the curvature at the point of the last round in. */
    public void addCurvature(double[] released, double noise) {
        TwinRound last = newest();
        double least = NOISELESS * clips.typical(last.at().curvatureBound());
        learned.learn(last, released, Math.max(noise, least));
    }

    private TwinRound newest() {
        return rounds.get(rounds.size() - 1);
    }

    /** The estimate from all rounds so far. */
    public double[] solve(GlmPrior.Standard prior, boolean last) {
        SolverPass.Prior whitened = SolverPass.Prior.of(geometry, prior, groupDeviations);
        double[] theta = newest().at().point();
        boolean smooth = last && geometry.model.family().smooths() && !geometry.isExact();
        extra.forgetSlopes();
        int most = workingPrior.sameAs(prior) ? INNER : MOST_PASSES;
        for (int inner = 0; inner < most; inner++) {
            theta = step(theta, whitened, null, last);
            boolean enough = pass.length() < Math.min(SHORT_STEP, SHORT_SHARE * pass.spread())
                    && (!smooth || inner + 1 >= INNER);
            if (inner % DEVIATION_STEPS == 0 || enough) {
                whitened = withDeviations(prior, whitened);
            }
            if (enough) {
                break;
            }
        }
        mode = pass;
        if (smooth) {
            double[] deviations = predictorDeviations(geometry, pass.covariance());
            for (int i = 0; i < SMOOTH_PASSES; i++) {
                theta = step(theta, whitened, deviations, last);
                whitened = withDeviations(prior, whitened);
            }
        }
        if (last && extra.count() > 0) {
            double[] covariance = LikelihoodEstimate.coefficients(geometry, learned, pass, whitened);
            for (int i = 0; i < LAST_STEPS_OF_EXTRA; i++) {
                extra.forgetSlopes();
                noiseOfExtra = extra.step(rounds, pass.theta(), covariance, true);
            }
        }
        return theta;
    }

    /** The prior with the deviations of groups that the last pass speaks for. */
    private SolverPass.Prior withDeviations(GlmPrior.Standard prior, SolverPass.Prior before) {
        if (geometry.groups().isEmpty()) {
            return before;
        }
        GroupDeviations deviations = new GroupDeviations(geometry.groups().get(), prior, groupDeviations);
        deviations.update(pass.evidence(columnsPrior(prior)));
        groupDeviations = deviations.values();
        return SolverPass.Prior.of(geometry, prior, groupDeviations);
    }

    /** The columns' prior, nothing being said about groups. */
    private SolverPass.Prior columnsPrior(GlmPrior.Standard prior) {
        double[] anything = new double[groupDeviations.length];
        Arrays.fill(anything, Double.POSITIVE_INFINITY);
        return SolverPass.Prior.of(geometry, prior, anything);
    }

    private double[] step(double[] theta, SolverPass.Prior prior, double[] deviations, boolean last) {
        pass = SolverPass.from(theta, geometry, learned, rounds, extra.values(), prior, deviations);
        noiseOfExtra = extra.step(rounds, pass.theta(), pass.covariance(), last);
        return pass.theta();
    }

    /** Standard deviations of the twin's predictors. */
    static double[] predictorDeviations(GlmGeometry geometry, double[] covariance) {
        double[] deviations = geometry.predictorVariances(covariance);
        for (int r = 0; r < deviations.length; r++) {
            deviations[r] = Math.sqrt(Matrices.clamp(deviations[r], 0, LARGEST_VARIANCE));
        }
        return deviations;
    }

    /** The last estimate, with everything that is known about its error. */
    public LikelihoodEstimate estimate(GlmPrior.Standard prior) {
        solve(prior, true);
        LikelihoodEstimate.Sums sums =
                new LikelihoodEstimate.Sums(geometry, learned, newest(), mode, pass, extra.values(), noiseOfExtra);
        if (geometry.groups().isEmpty()) {
            return sums.estimate(prior);
        }
        return sums.estimate(
                prior,
                new GroupDeviations(geometry.groups().get(), prior, groupDeviations),
                pass.evidence(columnsPrior(prior)));
    }
}
