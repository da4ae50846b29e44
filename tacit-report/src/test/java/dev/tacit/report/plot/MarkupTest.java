package dev.tacit.report.plot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MarkupTest {
    @Test
    void markupIsEscaped() {
        assertThat(Markup.escape("<script>alert(\"a\" & 'b')</script>"))
                .isEqualTo("&lt;script&gt;alert(&quot;a&quot; &amp; &#39;b&#39;)&lt;/script&gt;");
    }

    @Test
    void ordinaryTextOfAnyLanguageStays() {
        String text = "\u00E9tat \u0432\u043E\u0437\u0440\u0430\u0441\u0442 \u5E74\u9F62 \uD83D\uDE00\tand\nmore";
        assertThat(Markup.escape(text)).isEqualTo(text);
    }

    @Test
    void whatXmlForbidsOrTurnsTextRoundIsReplaced() {
        assertThat(Markup.printable("a\u0000b\u001Bc\uD800d\u202Ee\u2066f\uFFFEg\u0085h\rj"))
                .isEqualTo("a\uFFFDb\uFFFDc\uFFFDd\uFFFDe\uFFFDf\uFFFDg\uFFFDh\uFFFDj");
    }

    @Test
    void longTextIsCutBetweenCharacters() {
        assertThat(Markup.shortened("\uD83D\uDE00\uD83D\uDE00\uD83D\uDE00", 2)).isEqualTo("\uD83D\uDE00\u2026");
        assertThat(Markup.shortened("ab", 2)).isEqualTo("ab");
    }
}
