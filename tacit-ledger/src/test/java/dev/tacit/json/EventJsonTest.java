package dev.tacit.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.event.PrivacyEvent.Disjoint;
import dev.tacit.door.event.PrivacyEvent.NotPrivate;
import dev.tacit.door.event.PrivacyEvent.Release;
import dev.tacit.door.event.PrivacyEvent.Sequence;
import dev.tacit.door.event.PrivacyProfile;
import dev.tacit.json.EventJson.EventFormatException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventJsonTest {
    private static final long SEED = 20261115;
    private static final EventJson JSON = EventJson.standard();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"gaussian\",\"noiseMultiplier\":1.5}",
                "{\"type\":\"laplace\",\"scaleMultiplier\":2.0}",
                "{\"type\":\"discrete-gaussian\",\"noiseMultiplier\":10.0}",
                "{\"type\":\"pure\",\"epsilon\":0.1}",
                "{\"type\":\"zcdp\",\"rho\":0.002}",
                "{\"type\":\"objective-perturbation\",\"curvature\":0.5,\"noiseMultiplier\":3.0}",
                "{\"type\":\"poisson\",\"rate\":0.01,\"event\":{\"type\":\"gaussian\",\"noiseMultiplier\":1.0}}",
                "{\"type\":\"fixed\",\"batch\":50,\"population\":1000,\"event\":{\"type\":\"zcdp\",\"rho\":1.0}}",
                "{\"type\":\"repeated\",\"times\":9223372036854775807,\"event\":{\"type\":\"sequence\",\"events\":[]}}",
                "{\"type\":\"sequence\",\"events\":[{\"type\":\"pure\",\"epsilon\":1.0},{\"type\":\"zcdp\",\"rho\":1.0}"
                        + "]}",
                "{\"type\":\"disjoint\",\"events\":[{\"type\":\"pure\",\"epsilon\":1.0}]}",
                "{\"type\":\"not-private\",\"reason\":\"a mean \\\"for a talk\\\"\"}"
            })
    void canonicalTextsRoundTrip(String text) {
        assertThat(JSON.write(JSON.read(text))).isEqualTo(text);
    }

    @Test
    void readsKeysInAnyOrderAndNumbersInAnySpelling() {
        PrivacyEvent event = JSON.read(
                "{\"event\":{\"noiseMultiplier\":1,\"type\":\"gaussian\"},\"rate\":1e-2,\"type\":\"poisson\"}");
        assertThat(event).isEqualTo(PrivacyEvent.gaussian(1).poissonSampled(0.01));
    }

    @Test
    void generatedEventsRoundTripExactly() {
        UniformRandomProvider random = RandomSource.XO_RO_SHI_RO_128_PP.create(SEED);
        for (int i = 0; i < 3_000; i++) {
            PrivacyEvent event = randomEvent(random, 5);
            String text = JSON.write(event);
            PrivacyEvent again = JSON.read(text);
            assertThat(again).as("seed %d, case %d", SEED, i).isEqualTo(event);
            assertThat(JSON.write(again)).isEqualTo(text);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "7||an object",
                "[]||an object",
                "{}||no field \"type\"",
                "{'type':7}|type|a string",
                "{'type':'gausian','noiseMultiplier':666}|type|known types discrete-gaussian, disjoint, fixed",
                "{'type':'gaussian'}||no field \"noiseMultiplier\"",
                "{'type':'gaussian','noiseMultiplier':'666'}|noiseMultiplier|a number",
                "{'type':'gaussian','noiseMultiplier':null}|noiseMultiplier|a number",
                "{'type':'gaussian','noiseMultiplier':-666}||out of range",
                "{'type':'gaussian','noiseMultiplier':0}||out of range",
                "{'type':'gaussian','noiseMultiplier':1,'sigma':666}||does not belong",
                "{'type':'laplace','scaleMultiplier':-666}||out of range",
                "{'type':'discrete-gaussian','noiseMultiplier':-666}||out of range",
                "{'type':'pure','epsilon':-666}||out of range",
                "{'type':'zcdp','rho':-666}||out of range",
                "{'type':'poisson','rate':666,'event':{'type':'zcdp','rho':1}}|rate|between 0 and 1",
                "{'type':'poisson','rate':0.5}||no field \"event\"",
                "{'type':'poisson','rate':0.5,'event':[666]}|event|an object",
                "{'type':'poisson','rate':0.5,'event':{'type':'zcdp','rho':1},'batch':666}||does not belong",
                "{'type':'fixed','batch':666,'population':7,'event':{'type':'zcdp','rho':1}}|batch|out of range",
                "{'type':'fixed','batch':6.66,'population':7,'event':{'type':'zcdp','rho':1}}|batch|an integer",
                "{'type':'repeated','times':-666,'event':{'type':'zcdp','rho':1}}|times|0 times or more",
                "{'type':'repeated','times':6.66e2,'event':{'type':'zcdp','rho':1}}|times|an integer",
                "{'type':'repeated','times':66666666666666666666,'event':{'type':'zcdp','rho':1}}|times|an integer",
                "{'type':'sequence','events':{'a':666}}|events|an array",
                "{'type':'sequence','events':[{'type':'zcdp','rho':1},666]}|events[1]|an object",
                "{'type':'not-private'}||no field \"reason\"",
            })
    void saysWhatIsWrongAndWhere(String text, String path, String words) {
        EventFormatException problem =
                catchThrowableOfType(EventFormatException.class, () -> JSON.read(text.replace('\'', '"')));
        assertThat(problem).as(text).isNotNull();
        assertThat(problem.path()).as(problem.getMessage()).isEqualTo(path == null ? "" : path);
        assertThat(problem).hasMessageContaining(words).hasMessageNotContaining("666");
    }

    @Test
    void findsMistakesDeepInside() {
        String inner = "{'type':'poisson','rate':2,'event':{'type':'zcdp','rho':1}}";
        String text = "{'type':'sequence','events':[{'type':'zcdp','rho':1},{'type':'repeated','times':3,'event':"
                + inner + "}]}";
        assertThatThrownBy(() -> JSON.read(text.replace('\'', '"')))
                .hasMessage("events[1].event.rate is out of range: a sampling rate is a number between 0 and 1");
    }

    @Test
    void textThatIsNotJsonIsNamedAsSuch() {
        assertThatThrownBy(() -> JSON.read("{")).isInstanceOf(JsonException.class);
        assertThatThrownBy(() -> JSON.read("{\"type\":\"zcdp\",\"rho\":NaN}")).isInstanceOf(JsonException.class);
    }

    @Test
    void leavesAreOpen() {
        EventJson extended = JSON.withLeaf(
                "clipped",
                fields -> new PrivacyProfile(
                        "clipped",
                        Map.of(
                                "bound",
                                fields.number("bound"),
                                "actual",
                                fields.number("actual"),
                                "zeal",
                                fields.number("zeal"))));
        PrivacyEvent event = clipped(1, 0.5, 3).times(7);
        String text = extended.write(event);
        assertThat(text)
                .isEqualTo("{\"type\":\"repeated\",\"times\":7,\"event\":"
                        + "{\"type\":\"clipped\",\"actual\":0.5,\"bound\":1.0,\"zeal\":3.0}}");
        assertThat(extended.read(text)).isEqualTo(event);
        assertThat(extended.types()).contains("clipped", "gaussian", "poisson");
        assertThatThrownBy(() -> JSON.read(text)).isInstanceOf(EventFormatException.class);
        assertThatThrownBy(() -> JSON.write(event)).isInstanceOf(EventFormatException.class);
        assertThatThrownBy(() -> JSON.withLeaf("gaussian", fields -> null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> JSON.withLeaf("poisson", fields -> null)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void depthIsLimitedOnBothSides() {
        PrivacyEvent event = PrivacyEvent.gaussian(1);
        for (int i = 1; i < Json.DEEPEST; i++) {
            event = event.times(1);
        }
        assertThat(JSON.read(JSON.write(event))).isEqualTo(event);
        PrivacyEvent deeper = event.times(1);
        assertThatThrownBy(() -> JSON.write(deeper)).isInstanceOf(EventFormatException.class);
        PrivacyEvent bottomless = PrivacyEvent.gaussian(1);
        for (int i = 0; i < 1_000_000; i++) {
            bottomless = bottomless.times(1);
        }
        PrivacyEvent abyss = bottomless;
        assertThatThrownBy(() -> JSON.write(abyss)).isInstanceOf(EventFormatException.class);
    }

    private static PrivacyEvent clipped(double bound, double actual, double zeal) {
        return new Release(new PrivacyProfile("clipped", Map.of("bound", bound, "zeal", zeal, "actual", actual)));
    }

    private static PrivacyEvent leaf(String mechanism, String parameter, double value) {
        return new Release(new PrivacyProfile(mechanism, Map.of(parameter, value)));
    }

    private static PrivacyEvent randomEvent(UniformRandomProvider random, int depth) {
        double parameter = Math.exp(random.nextDouble(-20, 20));
        return switch (random.nextInt(depth > 0 ? 12 : 5)) {
            case 0 -> PrivacyEvent.gaussian(parameter);
            case 1 -> leaf("laplace", "scaleMultiplier", parameter);
            case 2 -> leaf("discrete-gaussian", "noiseMultiplier", parameter);
            case 3 -> leaf("pure", "epsilon", parameter);
            case 4 -> leaf("zcdp", "rho", parameter);
            case 5, 6 -> randomEvent(random, depth - 1).poissonSampled(random.nextDouble());
            case 7 -> {
                long population = random.nextLong(1, Long.MAX_VALUE);
                yield randomEvent(random, depth - 1).fixedSizeSampled(random.nextLong(population), population);
            }
            case 8 -> randomEvent(random, depth - 1).times(random.nextLong(Long.MAX_VALUE) >> random.nextInt(63));
            case 9 -> new Sequence(randomEvents(random, depth - 1));
            case 10 -> new Disjoint(randomEvents(random, depth - 1));
            default -> new NotPrivate("raison \"d'être\" " + random.nextInt());
        };
    }

    private static List<PrivacyEvent> randomEvents(UniformRandomProvider random, int depth) {
        List<PrivacyEvent> events = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            events.add(randomEvent(random, depth));
        }
        return events;
    }
}
