package dev.tacit.accounting.exact;

import dev.tacit.accounting.DeltaBound;
import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.accounting.classic.AdvancedCompositionAccountant;
import dev.tacit.accounting.compose.CertifiedInterval;
import dev.tacit.accounting.compose.Composition;
import dev.tacit.accounting.compose.DominatingPairs;
import dev.tacit.accounting.compose.Phase;
import dev.tacit.accounting.compose.Sampling;
import dev.tacit.accounting.compose.UnsupportedEventException;
import dev.tacit.accounting.curve.CurveCatalogue;
import dev.tacit.accounting.curve.GaussianCurves;
import dev.tacit.accounting.curve.MechanismCurves;
import dev.tacit.accounting.curve.PureCurves;
import dev.tacit.accounting.exact.closed.GaussianClosedForm;
import dev.tacit.accounting.exact.closed.PureClosedForm;
import dev.tacit.accounting.exact.closed.SingleRelease;
import dev.tacit.accounting.exact.contour.ContourEngine;
import dev.tacit.accounting.exact.contour.GaussianMoments;
import dev.tacit.accounting.exact.contour.MomentCurve;
import dev.tacit.accounting.exact.contour.PoissonGaussianMoments;
import dev.tacit.accounting.exact.contour.PoissonGaussianMoments.Direction;
import dev.tacit.accounting.exact.grid.GridEngine;
import dev.tacit.accounting.exact.jumps.CutChernoff;
import dev.tacit.accounting.exact.jumps.CutGaussianMoments;
import dev.tacit.accounting.exact.jumps.JumpExpansion;
import dev.tacit.accounting.pair.DominatingPair;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The smallest epsilon (or delta) that the dominating pairs of an event allow, as an interval that certainly contains it.
 *
 * <pre>
 *   δ(ε) = max over directions of E_P[(1 − e^{ε−L})₊],   L = Σ of the independent losses of all releases
 * </pre>
 *
 * Closed forms where they exist ({@link GaussianClosedForm}, {@link PureClosedForm}, {@link SingleRelease}); otherwise the {@link ContourEngine} for
 * Gaussian releases and the {@link GridEngine} for everything else and for few compositions. Each direction is composed by itself and the larger
 * result counts (Zhu, Dong, Wang 2022, Theorem 10; Lebeda et al. 2024 show what goes wrong otherwise). A release known only through
 * zero-concentration has no pair: the interval then ends at the Rényi bound and starts at the Gaussian release of the same concentration.
 *
 * <p>The answer holds for parameters fixed in advance, not as a filter for adaptively chosen ones.
 */
public final class ExactAccountant implements PrivacyAccountant {
    private static final double EASY_WORK = 1e7;
    private static final double WORK_PER_PHASE = 1e5;
    private static final double MOST_WORK = 4e7;
    private static final double TIGHT = 1e-9;
    private static final double LOOSE = 1e-6;
    private static final double FEW_RELEASES = 64;
    private static final int MOST_PHASES_WITH_JUMPS = 16;
    /** How often all releases are doubled to bound a question that no engine answers well. */
    private static final int MOST_DOUBLINGS = 12;
    /** An answer this many times the best one is hopeless, and so is doubling after a few of them: both then grow with the releases. */
    private static final double HOPELESS = 2;

    private static final int MOST_HOPELESS = 3;
    /** Below this noise multiplier the losses of adding a record are mostly at their bound. */
    private static final double MOSTLY_BOUNDED_NOISE = 1.2;

    private final CurveCatalogue catalogue;
    private final RenyiAccountant renyi;
    private final AdvancedCompositionAccountant advanced;

    public ExactAccountant() {
        this(CurveCatalogue.standard());
    }

    /** With the curves of these mechanisms. */
    public ExactAccountant(CurveCatalogue catalogue) {
        this.catalogue = catalogue;
        this.renyi = new RenyiAccountant(catalogue);
        this.advanced = new AdvancedCompositionAccountant(catalogue);
    }

