package dev.tacit.accounting.compose;

import dev.tacit.accounting.curve.CurveCatalogue;
import dev.tacit.accounting.curve.GaussianCurves;
import dev.tacit.accounting.curve.MechanismCurves;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.event.PrivacyEvent.Disjoint;
import dev.tacit.door.event.PrivacyEvent.FixedSizeSampled;
import dev.tacit.door.event.PrivacyEvent.NotPrivate;
import dev.tacit.door.event.PrivacyEvent.PoissonSampled;
import dev.tacit.door.event.PrivacyEvent.Release;
import dev.tacit.door.event.PrivacyEvent.Repeated;
import dev.tacit.door.event.PrivacyEvent.Sequence;
import dev.tacit.door.unit.Neighbours;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;

/**
 * Reads an event tree as what it does to one unit: a list of {@link Phase}s, or several such lists of which the worst counts.
 *
 * <p>This is the only place where repetitions are multiplied and sampling is attached to a release; no accountant counts for itself. Rules:
 *
 * <ul>
 *   <li>{@code Sequence} adds, {@code Repeated} multiplies, equal phases merge;
 *   <li>sampling around several Gaussian releases is one Gaussian release of the joint precision Σ 1/noiseMultiplier² on one batch;
 *   <li>Poisson sampling of a Poisson sample multiplies the rates;
 *   <li>{@code Disjoint} gives one alternative per part under add/remove (parallel composition); under replace-one a unit could change
 *       parts, and repeating it would let the partition change, so both are refused unless all parts are equal or there is one.
 * </ul>
 */
public final class Composition {
    private static final int MOST_ALTERNATIVES = 1000;
    /** Independent releases commute; one order for all makes the answer the same to the last digit. */
    private static final Comparator<Named> CANONICAL = Comparator.comparing(Named::sampling)
            .thenComparing(Named::mechanism)
            .thenComparing(Named::parameters);

    private final List<List<Phase>> alternatives;

    private Composition(List<List<Phase>> alternatives) {
        this.alternatives = alternatives;
    }

    /** The lists of phases one unit may be subject to; the guarantee of the event is that of the worst. */
    public List<List<Phase>> alternatives() {
        return alternatives;
    }

    /** The one check of an epsilon that accountants are asked about; it may be infinite. */
    public static void requireEpsilon(double epsilon) {
        if (!(epsilon >= 0)) {
            throw new IllegalArgumentException("epsilon must be 0 or more");
        }
    }

    /** Flattens an event of the mechanisms that Tacit ships. */
    public static Composition of(PrivacyEvent event, Neighbours neighbours) throws UnsupportedEventException {
        return of(event, neighbours, CurveCatalogue.standard());
    }

    /** Flattens an event, or says which part of it has no meaning here. */
    public static Composition of(PrivacyEvent event, Neighbours neighbours, CurveCatalogue catalogue)
            throws UnsupportedEventException {
        List<List<Phase>> merged = new ArrayList<>();
        for (Map<Key, Long> counts : flatten(event, new Reading(neighbours, catalogue))) {
            List<Named> phases = new ArrayList<>();
            for (Entry<Key, Long> entry : counts.entrySet()) {
                phases.add(Named.of(
                        new Phase(entry.getKey().sampling(), entry.getKey().curves(), entry.getValue())));
            }
            phases.sort(CANONICAL);
            merged.add(phases.stream().map(Named::phase).toList());
        }
        return new Composition(List.copyOf(merged));
    }

    /** A phase with the texts it is sorted by, written once. */
    private record Named(Phase phase, String sampling, String mechanism, String parameters) {
        static Named of(Phase phase) {
            return new Named(
                    phase,
                    phase.sampling().toString(),
                    phase.curves().profile().mechanism(),
                    phase.curves().profile().parameters().toString());
        }
    }

    private record Key(Sampling sampling, MechanismCurves curves) {}

    /** What an event is read with. */
    private record Reading(Neighbours neighbours, CurveCatalogue catalogue) {}

    private static List<Map<Key, Long>> flatten(PrivacyEvent event, Reading reading) throws UnsupportedEventException {
        if (event instanceof Release release) {
            return List.of(
                    Map.of(new Key(new Sampling.None(), reading.catalogue().of(release.profile())), 1L));
        }
        if (event instanceof Sequence sequence) {
            List<Map<Key, Long>> result = List.of(new LinkedHashMap<>());
            for (PrivacyEvent part : sequence.events()) {
                result = product(event, result, flatten(part, reading));
            }
            return result;
        }
        if (event instanceof Repeated repeated) {
            return repeat(repeated, flatten(repeated.event(), reading));
        }
        if (event instanceof PoissonSampled sampled) {
            return sampled.rate() == 0 ? List.of(Map.of()) : List.of(poisson(sampled, reading));
        }
        if (event instanceof FixedSizeSampled sampled) {
            return sampled.batch() == 0 ? List.of(Map.of()) : List.of(fixedSize(sampled, reading));
        }
        if (event instanceof Disjoint disjoint) {
            return disjoint(disjoint, reading);
        }
        NotPrivate notPrivate = (NotPrivate) event;
        throw new UnsupportedEventException(event, "not private: " + notPrivate.reason());
    }

