package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.shell.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a regression gets if nobody says how, and what is said where that cannot be. */
class FitDefaultsTest {
    private static final int SIZE = 1500;
    private static final String FORMULA = "late ~ age + debt + job";

    @TempDir
    private Path folder;

    private FitTables tables;
    private Path table;
    private Path ledger;

    @BeforeEach
    void write() {
        tables = new FitTables(folder);
        table = tables.table("loans.csv", FitTables.loans(SIZE, 1));
        ledger = folder.resolve("loans.ledger");
    }

    private CliRun fit(String schema, String... more) {
        Path declared = tables.write("loans.schema.yaml", schema);
        List<String> args = new ArrayList<>(List.of(
                "fit",
                table.toString(),
                "--schema",
                declared.toString(),
                "--out",
                folder.resolve("fit").toString(),
                "--epsilon",
                "1",
                "--delta",
                "1e-5"));
        args.addAll(List.of(more));
        return FitTables.run(args);
    }

    /** A model of all columns is the formula of all columns: the same sums, the same posterior. */
    @Test
    void aModelIsTheFormulaOfItsColumns() throws IOException {
        String schema = FitTables.loansSchema(SIZE);
        fit(schema, "--model", "logistic-regression", "--simulate").succeeded();
        Path likelihood = folder.resolve("fit/likelihood.json");
        String ofModel = Files.readString(likelihood);
        Files.move(folder.resolve("fit"), folder.resolve("first"));
        fit(schema, "--formula", FORMULA, "--simulate").succeeded();
        assertThat(Files.readString(likelihood)).isEqualTo(ofModel);
    }

    @Test
    void oneRecordInPlaceOfAnotherIsServed() {
        String schema = FitTables.loansSchema(SIZE).replace("unit: record", "unit: record\nneighbours: replace-one");
        assertThat(fit(schema, "--formula", FORMULA).succeeded().output())
                .contains("replaced by another", "private-likelihood")
                .doesNotContain("  method ");
    }

    /** Nothing is charged for what the method of formulas cannot do, and the sentence says what can be. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--method dp-pvi | without a formula",
                "--method residual-newton | without a formula",
                "--method dpvi | without a formula",
                "--set sampling=poisson:0.1 | there is no setting sampling",
                "--set parties=5 | there is no setting parties"
            })
    void whatAFormulaCannotBeFittedByIsRefusedBeforeTheCharge(String options, String said) {
        List<String> more = new ArrayList<>(List.of("--formula", FORMULA));
        more.addAll(List.of(options.split(" ")));
        assertThat(fit(FitTables.loansSchema(SIZE), more.toArray(String[]::new))
                        .failed(ExitCode.USAGE)
                        .errors())
                .contains(said);
        assertThat(ledger).doesNotExist();
        assertThat(folder.resolve("fit")).doesNotExist();
    }

    /** Methods whose intervals were measured to be wrong say so beside their numbers, wherever these stand. */
    @Test
    void whatWasMeasuredStandsBesideTheNumbers() throws IOException {
        String said = fit(
                        FitTables.loansSchema(SIZE),
                        "--model",
                        "logistic-regression",
                        "--method",
                        "dpvi",
                        "--set",
                        "steps=20",
                        "--simulate")
                .succeeded()
                .output();
        String measured = "90% intervals of dpvi held the truth in 45% of cases";
        assertThat(said.replaceAll("\\s+", " ")).contains(measured);
        String fit = folder.resolve("fit").toString();
        assertThat(CliRun.of("summary", fit).succeeded().output().replaceAll("\\s+", " "))
                .contains(measured);
        assertThat(CliRun.of("summary", fit, "--json").succeeded().json())
                .hasEntrySatisfying(
                        "measured", text -> assertThat(text.toString()).contains(measured));
        assertThat(Files.readString(folder.resolve("fit/report.html"))).contains(measured);
    }

    /** Curves over numbers, a line for each level, at a centre that was released. */
    @Test
    void theReportShowsWhatIsExpectedOverEachColumn() throws IOException {
        fit(FitTables.loansSchema(SIZE), "--formula", FORMULA).succeeded();
        assertThat(Files.readString(folder.resolve("fit/report.html")))
                .contains("What it expects", "Probability of late", "job: baker", "job: miner", "class=\"panels\"")
                .doesNotContain("NaN");
    }
}
