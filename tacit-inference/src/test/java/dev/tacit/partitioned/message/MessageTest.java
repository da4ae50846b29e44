package dev.tacit.partitioned.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.json.JsonFieldException;
import dev.tacit.partitioned.NoiseSharing;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageTest {
    /** The number 1, packed. */
    private static final String ONE = "AAAAAAAA8D8=";

    static Stream<Message> messages() {
        return Stream.of(
                new Message.GlobalState(3, DoubleVector.of(1.5, -0.0, Math.nextUp(2)), 2),
                new Message.FactorChange("clinic \"A\"", 4, DoubleVector.of(1e-300, -7), 0.1, 2),
                new Message.SumRequest(0, "residual-sum", DoubleVector.of(0.1, 0.2), 0.7),
                new Message.SumReply("b", 8, LongVector.of(Long.MAX_VALUE, -1, (1L << 53) + 1), -1022, 1.0 / 3),
                new Message.MaskedShare("d", 5, LongVector.of(-1, Long.MIN_VALUE, 0x7ff0000000000001L), -21, 0.3),
                new Message.RollCall(6),
                new Message.Present("e", 6),
                new Message.Absence("c", 9, Message.Reason.BUDGET_SPENT),
                new Message.Join(0, Message.PROTOCOL, "run", "a", 1L << 40, "sha"),
                terms(
                        Optional.of(new NoiseSharing(5, 1, 1)),
                        Optional.of(factors().withShare(1.0 / 3))),
                terms(Optional.empty(), Optional.of(factors())),
                terms(Optional.empty(), Optional.empty()),
                joined());
    }

    private static FactorTerms factors() {
        return new FactorTerms(
                NaturalGaussian.centred(GaussianFamily.FULL_COVARIANCE, 1, 0.5),
                NaturalGaussian.of(GaussianFamily.FULL_COVARIANCE, 1, new double[] {0.25, -1}),
                0.1,
                OptionalDouble.empty(),
                -7,
                2);
    }

    private static Message.Terms terms(Optional<NoiseSharing> sharing, Optional<FactorTerms> factors) {
        ReleasePlan plan = new ReleasePlan(
                List.of(
                        new ReleasePlan.Phase("first", 1, 2, new SamplingScheme.FullPass(), 2.5),
                        new ReleasePlan.Phase("then", 9, 1, new SamplingScheme.PoissonSampling(0.1), 1)),
                Optional.empty(),
                OptionalDouble.of(1.5));
        return new Message.Terms(
                0,
                Message.PROTOCOL,
                "run",
                "logistic-regression/virtual",
                "sha",
                new BoundedPlan(plan, List.of(1.0, 0.7)),
                sharing,
                factors);
    }

    private static Message.Joined joined() {
        return new Message.Joined(
                0,
                Message.PROTOCOL,
                "run",
                "a",
                9,
                new PartyTerms(
                        true, PrivacyEvent.gaussian(2).poissonSampled(0.1).times(9), List.of(1.0)));
    }

    /** Texts that other versions and other programs have written must stay readable. */
    @Test
    void joiningIsWrittenAsItAlwaysWas() {
        String plan =
                "\"plan\":{\"phases\":[{\"label\":\"first\",\"times\":1,\"dimension\":2,\"sampling\":\"none\",\"relativeNoise\":2.5},"
                        + "{\"label\":\"then\",\"times\":9,\"dimension\":1,\"sampling\":\"poisson:0.1\",\"relativeNoise\":1.0}],\"rowNormBound\":1.5},"
                        + "\"l2Bounds\":\"AAAAAAAA8D9mZmZmZmbmPw==\"";
        assertThat(new Message.Join(0, 1, "run", "a", 60, "sha").toJson())
                .isEqualTo(
                        "{\"type\":\"join\",\"protocol\":1,\"run\":\"run\",\"party\":\"a\",\"units\":60,\"schemaDigest\":\"sha\",\"round\":0}");
        assertThat(terms(
                                Optional.of(new NoiseSharing(5, 1, 1)),
                                Optional.of(factors().withShare(1)))
                        .toJson())
                .isEqualTo(
                        "{\"type\":\"terms\",\"protocol\":1,\"run\":\"run\",\"model\":\"logistic-regression/virtual\",\"schemaDigest\":\"sha\","
                                + plan + ",\"sharing\":{\"parties\":5,\"colluders\":1,\"dropouts\":1},"
                                + "\"factors\":{\"family\":\"FULL_COVARIANCE\",\"dimension\":1,\"prior\":\"AAAAAAAAAAAAAAAAAADQvw==\","
                                + "\"firstFactor\":\"AAAAAAAA0D8AAAAAAADwvw==\",\"damping\":\"mpmZmZmZuT8=\",\"publicShare\":\""
                                + ONE
                                + "\",\"seed\":-7,\"place\":2},\"round\":0}");
        assertThat(joined().toJson())
                .isEqualTo(
                        "{\"type\":\"joined\",\"protocol\":1,\"run\":\"run\",\"party\":\"a\",\"roundsPaid\":9,\"sharesNoise\":true,"
                                + "\"event\":{\"type\":\"repeated\",\"times\":9,\"event\":{\"type\":\"poisson\",\"rate\":0.1,"
                                + "\"event\":{\"type\":\"gaussian\",\"noiseMultiplier\":2.0}}},\"l2Bounds\":\"" + ONE
                                + "\",\"round\":0}");
        assertThat(new Message.GlobalState(3, DoubleVector.of(1), 2).toJson())
                .isEqualTo(
                        "{\"type\":\"global-state\",\"naturalParameters\":\"" + ONE + "\",\"lastUsed\":2,\"round\":3}");
    }

    /** What a constructor refuses, a reader refuses with the place. */
    @ParameterizedTest
    @CsvSource({
        "'\"parties\":5', '\"parties\":1'",
        "'\"damping\":\"mpmZmZmZuT8=\"', '\"damping\":\"AAAAAAAAAAA=\"'",
        "'\"dimension\":1,\"prior\"', '\"dimension\":2,\"prior\"'",
        "'\"times\":9', '\"times\":0'",
        "'poisson:0.1', 'poisson:1.5'",
        "'AAAAAAAA8D9mZmZmZmbmPw==', 'AAAAAAAA8D8='",
        "'FULL_COVARIANCE', 'NARROW'",
        "'\"seed\":-7', '\"seed\":0.5'",
        "'\"place\":2', '\"place\":2,\"more\":1'"
    })
    void termsThatDoNotFitAreRefused(String part, String other) {
        String text = terms(Optional.of(new NoiseSharing(5, 1, 1)), Optional.of(factors()))
                .toJson();
        assertThat(text).contains(part);
        assertThatThrownBy(() -> Message.fromJson(text.replace(part, other))).isInstanceOf(JsonFieldException.class);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void comesBackExactly(Message message) {
        assertThat(Message.fromJson(message.toJson())).isEqualTo(message);
        assertThat(message.bytes()).isGreaterThan(20);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"order\",\"round\":1}",
                "{\"type\":\"masked-share\",\"round\":1,\"party\":\"c\",\"residues\":\"AAAA\",\"exponent\":0,\"noiseStandardDeviation\":\"\"}",
                "{\"type\":\"absence\",\"round\":1,\"party\":\"c\",\"reason\":\"LAZY\"}",
                "{\"type\":\"roll-call\",\"round\":-1}",
                "{\"type\":\"roll-call\",\"round\":4294967296}",
                "{\"type\":\"global-state\",\"round\":1,\"naturalParameters\":\"\",\"lastUsed\":1}",
                "{\"type\":\"sum-reply\",\"round\":1,\"party\":\"c\",\"sum\":\"\",\"noiseStandardDeviation\":\"" + ONE
                        + "\"}",
                "{\"type\":\"sum-reply\",\"round\":1,\"party\":\"c\",\"units\":\"\",\"exponent\":1024,\"noiseStandardDeviation\":\""
                        + ONE + "\"}",
                "{\"type\":\"sum-reply\",\"round\":1,\"party\":\"c\",\"units\":\"\",\"exponent\":0.5,\"noiseStandardDeviation\":\""
                        + ONE + "\"}",
                "{\"type\":\"sum-reply\",\"round\":1,\"party\":\"c\",\"units\":\"\",\"exponent\":0,\"noiseStandardDeviation\":\"\"}",
                "{\"type\":\"absence\",\"round\":1,\"party\":\"c\",\"reason\":\"UNREACHABLE\",\"more\":1}"
            })
    void othersAreRefused(String text) {
        assertThatThrownBy(() -> Message.fromJson(text)).isInstanceOf(JsonFieldException.class);
    }

    @Test
    void numbersCannotBeChanged() {
        double[] given = {1, 2};
        Message.GlobalState state = new Message.GlobalState(0, DoubleVector.of(given), Message.GlobalState.NONE_USED);
        given[0] = 5;
        state.naturalParameters().toArray()[1] = 7;
        assertThat(state.naturalParameters()).isEqualTo(DoubleVector.of(1, 2));
    }
}
