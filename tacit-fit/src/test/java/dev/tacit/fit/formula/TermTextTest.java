package dev.tacit.fit.formula;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TermTextTest {
    @ParameterizedTest
    @CsvSource({
        "sex[male], sex: male",
        "sex[(other)], sex: (other)",
        "age, age",
        "log(age)[1], log(age)[1]",
        "sex[male]:age, sex[male]:age",
        "(Intercept), (Intercept)"
    })
    void levelsAreShownBesideTheirColumn(String term, String shown) {
        assertThat(TermText.shown(term)).isEqualTo(shown);
    }
}