    /** Whether the engine that a bound names reads the same dominating pairs, or their normal tails, as the lattice does. */
    public static boolean sharesPairsWithTheLattice(String source) {
        return Set.of(Question.GAUSSIAN, Question.SINGLE, Question.ADVANCED, GridEngine.SOURCE)
                .contains(source);
    }

    /** Whether a bound is that of the Rényi accountant. */
    public static boolean isRenyi(String source) {
        return source.equals(Question.RENYI);
    }

    @Override
    public String name() {
        return "exact";
    }

    @Override
    public EpsilonBound epsilon(PrivacyEvent event, double delta, Neighbours neighbours) {
        PrivacyBudget.requireDelta(delta);
        try {
            CertifiedInterval interval = worst(event, neighbours, Question.epsilonAt(delta));
            return Double.isInfinite(interval.upper())
                    ? new EpsilonBound.Unbounded("no finite epsilon holds at this delta")
                    : new EpsilonBound.Between(
                            interval.lower(), interval.upper(), interval.errors(), interval.source());
        } catch (UnsupportedEventException refusal) {
            return refusal.asEpsilonBound();
        }
    }

    @Override
    public DeltaBound delta(PrivacyEvent event, double epsilon, Neighbours neighbours) {
        Composition.requireEpsilon(epsilon);
        try {
            CertifiedInterval interval = worst(event, neighbours, Question.deltaAt(epsilon));
            return new DeltaBound.Between(
                    interval.lower(), Math.min(1, interval.upper()), interval.errors(), interval.source());
        } catch (UnsupportedEventException refusal) {
            return refusal.asDeltaBound();
        }
    }

    private CertifiedInterval worst(PrivacyEvent event, Neighbours neighbours, Question question)
            throws UnsupportedEventException {
        CertifiedInterval worst = null;
        for (List<Phase> phases : Composition.of(event, neighbours, catalogue).alternatives()) {
            CertifiedInterval interval = interval(phases, neighbours, question);
            worst = worst == null ? interval : worst.max(interval);
        }
        return worst == null ? question.nothing() : worst;
    }

    /** The interval of all phases; a wide one also takes the upper ends of harder questions. */
    private CertifiedInterval interval(List<Phase> phases, Neighbours neighbours, Question question)
            throws UnsupportedEventException {
        CertifiedInterval best = direct(phases, neighbours, question, true);
        boolean pairsKnown =
                withGaussianInPlaceOfConcentration(phases, neighbours).equals(phases);
        if (wide(best) && pairsKnown) {
            best = atMostRepeated(best, phases, neighbours, question, 1);
            Optional<Question> harder = question.harder();
            if (wide(best) && harder.isPresent()) {
                best = atMostRepeated(best, phases, neighbours, harder.get(), 0);
            }
        }
        return best;
    }

    /**
     * The interval, ended by the answer to a question that asks for all releases 2^k times if that is lower.
     *
     * <p>Releasing everything k times reveals at least as much as releasing it once, so an upper end for k times is one for once. The
     * contour integral converges faster the more releases there are, and often answers that question where it gives up on this one. A
     * question whose lower end is above what is known ends the search: harder ones are no lower.
     */
    private CertifiedInterval atMostRepeated(
            CertifiedInterval known, List<Phase> phases, Neighbours neighbours, Question question, int firstDoublings)
            throws UnsupportedEventException {
        CertifiedInterval best = known;
        int hopeless = 0;
        for (int doublings = firstDoublings;
                doublings <= MOST_DOUBLINGS && hopeless < MOST_HOPELESS && countable(phases, doublings);
                doublings++) {
            CertifiedInterval harder = direct(repeated(phases, doublings), neighbours, question, false);
            best = best.atMost(harder);
            if (!wide(harder) || harder.lower() >= best.upper()) {
                break;
            }
            hopeless = harder.upper() > HOPELESS * best.upper() ? hopeless + 1 : 0;
        }
        return best;
    }

