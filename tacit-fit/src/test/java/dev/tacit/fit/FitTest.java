package dev.tacit.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.data.schema.Schema;
import dev.tacit.door.noise.Provenance;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.formula.TermRow;
import dev.tacit.fit.predict.PredictedRow;
import dev.tacit.fit.predict.PredictionRequest;
import dev.tacit.fit.run.Diagnosis;
import dev.tacit.fit.run.FitRun;
import dev.tacit.ledger.LedgerFile;
import dev.tacit.numerics.RandomStream;
import dev.tacit.run.ReleaseNote;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a program does with the library: fit, look, predict, read again; and what it is refused before it costs anything. */
class FitTest {
    private static final PrivacyBudget BUDGET = new PrivacyBudget(2, 1e-5);

    @TempDir
    private Path folder;

    private Path table;
    private Path schemaFile;
    private Path fresh;

    @BeforeEach
    void write() throws IOException {
        table = Files.writeString(folder.resolve("loans.csv"), loans(400, 1));
        fresh = Files.writeString(folder.resolve("new.csv"), loans(20, 2));
        schemaFile = Files.writeString(folder.resolve("loans.schema.yaml"), """
                unit: record
                size: 400
                target: late
                columns:
                  age: {type: number, bounds: [20, 80]}
                  job: {type: category, categories: [miner, baker], other: false}
                  late: {type: binary, positive: "yes", negative: "no"}
                """);
    }

    private static String loans(int rows, long seed) {
        RandomStream random = RandomStream.ofSeed(seed);
        StringBuilder csv = new StringBuilder("number,age,job,late\n");
        for (int row = 0; row < rows; row++) {
            double age = 20 + Math.floor(60 * random.uniform());
            boolean miner = random.uniform() < 0.4;
            boolean late = random.uniform() < 1 / (1 + Math.exp(0.05 * (age - 50) - (miner ? 1 : -1)));
            csv.append(String.format(
                    Locale.ROOT, "n%d,%.0f,%s,%s%n", row, age, miner ? "miner" : "baker", late ? "yes" : "no"));
        }
        return csv.toString();
    }

    private Fit.Builder fit() throws IOException {
        return Fit.of(table, Schema.read(schemaFile))
                .formula("late ~ age + job")
                .budget(BUDGET)
                .withoutTwins();
    }

    private Path ledger() {
        return folder.resolve("loans.ledger");
    }

    /** The program of the page on programs. */
    @Test
    void aProgramFitsLooksPredictsAndReadsAgain() throws IOException {
        List<String> printed = new ArrayList<>();
        Fit fit = Fit.of(table, Schema.read(schemaFile))
                .formula("late ~ age + job")
                .family("bernoulli")
                .epsilon(1)
                .delta(1e-6)
                .twins(2)
                .build();
        FittedModel model = fit.run(folder.resolve("fit"));
        model.summary(0.9).forEach(row -> printed.add(row.toString()));
        model.predict(fresh, 0.9).forEach(row -> printed.add(row.toString()));
        FittedModel again = FittedModel.read(folder.resolve("fit"));

        assertThat(printed).hasSize(3 + 20);
        assertThat(printed.get(1)).matches("age \\(per 1\\): -?[0-9.]+, -?[0-9.]+ to -?[0-9.]+");
        assertThat(printed.get(3)).matches("\\{probability=0\\.[0-9]+, lower=[0-9.E-]+, upper=[0-9.]+}");
        assertThat(again.summary(0.9)).isEqualTo(model.summary(0.9));
        assertThat(again.formula()).contains("late ~ age + job");
        assertThat(again.model()).isEqualTo("logistic-regression");
        assertThat(again.method()).isEqualTo("private-likelihood");
        assertThat(again.provenance()).isEqualTo(Provenance.RELEASABLE);
        assertThat(again.release().privacy().orElseThrow().epsilon()).isLessThanOrEqualTo(1);
        assertThat(again.statement()).contains("epsilon");
        assertThat(again.report()).startsWith("<!DOCTYPE html>");
        assertThat(again.score(fresh)).containsKeys("auc", "accuracy", "logLikelihood");
        assertThat(LedgerFile.read(ledger()).entries()).hasSize(1);
    }

    @Test
    void identifiersStandBesidePredictionsAndIntervalsGrowWithTheLevel() throws IOException {
        FittedModel model = fit().build().run(folder.resolve("fit"));
        PredictionRequest asked = PredictionRequest.of(fresh).identifiedBy("number");
        List<PredictedRow> rows = model.predict(asked.withLevel(0.5));
        assertThat(rows).extracting(row -> row.identifier().orElseThrow()).startsWith("n0", "n1", "n2");
        double wide = model.predict(asked.withLevel(0.99)).get(0).value("upper");
        assertThat(rows.get(0).value("upper"))
                .isLessThan(wide)
                .isGreaterThan(rows.get(0).value("lower"));
        assertThat(model.predict(fresh)).hasSize(20);
    }

