package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.shell.ExitCode;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;

class AccountPlotTest {
    private static final Pattern REFERENCE =
            Pattern.compile("(https?:)?//|<script|<link|<iframe|<img|@import|url\\((?!#)");
    private static final String SVG_NAMESPACE = "http://www.w3.org/2000/svg";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--noise-multiplier 1.4147 --steps 1000 --sampling poisson:0.01 --delta 1e-5",
                "--noise-multiplier 2 --steps 1 --delta 1e-5",
                "--noise-multiplier 5 --steps 1000 --sampling fixed:10/1000 --delta 0.01",
                "--noise-multiplier 1e6 --steps 3 --delta 1e-300",
                "--noise-multiplier 0.05 --steps 1e12 --delta 1e-5 --neighbours replace-one"
            })
    void pagesAndPicturesAreWellFormedAndNeedNothingElse(String setting) throws Exception {
        for (String name : List.of("plot.html", "plot.svg")) {
            Path file = folder.resolve(name);
            CliRun.typed("account " + setting + " --plot " + file).succeeded();
            String text = Files.readString(file);
            Document document = parse(text);
            assertThat(document.getElementsByTagName("path").getLength()).isGreaterThanOrEqualTo(2);
            assertThat(REFERENCE.matcher(text.replace(SVG_NAMESPACE, "")).find())
                    .as(name)
                    .isFalse();
            assertThat(text).contains("prefers-color-scheme: dark").doesNotContain("NaN", "Infinity");
        }
    }

    @Test
    void theChartSaysWhatItShows() throws Exception {
        Path file = folder.resolve("plot.svg");
        CliRun.typed("account --noise-multiplier 1 --steps 100 --sampling poisson:0.01 --delta 1e-5 --plot " + file)
                .succeeded();
        assertThat(Files.readString(file))
                .contains("Epsilon against delta")
                .contains("Epsilon against steps")
                .contains("100 times gaussian")
                .contains(">exact<")
                .contains(">renyi<")
                .contains("epsilon \u2264 ");
    }

    @Test
    void theEventOfAFileIsDrawnOverRepetitions() throws Exception {
        Path file = folder.resolve("plot.svg");
        String event = "{\"type\":\"sequence\",\"events\":[{\"type\":\"gaussian\",\"noiseMultiplier\":2},"
                + "{\"type\":\"gaussian\",\"noiseMultiplier\":3}]}";
        CliRun.withInput(event, "account", "--events", "-", "--delta", "1e-5", "--plot", file.toString())
                .succeeded();
        assertThat(Files.readString(file)).contains("repetitions of the whole plan");
    }

    @Test
    void jsonAndAPlotGoTogether() {
        Path file = folder.resolve("plot.html");
        CliRun run = CliRun.typed("account --noise-multiplier 1 --steps 10 --delta 1e-5 --json --plot " + file)
                .succeeded();
        assertThat(run.json()).containsKeys("results", "plot");
        assertThat(file).exists();
    }

    @Test
    void anOldPlotIsReplacedWholeAndNothingElseIsLeft() throws Exception {
        Path file = Files.writeString(folder.resolve("plot.svg"), "old");
        CliRun.typed("account --noise-multiplier 1 --steps 10 --delta 1e-5 --plot " + file)
                .succeeded();
        assertThat(Files.readString(file)).startsWith("<svg").endsWith("</svg>\n");
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void thereIsNoPictureOfWhatHasNoBound() {
        Path file = folder.resolve("plot.svg");
        String event = "{\"type\":\"not-private\",\"reason\":\"no noise\"}";
        CliRun.withInput(event, "account", "--events", "-", "--delta", "1e-5", "--plot", file.toString())
                .failed(ExitCode.BAD_DATA);
        assertThat(file).doesNotExist();
    }

    private static Document parse(String text) throws Exception {
        byte[] xml = text.replace("<!DOCTYPE html>\n", "").getBytes(StandardCharsets.UTF_8);
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(xml));
    }
}
