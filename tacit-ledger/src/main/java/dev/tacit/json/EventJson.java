package dev.tacit.json;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.event.PrivacyEvent.Disjoint;
import dev.tacit.door.event.PrivacyEvent.FixedSizeSampled;
import dev.tacit.door.event.PrivacyEvent.NotPrivate;
import dev.tacit.door.event.PrivacyEvent.PoissonSampled;
import dev.tacit.door.event.PrivacyEvent.Release;
import dev.tacit.door.event.PrivacyEvent.Repeated;
import dev.tacit.door.event.PrivacyEvent.Sequence;
import dev.tacit.door.event.PrivacyProfile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.DoublePredicate;
import java.util.function.Supplier;

/**
 * Events as JSON, both ways, exactly.
 *
 * <pre>
 *   {"type":"gaussian","noiseMultiplier":s}            {"type":"poisson","rate":q,"event":E}
 *   {"type":"laplace","scaleMultiplier":b}             {"type":"fixed","batch":b,"population":n,"event":E}
 *   {"type":"discrete-gaussian","noiseMultiplier":s}   {"type":"repeated","times":T,"event":E}
 *   {"type":"pure","epsilon":e}                        {"type":"sequence","events":[E...]}
 *   {"type":"zcdp","rho":r}                            {"type":"disjoint","events":[E...]}
 *   {"type":"objective-perturbation",                  {"type":"not-private","reason":"..."}
 *    "curvature":c,"noiseMultiplier":s}
 * </pre>
 *
 * The written text is canonical (keys in this order, parameters of a leaf by name, {@link Json#write}), so equal events
 * have equal texts and may be compared or hashed as such. Leaves are open: {@link #withLeaf} adds one to the catalogue.
 */
public final class EventJson {
    private static final Set<String> WRAPPERS =
            Set.of("poisson", "fixed", "repeated", "sequence", "disjoint", "not-private");
    private static final String NOISE = "a noise multiplier is a positive number";
    private static final EventJson STANDARD = new EventJson(Map.of(
            "gaussian",
            fields -> PrivacyProfile.gaussian(fields.number("noiseMultiplier")),
            "laplace",
            fields -> new Leaf("laplace", fields)
                    .above(1e-300, "scaleMultiplier", "a scale multiplier is a positive number")
                    .profile(),
            "discrete-gaussian",
            fields -> new Leaf("discrete-gaussian", fields)
                    .above(1e-100, "noiseMultiplier", NOISE)
                    .profile(),
            "pure",
            fields -> new Leaf("pure", fields)
                    .atLeastZero("epsilon", "epsilon must be a finite number, 0 or more")
                    .profile(),
            "objective-perturbation",
            fields -> new Leaf("objective-perturbation", fields)
                    .above(0, "noiseMultiplier", NOISE)
                    .atLeastZero("curvature", "a curvature is a finite number, 0 or more")
                    .profile(),
            "zcdp",
            fields -> new Leaf("zcdp", fields)
                    .atLeastZero("rho", "rho must be a finite number, 0 or more")
                    .profile()));

    private final Map<String, LeafReader> leaves;

    private EventJson(Map<String, LeafReader> leaves) {
        this.leaves = Map.copyOf(leaves);
    }

    /** Makes a mechanism's profile from the parameters in its JSON; may throw {@link IllegalArgumentException}. */
    @FunctionalInterface
    public interface LeafReader {
        PrivacyProfile read(JsonFields parameters);
    }

    /** A JSON value is not an event; the message is one sentence that names the path and never repeats a value. */
    public static final class EventFormatException extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        private final String path;

        EventFormatException(String path, String sentence) {
            super(sentence);
            this.path = path;
        }

