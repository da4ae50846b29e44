package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.shell.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A misspelt name is answered with the one that was meant, from the names that are public. */
class FitNamesTest {
    @TempDir
    private Path folder;

    private FitTables tables;
    private Path schema;
    private Path table;

    @BeforeEach
    void write() {
        tables = new FitTables(folder);
        schema = tables.write("loans.schema.yaml", FitTables.loansSchema(40));
        table = tables.table("loans.csv", FitTables.loans(40, 3));
    }

    private String refused(String... options) {
        List<String> args = new ArrayList<>(List.of("fit", table.toString(), "--schema", schema.toString()));
        args.addAll(List.of(
                "--epsilon",
                "1",
                "--delta",
                "1e-3",
                "--out",
                folder.resolve("fit").toString()));
        args.addAll(Arrays.asList(options));
        CliRun run = CliRun.of(args.toArray(String[]::new));
        assertThat(run.exitCode()).as(run.errors()).isEqualTo(ExitCode.USAGE.code());
        assertThat(run.output()).isEmpty();
        assertThat(folder.resolve("fit")).doesNotExist();
        return run.errors();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--model logistic-regresion | there is no model logistic-regresion (did you mean logistic-regression?)",
                "--model logistic-regression --method residual-newtn | did you mean residual-newton?",
                "--model logistic-regression --method dpv | did you mean dpvi?",
                "--formula late~age --method private-likelyhood | did you mean private-likelihood?",
                "--formula late~age --family bernouli | there is no family bernouli (did you mean bernoulli?)",
                "--model logistic-regression --method dpvi --set stesp=5 | there is no setting stesp here (did you mean steps?)",
                "--model logistic-regression --method dpvi --set family=full-rnk | did you mean full-rank?",
                "--formula late~aeg | the schema declares no column \"aeg\" (did you mean age?)",
                "--formula late~age --prior agee~normal(0,1) | did you mean age?"
            })
    void theNameThatWasMeantIsSaid(String options, String said) {
        assertThat(refused(options.split(" ", -1))).contains(said);
    }

    @Test
    void aStrangeNameIsAnsweredWithTheList() {
        assertThat(refused("--model", "frobnicate"))
                .contains("there is no model frobnicate; the models are logistic-regression, ")
                .doesNotContain("did you mean");
    }

    /** Cells are nobody's suggestion: the header of a file may be a record. */
    @Test
    void nothingIsSuggestedFromTheFile() throws Exception {
        String text = Files.readString(table);
        Files.writeString(table, text.replaceFirst("age", "agee"));
        CliRun run = CliRun.of(
                "fit",
                table.toString(),
                "--schema",
                schema.toString(),
                "--formula",
                "late ~ age",
                "--epsilon",
                "1",
                "--delta",
                "1e-3",
                "--out",
                folder.resolve("fit").toString());
        assertThat(run.exitCode()).as(run.errors()).isEqualTo(ExitCode.BAD_DATA.code());
        assertThat(run.errors()).doesNotContain("agee", "did you mean");
    }

    @Test
    void aTargetThatIsNotDeclaredIsRecognised() {
        Path wrong =
                tables.write("wrong.schema.yaml", FitTables.loansSchema(40).replace("target: late", "target: alte"));
        assertThat(CliRun.of("schema", "check", table.toString(), "--schema", wrong.toString())
                        .failed(ExitCode.CONFIG)
                        .errors())
                .contains("the target \"alte\" is not one of the declared columns (did you mean late?)");
    }
}