    private static boolean countable(List<Phase> phases, int doublings) {
        return phases.stream().allMatch(phase -> phase.times() <= Long.MAX_VALUE >> doublings);
    }

    private static List<Phase> repeated(List<Phase> phases, int doublings) {
        return phases.stream()
                .map(phase -> new Phase(phase.sampling(), phase.curves(), phase.times() << doublings))
                .toList();
    }

    private CertifiedInterval direct(List<Phase> phases, Neighbours neighbours, Question question, boolean bounds)
            throws UnsupportedEventException {
        if (phases.isEmpty()) {
            return question.nothing();
        }
        List<Phase> known = withGaussianInPlaceOfConcentration(phases, neighbours);
        if (!known.equals(phases)) {
            CertifiedInterval upper = question.renyi(renyi, event(phases), neighbours);
            return new CertifiedInterval(
                    direct(known, neighbours, question, bounds).lower(), upper.upper(), upper.errors(), upper.source());
        }
        OptionalDouble shift = gaussianShift(phases, neighbours);
        if (shift.isPresent()) {
            return question.gaussian(shift.getAsDouble());
        }
        Phase first = phases.get(0);
        boolean oneKind = phases.size() == 1;
        if (oneKind
                && first.sampling() instanceof Sampling.None
                && first.curves() instanceof PureCurves pure
                && PureClosedForm.applies(pure.epsilon(), first.times())) {
            return question.pure(pure.epsilon(), first.times());
        }
        List<List<DominatingPair>> pairs = new ArrayList<>();
        int directions = 1;
        for (Phase phase : phases) {
            pairs.add(DominatingPairs.of(phase, neighbours));
            directions = Math.max(directions, pairs.get(pairs.size() - 1).size());
        }
        CertifiedInterval worst = null;
        for (int direction = 0; direction < directions; direction++) {
            if (oneKind && first.times() == 1) {
                CertifiedInterval interval = question.single(pairs.get(0).get(direction));
                worst = worst == null ? interval : worst.max(interval);
                continue;
            }
            boolean added = direction == 1 && neighbours == Neighbours.ADD_REMOVE;
            Optional<CertifiedInterval> bound =
                    added ? whenAdded(phases, question, worst.lower()) : Optional.<CertifiedInterval>empty();
            if (bound.isPresent() && bound.get().upper() <= worst.lower()) {
                continue;
            }
            CertifiedInterval interval = composed(phases, pairs, direction, neighbours, question, bounds);
            interval = bound.isPresent() ? interval.and(bound.get()) : interval;
            worst = worst == null ? interval : worst.max(interval);
        }
        return worst;
    }

    /**
     * A bound of the direction in which a record is added: a Poisson-sampled release then has losses of at most −log(1 − rate), whatever the noise.
     *
     * <p>L ≤ L′ + b almost surely gives δ(ε + b) ≤ δ′(ε). The other direction usually is far worse, and this spares the integral of this one.
     *
     * @param enough a bound as good as this cannot be improved upon
     */
    private static Optional<CertifiedInterval> whenAdded(List<Phase> phases, Question question, double enough) {
        double all = 0;
        double mostly = 0;
        double square = 0;
        List<Phase> rest = new ArrayList<>();
        for (Phase phase : phases) {
            if (!(phase.curves() instanceof GaussianCurves gaussian)) {
                return Optional.empty();
            }
            double shift = gaussian.shift(Neighbours.ADD_REMOVE);
            if (phase.sampling() instanceof Sampling.Poisson poisson) {
                double bound = -phase.times() * Math.log1p(-poisson.rate()) * (1 + 1e-14);
                all += bound;
                if (gaussian.noiseMultiplier() < MOSTLY_BOUNDED_NOISE) {
                    mostly += bound;
                    continue;
                }
            } else {
                square += phase.times() * shift * shift;
            }
            rest.add(phase);
        }
        CertifiedInterval simple = question.withBounded(all, Math.sqrt(square));
        boolean dear = ContourEngine.areMany(rest.size());
        if (simple.upper() <= enough || mostly == 0 || rest.isEmpty() || dear) {
            return Optional.of(simple);
        }
        ContourEngine engine =
                GaussianPhases.contour(rest, 1, Neighbours.ADD_REMOVE, PoissonGaussianMoments.CUT_WIDTH, EASY_WORK);
        return tighter(Optional.of(simple), question.withBounded(mostly, engine));
    }

