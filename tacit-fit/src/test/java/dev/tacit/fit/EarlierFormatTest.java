package dev.tacit.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.fit.base.CheckedText;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.formula.TermRow;
import dev.tacit.fit.formula.TermText;
import dev.tacit.fit.predict.PredictedRow;
import dev.tacit.fit.predict.PredictionRequest;
import dev.tacit.fit.twin.SyntheticRows;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Folders of earlier versions say what they said; what is written today depends on no name of a method's setting. */
class EarlierFormatTest {
    private static final double LEVEL = 0.95;

    @TempDir
    private Path folder;

    private static Path golden() {
        try {
            return Path.of(EarlierFormatTest.class.getResource("format-1").toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    static Stream<String> fits() throws IOException {
        try (Stream<Path> files = Files.list(golden())) {
            return files
                    .filter(Files::isDirectory)
                    .map(file -> file.getFileName().toString())
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    private static Path records(String fit) {
        return golden().resolve(fit.equals("lda") ? "documents.txt" : "people.csv");
    }

    private static String predictions(FittedModel model, Path records) {
        List<String> lines = new ArrayList<>();
        for (PredictedRow row : model.predict(records)) {
            if (lines.isEmpty()) {
                lines.add(String.join(
                                ",",
                                row.names().stream()
                                        .map(SyntheticRows::quotedIfNeeded)
                                        .toList())
                        + row.mostProbable().map(best -> ",most_probable").orElse(""));
            }
            lines.add(String.join(
                            ",",
                            Arrays.stream(row.numbers())
                                    .mapToObj(Double::toString)
                                    .toList())
                    + row.mostProbable().map(best -> "," + best).orElse(""));
        }
        return String.join("\n", lines) + "\n";
    }

    @Test
    void thereAreFoldersOfManyKinds() throws IOException {
        assertThat(fits())
                .contains("bernoulli", "residual-newton", "mixture", "lda")
                .hasSizeGreaterThan(8);
    }

    @ParameterizedTest
    @MethodSource("fits")
    void foldersOfFormat1SayWhatTheySaid(String fit) throws IOException {
        Path dir = golden().resolve(fit);
        assertThat(Files.readString(dir.resolve("posterior.json"))).contains("\"format\":\"tacit-posterior/1\"");
        FittedModel model = FittedModel.read(dir);
        assertThat(predictions(model, records(fit))).isEqualTo(Files.readString(dir.resolve("predictions.csv")));
        String summary = Files.readString(dir.resolve("summary.csv"));
        if (summary.startsWith("tacit: ")) {
            assertThatThrownBy(() -> model.summary(LEVEL))
                    .isInstanceOf(FitException.class)
                    .hasMessageStartingWith("single parameters of " + model.model() + " mean nothing");
        } else {
            List<TermRow> rows = model.summary(LEVEL);
            StoredPosterior stored = model.folder().fittedModel();
            assertThat(new TermText(stored, rows, LEVEL, "").csv()).isEqualTo(summary);
        }
    }

    /** Written again in today's format, they still do. */
    @ParameterizedTest
    @MethodSource("fits")
    void nothingIsLostBetweenFormats(String fit) throws IOException {
        Path copy = today(fit);
        assertThat(Files.readString(copy.resolve("posterior.json"))).contains("\"format\":\"tacit-posterior/2\"");
        FittedModel before = FittedModel.read(golden().resolve(fit));
        FittedModel after = FittedModel.read(copy);
        assertThat(predictions(after, records(fit))).isEqualTo(predictions(before, records(fit)));
        assertThat(after.folder().fittedModel().toJson())
                .isEqualTo(before.folder().fittedModel().toJson());
    }

    private Path today(String fit) throws IOException {
        Path copy = Files.createDirectory(folder.resolve(fit));
        Path dir = golden().resolve(fit);
        Files.copy(dir.resolve("release.json"), copy.resolve("release.json"));
        StoredPosterior stored = FittedModel.read(dir).folder().fittedModel();
        Files.writeString(copy.resolve("posterior.json"), stored.toJson() + "\n");
        return copy;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"\"momentum\"|\"inertia\"", "\"rounds\":8|\"rounds\":\"many\"", "residual-newton|crystal-ball"})
    void noNameOfAMethodOrSettingIsNeededToUseAFit(String change) throws IOException {
        String fit = "residual-newton";
        Path copy = today(fit);
        Path file = copy.resolve("posterior.json");
        String text = CheckedText.open(Files.readString(file), "posterior.json");
        String[] words = change.split("\\|", -1);
        assertThat(text).contains(words[0]);
        Files.writeString(file, CheckedText.seal(text.replace(words[0], words[1])) + "\n");
        FittedModel before = FittedModel.read(golden().resolve(fit));
        FittedModel after = FittedModel.read(copy);
        assertThat(predictions(after, records(fit))).isEqualTo(predictions(before, records(fit)));
        assertThat(after.summary(LEVEL)).isEqualTo(before.summary(LEVEL));
        assertThat(after.scoreUncovered(records(fit))).isEqualTo(before.scoreUncovered(records(fit)));
        assertThatThrownBy(after::diagnose)
                .isInstanceOf(FitException.class)
                .hasMessageContaining("so the fit cannot be repeated");
    }

    @Test
    void intervalsAndTimesCanBeAskedFor() {
        FittedModel model = FittedModel.read(golden().resolve("survival"));
        List<PredictedRow> rows = model.predict(PredictionRequest.of(records("survival"))
                .at(3, 12)
                .withLevel(0.5)
                .identifiedBy("age"));
        assertThat(rows.get(0).names())
                .containsExactly("survival_3", "lower_3", "upper_3", "survival_12", "lower_12", "upper_12");
        assertThat(rows.get(0).identifier()).isPresent();
        assertThat(rows.get(0).value("lower_3"))
                .isLessThan(rows.get(0).value("survival_3"))
                .isGreaterThan(model.predict(
                                PredictionRequest.of(records("survival")).at(3).withLevel(0.99))
                        .get(0)
                        .value("lower_3"));
        assertThatThrownBy(() -> model.predict(records("survival"), 95)).hasMessageContaining("between 0 and 1");
        assertThatThrownBy(() -> rows.get(0).value("mean")).hasMessageContaining("survival_3");
        FittedModel newton = FittedModel.read(golden().resolve("residual-newton"));
        assertThatThrownBy(() -> newton.predict(records("bernoulli"), 0.9)).hasMessageContaining("asks for intervals");
    }
}
