package dev.tacit.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WrappedTest {
    @Test
    void linesAreShortAndIndented() {
        assertThat(Wrapped.lines("one two  three\nfour", 9, "  ")).containsExactly("  one two", "  three", "  four");
    }

    @Test
    void aLongWordStandsAlone() {
        assertThat(Wrapped.lines("a incomprehensibilities b", 10, ""))
                .containsExactly("a", "incomprehensibilities", "b");
    }

    @Test
    void noWordsAreOneEmptyLine() {
        assertThat(Wrapped.lines("  ", 10, "")).containsExactly("");
    }
}