    private CertifiedInterval composed(
            List<Phase> phases,
            List<List<DominatingPair>> pairs,
            int direction,
            Neighbours neighbours,
            Question question,
            boolean bounds)
            throws UnsupportedEventException {
        double releases = 0;
        boolean gaussian = true;
        List<GridEngine.Factor> factors = new ArrayList<>();
        for (int i = 0; i < phases.size(); i++) {
            List<DominatingPair> options = pairs.get(i);
            factors.add(new GridEngine.Factor(
                    options.get(Math.min(direction, options.size() - 1)),
                    phases.get(i).times()));
            releases += (double) phases.get(i).times();
            gaussian &= phases.get(i).curves() instanceof GaussianCurves;
        }
        double easyWork = EASY_WORK + WORK_PER_PHASE * phases.size();
        Optional<CertifiedInterval> best = Optional.empty();
        if (gaussian) {
            double cutWidth = ContourEngine.areMany(phases.size())
                    ? PoissonGaussianMoments.WIDE_CUT_WIDTH
                    : PoissonGaussianMoments.CUT_WIDTH;
            best = question.contour(GaussianPhases.contour(phases, direction, neighbours, cutWidth, easyWork));
            if (wide(best, TIGHT)) {
                best = tighter(
                        best,
                        question.contour(GaussianPhases.contour(
                                phases, direction, neighbours, PoissonGaussianMoments.SPLIT_WIDTH, easyWork)));
            }
            Optional<JumpExpansion> jumps =
                    wide(best, TIGHT) ? jumpExpansion(phases, direction, neighbours) : Optional.empty();
            if (jumps.isPresent()) {
                best = tighter(best, question.jumps(jumps.get()));
            }
        }
        if (!gaussian || (releases <= FEW_RELEASES && wide(best, LOOSE))) {
            best = tighter(best, question.grid(new GridEngine(factors)));
        }
        if (wide(best, LOOSE)) {
            best = tighter(best, Optional.of(question.renyi(renyi, event(phases), neighbours)));
            best = bounds
                    ? Optional.of(best.get().atMost(question.advanced(advanced, event(phases), neighbours)))
                    : best;
            if (gaussian && bounds) {
                CutChernoff bound = new CutChernoff(logMass -> cut(phases, direction, neighbours, logMass));
                best = Optional.of(best.get().atMost(question.cut(bound, best.get())));
            }
            double atLeast = 0;
            for (GridEngine.Factor factor : factors) {
                atLeast = Math.max(atLeast, question.single(factor.pair()).lower());
            }
            best = Optional.of(best.get().atLeast(atLeast));
        }
        return best.orElseThrow();
    }

