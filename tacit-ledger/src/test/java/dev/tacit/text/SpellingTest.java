package dev.tacit.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpellingTest {
    private static final List<String> VERBS = List.of("demo", "fit", "summary", "plan", "predict", "schema", "account");

    @ParameterizedTest
    @CsvSource({
        "fti, fit",
        "fi, fit",
        "fitt, fit",
        "acount, account",
        "Account, account",
        "sumary, summary",
        "pre, predict",
        "shcema, schema"
    })
    void aNameThatIsNearlyRightIsFound(String typed, String meant) {
        assertThat(Spelling.nearest(typed, VERBS)).contains(meant);
        assertThat(Spelling.hint(typed, VERBS)).isEqualTo(" (did you mean " + meant + "?)");
    }

    @ParameterizedTest
    @CsvSource({"man", "x", "completion", "frobnicate", "tif"})
    void aStrangeNameIsNot(String typed) {
        assertThat(Spelling.nearest(typed, VERBS)).isEmpty();
        assertThat(Spelling.hint(typed, VERBS)).isEmpty();
    }

    /** Values from the definition, by hand: one swap, two changes, and no letter moved twice. */
    @Test
    void distancesCountSwapsOnce() {
        assertThat(Spelling.distance("fti", "fit")).isEqualTo(1);
        assertThat(Spelling.distance("kitten", "sitting")).isEqualTo(3);
        assertThat(Spelling.distance("ca", "abc")).isEqualTo(3);
        assertThat(Spelling.distance("", "abc")).isEqualTo(3);
        assertThat(Spelling.distance("abc", "")).isEqualTo(3);
        assertThat(Spelling.distance("same", "same")).isZero();
    }
}