    @Test
    void recordsOfTheFitAreNotScoredUnasked() throws IOException {
        FittedModel model = fit().build().run(folder.resolve("fit"));
        assertThatThrownBy(() -> model.score(table))
                .isInstanceOf(FitException.class)
                .hasMessageContaining("are among those that the fit came from");
        assertThat(model.scoreUncovered(table)).containsKey("auc");
    }

    @Test
    void contrastsAndOtherPriorsCostNothing() throws IOException {
        FittedModel model = fit().build().run(folder.resolve("fit"));
        TermRow ten = model.contrast("10 * age", 0.95);
        TermRow one = model.summary(0.95).get(1);
        assertThat(ten.mean()).isEqualTo(10 * one.mean());
        FittedModel informed = model.refit(List.of("age ~ normal(0, 0.0001)"), folder.resolve("informed"));
        assertThat(Math.abs(informed.summary(0.95).get(1).mean())).isLessThan(0.001);
        assertThat(LedgerFile.read(ledger()).entries()).hasSize(1);
        assertThatThrownBy(() -> model.refit(List.of("agee ~ normal(0, 1)"), folder.resolve("misspelt")))
                .isInstanceOf(FitException.class)
                .hasMessageContaining("there is no column agee");
    }

    @Test
    void theIntervalsCanBeDiagnosedLater() throws IOException {
        FittedModel model = fit().build().run(folder.resolve("fit"));
        List<String> heard = new ArrayList<>();
        FitListener listener = new FitListener() {
            @Override
            public Work begin(String task, long steps) {
                heard.add(task + " " + steps);
                return FitListener.super.begin(task, steps);
            }
        };
        Diagnosis diagnosis = model.diagnose(3, listener);
        assertThat(diagnosis.check().sentence()).contains("on 3 simulated twins");
        assertThat(heard).containsExactly("simulating 3");
    }

    @Test
    void aModelWithoutAFormulaAndWithoutPrivacy() throws IOException {
        FittedModel model = Fit.of(table, Schema.read(schemaFile))
                .model("logistic-regression")
                .method("residual-newton")
                .setting("rounds", 5)
                .notPrivate()
                .withoutTwins()
                .build()
                .run(folder.resolve("fit"));
        assertThat(model.provenance()).isEqualTo(Provenance.NOT_PRIVATE);
        assertThat(model.predict(fresh).get(0).names()).containsExactly("probability");
        assertThat(ledger()).doesNotExist();
    }

    /** Whoever watches sees the plan before the charge and every release after it. */
    @Test
    void aListenerSeesTheRunGoBy() throws IOException {
        List<String> heard = new ArrayList<>();
        FitListener listener = new FitListener() {
            @Override
            public void planned(FitRun.Prepared plan) {
                heard.add("planned " + Files.exists(ledger()));
            }

            @Override
            public void released(ReleaseNote note, long released, long planned) {
                heard.add("released");
            }
        };
        fit().listener(listener).build().run(folder.resolve("fit"));
        assertThat(heard).startsWith("planned false", "released");
    }

    /** A run that stops after it was charged goes on at no further cost, and a complete one is only read. */
    @Test
    void anInterruptedRunGoesOn() throws IOException {
        FitListener stopping = new FitListener() {
            @Override
            public void released(ReleaseNote note, long released, long planned) {
                throw new IllegalStateException("stopped");
            }
        };
        Path out = folder.resolve("fit");
        Fit stopped = fit().listener(stopping).build();
        assertThatThrownBy(() -> stopped.run(out)).hasMessage("stopped");
        assertThatThrownBy(() -> FittedModel.read(out))
                .isInstanceOf(FitException.class)
                .hasMessageContaining("interrupted");
        assertThatThrownBy(() -> fit().build().run(out)).hasMessageContaining("interrupted");
        assertThatThrownBy(
                        () -> fit().budget(new PrivacyBudget(1, 1e-5)).build().runOrResume(out))
                .hasMessageContaining("was started with epsilon 2.0, not 1.0");
        assertThatThrownBy(() -> fit().simulated(3).build().runOrResume(out))
                .hasMessageContaining("without the seed 3");
        FittedModel model = Fit.resume(out);
        assertThat(LedgerFile.read(ledger()).entries()).hasSize(1);
        assertThat(Fit.resume(out).summary(0.9)).isEqualTo(model.summary(0.9));
        assertThat(fit().build().runOrResume(out).summary(0.9)).isEqualTo(model.summary(0.9));
        assertThatThrownBy(() -> fit().formula("late ~ age").build().runOrResume(out))
                .hasMessageContaining("was started with the formula");
        assertThat(LedgerFile.read(ledger()).entries()).hasSize(1);
    }