    /** The expansion by large losses, unless losses are bounded in this direction. */
    private static Optional<JumpExpansion> jumpExpansion(List<Phase> phases, int direction, Neighbours neighbours) {
        List<MomentCurve> others = new ArrayList<>();
        List<JumpExpansion.Sampled> sampled = new ArrayList<>();
        for (Phase phase : phases) {
            GaussianCurves gaussian = (GaussianCurves) phase.curves();
            if (phase.sampling() instanceof Sampling.None) {
                others.add(new GaussianMoments(gaussian.shift(neighbours), (double) phase.times()));
            } else if (phase.sampling() instanceof Sampling.Poisson poisson) {
                sampled.add(
                        new JumpExpansion.Sampled(gaussian.noiseMultiplier(), poisson.rate(), (double) phase.times()));
            } else {
                return Optional.empty();
            }
        }
        if (sampled.isEmpty()
                || phases.size() > MOST_PHASES_WITH_JUMPS
                || (neighbours == Neighbours.ADD_REMOVE && direction == 1)) {
            return Optional.empty();
        }
        Direction way = neighbours == Neighbours.REPLACE_ONE ? Direction.REPLACE : Direction.REMOVE;
        return Optional.of(new JumpExpansion(way, sampled, others, MOST_WORK));
    }

    private static boolean wide(CertifiedInterval interval) {
        return !(interval.relativeGap() <= LOOSE);
    }

    private static boolean wide(Optional<CertifiedInterval> interval, double relativeWidth) {
        return interval.isEmpty() || !(interval.get().relativeGap() <= relativeWidth);
    }

    private static Optional<CertifiedInterval> tighter(
            Optional<CertifiedInterval> first, Optional<CertifiedInterval> second) {
        if (first.isEmpty() || second.isEmpty()) {
            return first.isEmpty() ? second : first;
        }
        return Optional.of(first.get().and(second.get()));
    }

    /** What is left of Gaussian phases in one direction when each loses an equal part of a P-mass. */
    private static List<CutChernoff.Rest> cut(
            List<Phase> phases, int direction, Neighbours neighbours, double logLostMass) {
        List<CutChernoff.Rest> rest = new ArrayList<>();
        for (Phase phase : phases) {
            double logMass = logLostMass - Math.log(phases.size());
            Direction way = GaussianPhases.way(direction, neighbours);
            if (phase.sampling() instanceof Sampling.Poisson poisson && way != Direction.ADD) {
                double noiseMultiplier = ((GaussianCurves) phase.curves()).noiseMultiplier();
                rest.add(CutChernoff.Rest.of(
                        new CutGaussianMoments(way, noiseMultiplier, poisson.rate(), (double) phase.times(), logMass)));
            } else {
                double logTailMass = logMass - Math.log((double) phase.times());
                GaussianPhases.curves(
                                List.of(phase), direction, neighbours, logTailMass, PoissonGaussianMoments.SPLIT_WIDTH)
                        .forEach(curve -> rest.add(CutChernoff.Rest.of(curve)));
            }
        }
        return rest;
    }

    /** The joint shift √(Σ T shift²) if every phase is an unsampled Gaussian release. */
    private static OptionalDouble gaussianShift(List<Phase> phases, Neighbours neighbours) {
        double square = 0;
        for (Phase phase : phases) {
            if (!(phase.sampling() instanceof Sampling.None) || !(phase.curves() instanceof GaussianCurves gaussian)) {
                return OptionalDouble.empty();
            }
            double shift = gaussian.shift(neighbours);
            square += phase.times() * shift * shift;
        }
        return OptionalDouble.of(Math.sqrt(square));
    }

    private static List<Phase> withGaussianInPlaceOfConcentration(List<Phase> phases, Neighbours neighbours) {
        List<Phase> known = new ArrayList<>();
        for (Phase phase : phases) {
            MechanismCurves curves = phase.curves();
            OptionalDouble rho = curves.zeroConcentration(neighbours);
            if (curves.dominatingPair(neighbours).isEmpty() && rho.isPresent() && rho.getAsDouble() > 0) {
                curves = new GaussianCurves(neighbours.boundsMoved() / Math.sqrt(2 * rho.getAsDouble()) * (1 + 1e-15));
            }
            known.add(new Phase(phase.sampling(), curves, phase.times()));
        }
        return known;
    }

    private static PrivacyEvent event(List<Phase> phases) {
        return new PrivacyEvent.Sequence(phases.stream().map(Phase::event).toList());
    }
}