        /** Where, for example {@code events[3].event.rate}; empty for the whole event. */
        public String path() {
            return path;
        }
    }

    /** The leaves that Tacit ships. */
    public static EventJson standard() {
        return STANDARD;
    }

    /** This codec with one more leaf, for a profile whose {@link PrivacyProfile#mechanism()} is the given type. */
    public EventJson withLeaf(String type, LeafReader reader) {
        if (types().contains(type)) {
            throw new IllegalArgumentException("this event type exists already");
        }
        Map<String, LeafReader> extended = new TreeMap<>(leaves);
        extended.put(type, reader);
        return new EventJson(extended);
    }

    /** All types that can be read and written. */
    public Set<String> types() {
        Set<String> types = new TreeSet<>(leaves.keySet());
        types.addAll(WRAPPERS);
        return types;
    }

    /** Reads the text of one event; text that is not JSON is a {@link JsonException}. */
    public PrivacyEvent read(String text) {
        return fromValue(Json.read(text));
    }

    /** Reads an event from a JSON value, as {@link Json#read} gives it. */
    public PrivacyEvent fromValue(Object value) {
        try {
            return event(value, "");
        } catch (JsonFieldException e) {
            throw new EventFormatException(e.path(), e.getMessage());
        }
    }

    /** The canonical text of an event. */
    public String write(PrivacyEvent event) {
        return Json.write(toValue(event));
    }

    /** The JSON value of an event, as {@link Json#write} takes it. */
    public Map<String, Object> toValue(PrivacyEvent event) {
        return value(event, 0);
    }

    private PrivacyEvent event(Object value, String path) {
        JsonFields fields = JsonFields.of(value, path);
        PrivacyEvent event = event(fields, fields.text("type"));
        fields.end();
        return event;
    }

    private PrivacyEvent event(JsonFields fields, String type) {
        return switch (type) {
            case "poisson" -> {
                double rate = fields.number("rate");
                PrivacyEvent sampled = inner(fields);
                yield checked(fields.pathOf("rate"), () -> new PoissonSampled(rate, sampled));
            }
            case "fixed" -> {
                long batch = fields.integer("batch");
                long population = fields.integer("population");
                PrivacyEvent sampled = inner(fields);
                yield checked(fields.pathOf("batch"), () -> new FixedSizeSampled(population, batch, sampled));
            }
            case "repeated" -> {
                long times = fields.integer("times");
                PrivacyEvent once = inner(fields);
                yield checked(fields.pathOf("times"), () -> new Repeated(once, times));
            }
            case "sequence" -> new Sequence(inners(fields));
            case "disjoint" -> new Disjoint(inners(fields));
            case "not-private" -> new NotPrivate(fields.text("reason"));
            default -> {
                LeafReader leaf = leaves.get(type);
                if (leaf == null) {
                    throw new JsonFieldException(
                            fields.pathOf("type"), "is none of the known types " + String.join(", ", types()));
                }
                yield checked(fields.path(), () -> new Release(leaf.read(fields)));
            }
        };
    }

    private PrivacyEvent inner(JsonFields fields) {
        return event(fields.value("event"), fields.pathOf("event"));
    }

    private List<PrivacyEvent> inners(JsonFields fields) {
        List<PrivacyEvent> events = new ArrayList<>();
        for (Object value : fields.list("events")) {
            events.add(event(value, fields.pathOf("events") + "[" + events.size() + "]"));
        }
        return events;
    }

    /** Constructors say what is wrong, this adds where. */
    private static PrivacyEvent checked(String path, Supplier<PrivacyEvent> constructor) {
        try {
            return constructor.get();
        } catch (JsonFieldException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new JsonFieldException(path, "is out of range: " + e.getMessage());
        }
    }

    private Map<String, Object> value(PrivacyEvent event, int depth) {
        if (depth >= Json.DEEPEST) {
            throw new EventFormatException("", "events are not written deeper than " + Json.DEEPEST + " levels");
        }
        Map<String, Object> object = new LinkedHashMap<>();
        if (event instanceof Release release) {
            if (!leaves.containsKey(release.profile().mechanism())) {
                throw new EventFormatException("", "this mechanism has no reader yet; add one with withLeaf");
            }
            object.put("type", release.profile().mechanism());
            object.putAll(release.profile().parameters());
        } else if (event instanceof PoissonSampled sampled) {
            object.put("type", "poisson");
            object.put("rate", sampled.rate());
            object.put("event", value(sampled.event(), depth + 1));
        } else if (event instanceof FixedSizeSampled sampled) {
            object.put("type", "fixed");
            object.put("batch", sampled.batch());
            object.put("population", sampled.population());
            object.put("event", value(sampled.event(), depth + 1));
        } else if (event instanceof Repeated repeated) {
            object.put("type", "repeated");
            object.put("times", repeated.times());
            object.put("event", value(repeated.event(), depth + 1));
        } else if (event instanceof Sequence sequence) {
            object.put("type", "sequence");
            object.put("events", values(sequence.events(), depth + 2));
        } else if (event instanceof Disjoint disjoint) {
            object.put("type", "disjoint");
            object.put("events", values(disjoint.events(), depth + 2));
        } else {
            object.put("type", "not-private");
            object.put("reason", ((NotPrivate) event).reason());
        }
        return object;
    }

    private List<Object> values(List<PrivacyEvent> events, int depth) {
        List<Object> values = new ArrayList<>();
        for (PrivacyEvent event : events) {
            values.add(value(event, depth));
        }
        return values;
    }

    /** A leaf whose parameters are read one after the other, each with its range. */
    private static final class Leaf {
        private final String mechanism;
        private final JsonFields fields;
        private final Map<String, Double> parameters = new TreeMap<>();

        Leaf(String mechanism, JsonFields fields) {
            this.mechanism = mechanism;
            this.fields = fields;
        }

        Leaf above(double least, String name, String sentence) {
            return with(name, fields.number(name), value -> value > least, sentence);
        }

        Leaf atLeastZero(String name, String sentence) {
            return with(name, fields.number(name), value -> value >= 0, sentence);
        }

        private Leaf with(String name, double value, DoublePredicate valid, String sentence) {
            if (!valid.test(value) || Double.isInfinite(value)) {
                throw new IllegalArgumentException(sentence);
            }
            parameters.put(name, value);
            return this;
        }

        PrivacyProfile profile() {
            return new PrivacyProfile(mechanism, parameters);
        }
    }
}
