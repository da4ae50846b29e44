package dev.tacit.cli.account;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.event.PrivacyEvent.Disjoint;
import dev.tacit.door.event.PrivacyEvent.FixedSizeSampled;
import dev.tacit.door.event.PrivacyEvent.NotPrivate;
import dev.tacit.door.event.PrivacyEvent.PoissonSampled;
import dev.tacit.door.event.PrivacyEvent.Release;
import dev.tacit.door.event.PrivacyEvent.Repeated;
import dev.tacit.door.event.PrivacyEvent.Sequence;
import dev.tacit.fit.text.Rounded;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Events in words, and what stands in them. */
public final class Events {
    private static final int MOST_PARTS = 3;

    private Events() {}

    static boolean hasFixedSizeSampling(PrivacyEvent event) {
        return anywhere(event, part -> part instanceof FixedSizeSampled);
    }

    static boolean hasPoissonSampling(PrivacyEvent event) {
        return anywhere(event, part -> part instanceof PoissonSampled);
    }

    private static boolean anywhere(PrivacyEvent event, Predicate<PrivacyEvent> test) {
        if (test.test(event)) {
            return true;
        }
        for (PrivacyEvent part : parts(event)) {
            if (anywhere(part, test)) {
                return true;
            }
        }
        return false;
    }

    private static List<PrivacyEvent> parts(PrivacyEvent event) {
        if (event instanceof Sequence sequence) {
            return sequence.events();
        }
        if (event instanceof Disjoint disjoint) {
            return disjoint.events();
        }
        if (event instanceof Repeated repeated) {
            return List.of(repeated.event());
        }
        if (event instanceof PoissonSampled sampled) {
            return List.of(sampled.event());
        }
        return event instanceof FixedSizeSampled sampled ? List.of(sampled.event()) : List.of();
    }

    /** The event in words, shortened where it has many parts. */
    public static String describe(PrivacyEvent event) {
        if (event instanceof Release release) {
            return describe(release);
        }
        if (event instanceof Repeated repeated) {
            return repeated.times() + " times " + describe(repeated.event());
        }
        if (event instanceof PoissonSampled sampled) {
            return describe(sampled.event()) + " on a Poisson sample of rate " + Rounded.brief(sampled.rate());
        }
        if (event instanceof FixedSizeSampled sampled) {
            return describe(sampled.event()) + " on exactly " + sampled.batch() + " of " + sampled.population()
                    + " records";
        }
        if (event instanceof Sequence sequence) {
            return sequence.events().isEmpty() ? "nothing" : describe(sequence.events(), ", then ");
        }
        if (event instanceof Disjoint disjoint) {
            return "on disjoint parts: " + describe(disjoint.events(), "; ");
        }
        return "something not private (" + ((NotPrivate) event).reason() + ")";
    }

    private static String describe(Release release) {
        StringBuilder text = new StringBuilder(release.profile().mechanism());
        String separator = " (";
        for (Map.Entry<String, Double> parameter :
                release.profile().parameters().entrySet()) {
            text.append(separator).append(parameter.getKey()).append(' ').append(Rounded.brief(parameter.getValue()));
            separator = ", ";
        }
        return separator.equals(", ") ? text.append(')').toString() : text.toString();
    }

    private static String describe(List<PrivacyEvent> events, String separator) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < Math.min(events.size(), MOST_PARTS); i++) {
            text.append(i == 0 ? "" : separator).append(describe(events.get(i)));
        }
        int more = events.size() - MOST_PARTS;
        return more > 0 ? text + separator + more + " more" : text.toString();
    }
}
