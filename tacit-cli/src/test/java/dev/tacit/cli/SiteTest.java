package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** docs/Site.java: what it makes of the Markdown of the pages, and a site in which every link leads somewhere. */
class SiteTest {
    private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"]*)\"");

    @TempDir
    static Path classes;

    @TempDir
    Path out;

    private static URLClassLoader loader;
    private static Method html;

    @BeforeAll
    static void compile() throws Exception {
        int result = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-d", classes.toString(), "../docs/Site.java");
        assertThat(result).isZero();
        loader = new URLClassLoader(new URL[] {classes.toUri().toURL()}, null);
        html = loader.loadClass("Markdown").getDeclaredMethod("html", String.class, UnaryOperator.class);
        html.setAccessible(true);
    }

    @AfterAll
    static void close() throws IOException {
        loader.close();
    }

    static Stream<List<String>> markdown() {
        return Stream.of(
                List.of("# A `b` c", "<h1 id=\"a-b-c\"><a href=\"#a-b-c\">A <code class=\"short\">b</code> c</a></h1>"),
                List.of("one\ntwo", "<p>one\ntwo</p>"),
                List.of("a < b & \"c\"", "<p>a &lt; b &amp; &quot;c&quot;</p>"),
                List.of(
                        "**bold** and *slanted*, **two words**",
                        "<p><strong>bold</strong> and <em>slanted</em>, <strong>two words</strong></p>"),
                List.of(
                        "stars of formulas: phi*, 2 * 3, a*b, phi*",
                        "<p>stars of formulas: phi*, 2 * 3, a*b, phi*</p>"),
                List.of(
                        "`a*b*c` `<x>`",
                        "<p><code class=\"short\">a*b*c</code> <code class=\"short\">&lt;x&gt;</code></p>"),
                List.of("`` a`b ``", "<p><code class=\"short\">a`b</code></p>"),
                List.of(
                        "[a `]` link](to/here.md#x)",
                        "<p><a href=\"[to/here.md#x]\">a <code class=\"short\">]</code> link</a></p>"),
                List.of("purpose[home] (no link)", "<p>purpose[home] (no link)</p>"),
                List.of("![a\npicture](a.png)", "<p><img src=\"[a.png]\" alt=\"a picture\"></p>"),
                List.of("\\*no\\* `\\*`", "<p>*no* <code class=\"short\">\\*</code></p>"),
                List.of("* one\n  more\n* two", "<ul>\n<li>one\nmore</li>\n<li>two</li>\n</ul>"),
                List.of("- a\n  - b\n- c", "<ul>\n<li><p>a</p><ul>\n<li>b</li>\n</ul></li>\n<li>c</li>\n</ul>"),
                List.of("1. a\n2. b\n\ntext", "<ol>\n<li>a</li>\n<li>b</li>\n</ol>\n<p>text</p>"),
                List.of("1. a\n\n   second\n2. b", "<ol>\n<li><p>a</p><p>second</p></li>\n<li>b</li>\n</ol>"),
                List.of("text\n* item", "<p>text</p>\n<ul>\n<li>item</li>\n</ul>"),
                List.of(
                        "```sh\n./tacit <x>\n\n# no heading\n```",
                        "<pre tabindex=\"0\" class=\"sh\"><code>./tacit &lt;x&gt;\n\n# no heading</code></pre>"),
                List.of("```console because\nx\n```", "<pre tabindex=\"0\" class=\"console\"><code>x</code></pre>"),
                List.of(
                        "    a  b\n\n      c\n\ntext",
                        "<pre tabindex=\"0\"><code>a  b\n\n  c</code></pre>\n<p>text</p>"),
                List.of(
                        "| a | b |\n|---|---|\n| `x \\| y` | |\n| 1 | 2 |",
                        "<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr><th>a</th><th>b</th></tr></thead>\n<tbody>"
                                + "\n<tr><td><code class=\"short\">x | y</code></td><td></td></tr>\n<tr><td>1</td><td>2</td></tr></tbody>\n</table></div>"),
                List.of(
                        "# A\n\n## A",
                        "<h1 id=\"a\"><a href=\"#a\">A</a></h1>\n<h2 id=\"a-1\"><a href=\"#a-1\">A</a></h2>"));
    }

    @ParameterizedTest
    @MethodSource("markdown")
    void markdownBecomesHtml(List<String> sample) throws ReflectiveOperationException {
        UnaryOperator<String> links = link -> "[" + link + "]";
        assertThat(html.invoke(null, sample.get(0), links)).isEqualTo(sample.get(1));
    }

    @Test
    void everyPageIsThereEveryLinkLeadsSomewhereAndNothingIsLoadedFromElsewhere() throws Exception {
        Path errors = out.resolve("errors.txt");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "docs/Site.java",
                        out.resolve("site").toString())
                .directory(Path.of("..").toFile())
                .redirectErrorStream(true)
                .redirectOutput(errors.toFile())
                .start();
        assertThat(process.waitFor()).as(Files.readString(errors)).isZero();

        int pages = 0;
        try (Stream<Path> files = Files.walk(out.resolve("site"))) {
            for (Path page :
                    files.filter(file -> file.toString().endsWith(".html")).toList()) {
                pages++;
                String text = Files.readString(page);
                assertThat(text)
                        .as("%s", page)
                        .doesNotContain("<script src=\"http")
                        .doesNotContain("url(http");
                for (Matcher link = LINK.matcher(text); link.find(); ) {
                    assertThat(leadsSomewhere(page, link.group(1)))
                            .as("%s in %s", link.group(1), page)
                            .isTrue();
                }
            }
        }
        assertThat(pages).isGreaterThan(50);
        String index = Files.readString(out.resolve("site/search.js"), StandardCharsets.UTF_8);
        assertThat(index).contains("docs/reference/verbs.html#tacit-fit").contains("docs/guide/first-fit.html");
    }

    private static boolean leadsSomewhere(Path page, String link) throws IOException {
        if (link.startsWith("http")) {
            return true;
        }
        String[] parts = link.split("#", 2);
        Path target =
                parts[0].isEmpty() ? page : page.getParent().resolve(parts[0]).normalize();
        if (!Files.isRegularFile(target)) {
            return false;
        }
        return parts.length == 1
                || parts[1].equals("text")
                || Files.readString(target).contains("id=\"" + parts[1] + "\"");
    }
}
