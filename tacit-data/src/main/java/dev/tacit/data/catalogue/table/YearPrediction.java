package dev.tacit.data.catalogue.table;

import dev.tacit.data.catalogue.canonical.CsvWriter;
import dev.tacit.data.catalogue.canonical.SchemaColumn;
import dev.tacit.data.catalogue.canonical.SchemaText;
import dev.tacit.data.catalogue.entry.Broken;
import dev.tacit.data.catalogue.entry.Choices;
import dev.tacit.data.catalogue.entry.DatasetEntry;
import dev.tacit.data.catalogue.entry.DatasetException;
import dev.tacit.data.catalogue.entry.DatasetFacts;
import dev.tacit.data.catalogue.entry.DatasetKind;
import dev.tacit.data.catalogue.entry.Drafts;
import dev.tacit.data.catalogue.entry.LocatedFile;
import dev.tacit.data.catalogue.entry.RawFile;
import dev.tacit.data.catalogue.entry.RawFiles;
import dev.tacit.data.catalogue.entry.Recipe;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The year of a song from the timbre of its sound: 12 averages and 78 covariances of segments.
 *
 * <p>Ranges: years 1922 to 2011 as documented; loudness of at most 60; timbre coefficients are centred at 0 and of the
 * order of 50 (documentation of the Million Song Dataset), so averages beyond ±200, variances beyond 5000 and
 * covariances beyond ±2500 are clamped.
 */
public final class YearPrediction implements Recipe {
    static final String SONGS = "songs";

    private static final Pattern COMMA = Pattern.compile(",");
    private static final int AVERAGES = 12;
    private static final int TIMBRES = 90;

    private final int trainingRows;

    YearPrediction(int trainingRows) {
        this.trainingRows = trainingRows;
    }

    public static DatasetEntry entry() {
        return new DatasetEntry(
                "year-prediction-msd",
                DatasetKind.TABLE,
                new DatasetFacts(
                        "YearPredictionMSD, songs of the Million Song Dataset, UCI",
                        515345,
                        90,
                        "regression: year of release",
                        "CC BY 4.0 (UCI)",
                        "the UCI Machine Learning Repository, data set 203"
                                + " (https://archive.ics.uci.edu/dataset/203/yearpredictionmsd, about 200 MB)",
                        List.of(
                                "no header; the year is the first column",
                                "the first 463715 rows train and the last 51630 test, so that no artist is in both:"
                                        + " never reshuffled")),
                List.of("year-prediction-msd", "YearPredictionMSD", "uci/year-prediction-msd", ""),
                List.of(RawFile.of(
                                SONGS,
                                "YearPredictionMSD.txt",
                                0,
                                "4b6f8e50235b359e01689ae7fb33ad0f89677e9a15f25f3d6259327a6bb927bb")
                        .inArchive("YearPredictionMSD.txt.zip", "yearpredictionmsd.zip")),
                List.of(),
                new YearPrediction(463715));
    }

    @Override
    public void write(RawFiles raw, Choices choices, Drafts out) throws IOException, DatasetException {
        List<String> header = new ArrayList<>(List.of("year"));
        SchemaText schema = new SchemaText(
                        "YearPredictionMSD: documented years, timbre clamped to a few times its usual size",
                        trainingRows)
                .target("year")
                .column("year", SchemaColumn.number(1922, 2011));
        for (int timbre = 1; timbre <= TIMBRES; timbre++) {
            header.add(name(timbre));
            schema.column(name(timbre), range(timbre).centred());
        }
        LocatedFile file = raw.get(SONGS);
        try (BufferedReader lines = file.lines()) {
            try (CsvWriter training = new CsvWriter(out.text("train.csv.gz"), header)) {
                for (int row = 0; row < trainingRows; row++) {
                    String line = lines.readLine();
                    if (line == null) {
                        throw Broken.because(file, "it has too few lines");
                    }
                    training.row(cells(line, file));
                }
            }
            try (CsvWriter test = new CsvWriter(out.text("test.csv.gz"), header)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    test.row(cells(line, file));
                }
            }
        }
        out.text("schema.yaml", schema.text());
    }

    private static String name(int timbre) {
        return timbre <= AVERAGES ? "average" + timbre : "covariance" + (timbre - AVERAGES);
    }

    private static SchemaColumn range(int timbre) {
        if (timbre == 1) {
            return SchemaColumn.number(0, 60);
        }
        if (timbre <= AVERAGES) {
            return SchemaColumn.number(-200, 200);
        }
        return timbre <= 2 * AVERAGES ? SchemaColumn.number(0, 5000) : SchemaColumn.number(-2500, 2500);
    }

    private static List<String> cells(String line, LocatedFile file) throws DatasetException {
        String[] cells = COMMA.split(line.strip(), -1);
        if (cells.length != TIMBRES + 1) {
            throw Broken.shape(file);
        }
        return List.of(cells);
    }
}