    @Test
    void aProgramThatMayHaveBeenStoppedRunsOrGoesOn() throws IOException {
        Path out = folder.resolve("fit");
        FittedModel first = fit().build().runOrResume(out);
        assertThat(fit().build().runOrResume(out).summary(0.9)).isEqualTo(first.summary(0.9));
        assertThat(LedgerFile.read(ledger()).entries()).hasSize(1);
        assertThatThrownBy(() -> Fit.resume(folder.resolve("nothing")))
                .isInstanceOf(FitException.class)
                .hasMessageContaining("does not hold an interrupted run");
    }

    private void refused(UnaryOperator<Fit.Builder> change, FitException.Kind kind, String sentence)
            throws IOException {
        Fit.Builder builder = change.apply(fit());
        assertThatThrownBy(() -> builder.build().run(folder.resolve("refused")))
                .isInstanceOfSatisfying(
                        FitException.class,
                        problem -> assertThat(problem.kind()).isEqualTo(kind))
                .hasMessageContaining(sentence);
        assertThat(folder.resolve("refused")).doesNotExist();
        assertThat(ledger()).doesNotExist();
    }

    /** Nothing is charged, and nothing is left behind. */
    @Test
    void whatIsWrongIsFoundBeforeTheCharge() throws IOException {
        refused(fit -> fit.formula("late ~ agee"), FitException.Kind.USAGE, "agee");
        refused(fit -> fit.family("crystal-ball"), FitException.Kind.USAGE, "--family must be one of");
        refused(fit -> fit.family("poisson"), FitException.Kind.USAGE, "needs a count");
        refused(fit -> fit.model("logistic-regression"), FitException.Kind.USAGE, "leave out --model");
        refused(fit -> fit.prior("agee ~ normal(0, 1)"), FitException.Kind.USAGE, "there is no column agee");
        refused(fit -> fit.setting("momentum", 0.5), FitException.Kind.USAGE, "there is no setting momentum");
        refused(fit -> fit.method("dpvi"), FitException.Kind.USAGE, "a formula is fitted by private-likelihood");
        refused(fit -> fit.spendOnBounds(0.1), FitException.Kind.USAGE, "has nothing to buy");
        refused(fit -> fit.notPrivate(), FitException.Kind.USAGE, "spends no budget");
        refused(fit -> fit.ledgerLimit(1), FitException.Kind.USAGE, "for all runs together");
        refused(
                fit -> fit.ledger(folder.resolve("refused/x.ledger")),
                FitException.Kind.USAGE,
                "belongs to this run alone");
        Files.delete(table);
        refused(fit -> fit, FitException.Kind.MISSING_INPUT, "there is no file");
    }

    @ParameterizedTest
    @CsvSource({
        "1e-6, 0.5, were the two exchanged",
        "1e-6, 1, were the two exchanged",
        "0, 1e-6, pays for nothing",
        "NaN, 1e-6, pays for nothing",
        "Infinity, 1e-6, must be a finite number",
        "1, 0, strictly between 0 and 1"
    })
    void aBudgetThatPromisesNothingIsRefused(double epsilon, double delta, String sentence) throws IOException {
        refused(fit -> fit.epsilon(epsilon).delta(delta), FitException.Kind.USAGE, sentence);
    }

    @Test
    void aBudgetIsBothNumbers() throws IOException {
        Fit.Builder half =
                Fit.of(table, Schema.read(schemaFile)).formula("late ~ age").epsilon(1);
        assertThatThrownBy(half::build).hasMessageContaining("delta is missing");
    }

    @Test
    void aLedgerThatIsSpentRefuses() throws IOException {
        fit().ledgerLimit(2).build().run(folder.resolve("first"));
        assertThatThrownBy(() -> fit().build().run(folder.resolve("second")))
                .isInstanceOfSatisfying(
                        FitException.class,
                        problem -> assertThat(problem.kind()).isEqualTo(FitException.Kind.BUDGET_EXHAUSTED));
        assertThat(folder.resolve("second")).doesNotExist();
    }

    @Test
    void aSentenceAboutAFormulaPointsAtIt() throws IOException {
        Fit.Builder wrong = fit().formula("late ~ age + 'x");
        assertThatThrownBy(wrong::build)
                .isInstanceOfSatisfying(
                        FitException.class,
                        problem -> assertThat(problem.picture()).hasSize(2));
    }
}