    private static List<Map<Key, Long>> product(
            PrivacyEvent event, List<Map<Key, Long>> left, List<Map<Key, Long>> right)
            throws UnsupportedEventException {
        if ((long) left.size() * right.size() > MOST_ALTERNATIVES) {
            throw new UnsupportedEventException(
                    event, "more than " + MOST_ALTERNATIVES + " combinations of disjoint parts");
        }
        List<Map<Key, Long>> result = new ArrayList<>();
        for (Map<Key, Long> first : left) {
            for (Map<Key, Long> second : right) {
                Map<Key, Long> sum = right.size() == 1 ? first : new LinkedHashMap<>(first);
                for (Entry<Key, Long> entry : second.entrySet()) {
                    long count = sum.getOrDefault(entry.getKey(), 0L);
                    sum.put(entry.getKey(), checkedCount(event, count, 1, entry.getValue()));
                }
                result.add(sum);
            }
        }
        return result;
    }

    private static List<Map<Key, Long>> repeat(Repeated event, List<Map<Key, Long>> once)
            throws UnsupportedEventException {
        if (event.times() == 0) {
            return List.of(Map.of());
        }
        if (once.size() > 1 && event.times() > 1) {
            throw new UnsupportedEventException(
                    event,
                    "repeating disjoint parts would let the partition change; put the repetition inside each part");
        }
        List<Map<Key, Long>> result = new ArrayList<>();
        for (Map<Key, Long> counts : once) {
            Map<Key, Long> scaled = new LinkedHashMap<>();
            for (Entry<Key, Long> entry : counts.entrySet()) {
                scaled.put(entry.getKey(), checkedCount(event, 0, event.times(), entry.getValue()));
            }
            result.add(scaled);
        }
        return result;
    }

    private static long checkedCount(PrivacyEvent event, long already, long times, long count)
            throws UnsupportedEventException {
        try {
            return Math.addExact(already, Math.multiplyExact(times, count));
        } catch (ArithmeticException overflow) {
            throw new UnsupportedEventException(event, "more than 2^63 releases");
        }
    }

    private static Map<Key, Long> poisson(PoissonSampled event, Reading reading) throws UnsupportedEventException {
        Map<Key, Long> inner = only(event, flatten(event.event(), reading));
        Map<Key, Long> joint = jointGaussian(inner);
        if (event.rate() == 1) {
            return inner;
        }
        if (joint.isEmpty()) {
            return joint;
        }
        Entry<Key, Long> entry = joint.entrySet().iterator().next();
        if (joint.size() > 1 || entry.getValue() != 1) {
            throw new UnsupportedEventException(
                    event, "several releases on one sampled batch are only understood if all are Gaussian");
        }
        double rate = event.rate();
        if (entry.getKey().sampling() instanceof Sampling.Poisson poisson) {
            rate *= poisson.rate();
        } else if (!(entry.getKey().sampling() instanceof Sampling.None)) {
            throw new UnsupportedEventException(event, "Poisson sampling around fixed-size sampling has no known pair");
        }
        return Map.of(new Key(new Sampling.Poisson(rate), entry.getKey().curves()), 1L);
    }

    private static Map<Key, Long> fixedSize(FixedSizeSampled event, Reading reading) throws UnsupportedEventException {
        Map<Key, Long> inner = only(event, flatten(event.event(), reading));
        if (event.batch() == event.population()) {
            return inner;
        }
        Map<Key, Long> joint = jointGaussian(inner);
        if (joint.isEmpty()) {
            return joint;
        }
        Entry<Key, Long> entry = joint.entrySet().iterator().next();
        if (joint.size() > 1 || entry.getValue() != 1 || !(entry.getKey().sampling() instanceof Sampling.None)) {
            throw new UnsupportedEventException(
                    event, "fixed-size sampling is only understood around one release, or several Gaussian ones");
        }
        return Map.of(
                new Key(
                        new Sampling.FixedSize(event.batch(), event.population()),
                        entry.getKey().curves()),
                1L);
    }

    private static Map<Key, Long> only(PrivacyEvent event, List<Map<Key, Long>> alternatives)
            throws UnsupportedEventException {
        if (alternatives.size() != 1) {
            throw new UnsupportedEventException(
                    event, "sampling around disjoint parts is not understood; put the sampling inside each part");
        }
        return alternatives.get(0);
    }

    /** Unsampled Gaussian releases of multipliers s_i are one Gaussian release of precision Σ 1/s_i²; anything else is returned as it is. */
    private static Map<Key, Long> jointGaussian(Map<Key, Long> counts) {
        double precision = 0;
        for (Entry<Key, Long> entry : counts.entrySet()) {
            if (!(entry.getKey().sampling() instanceof Sampling.None)
                    || !(entry.getKey().curves() instanceof GaussianCurves gaussian)) {
                return counts;
            }
            precision += entry.getValue() / gaussian.noiseMultiplier() / gaussian.noiseMultiplier();
        }
        if (counts.isEmpty()
                || (counts.size() == 1 && counts.values().iterator().next() == 1)) {
            return counts;
        }
        double noiseMultiplier = Math.nextDown((1 - 1e-15 * counts.size()) / Math.sqrt(precision));
        return Map.of(new Key(new Sampling.None(), new GaussianCurves(noiseMultiplier)), 1L);
    }

    private static List<Map<Key, Long>> disjoint(Disjoint event, Reading reading) throws UnsupportedEventException {
        List<Map<Key, Long>> alternatives = new ArrayList<>();
        for (PrivacyEvent part : event.events()) {
            for (Map<Key, Long> counts : flatten(part, reading)) {
                if (!alternatives.contains(counts)) {
                    alternatives.add(counts);
                }
            }
        }
        if (reading.neighbours() == Neighbours.REPLACE_ONE && event.events().size() > 1) {
            throw new UnsupportedEventException(
                    event, "under replace-one a unit may move between disjoint parts and so touch two of them");
        }
        return alternatives.isEmpty() ? List.of(Map.of()) : alternatives;
    }
}
