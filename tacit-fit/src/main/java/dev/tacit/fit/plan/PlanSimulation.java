package dev.tacit.fit.plan;

import dev.tacit.accounting.calibrate.CalibrationException;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.data.formula.design.DesignColumn;
import dev.tacit.data.formula.design.DesignMatrix;
import dev.tacit.data.schema.Schema;
import dev.tacit.diagnostics.ClassificationScores;
import dev.tacit.diagnostics.SurvivalScores;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.fit.artefact.DataShapes;
import dev.tacit.fit.artefact.UsableCount;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.base.WorkListener;
import dev.tacit.fit.formula.Family;
import dev.tacit.fit.formula.FormulaRequest;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.ledger.InMemoryLedger;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.model.prediction.Prediction;
import dev.tacit.model.prediction.PredictiveModel;
import dev.tacit.model.prediction.Predictor;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.Posterior;
import dev.tacit.run.CalibratedPlan;
import dev.tacit.run.InferenceRun;
import dev.tacit.run.method.FitMethod;
import dev.tacit.run.method.MethodCatalogue;
import dev.tacit.run.method.SettingValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a fit is to be expected to find, from declared facts and assumed effects alone: the method itself, run on simulated
 * tables with the noise of each budget.
 *
 * <p>Tables larger than {@link #MOST_ROWS} are simulated at that size with the noise in the same proportion to the sums,
 * and the part of the variance that is not privacy's is then divided by how much larger the table is.
 */
public final class PlanSimulation {
    /** Larger tables take too long. */
    static final int MOST_ROWS = 20_000;

    private static final int TEST_ROWS = 4_000;

    /**
     * What is assumed.
     *
     * @param effect of a standard deviation of a column, or of a level against its reference
     * @param expected response on average
     * @param level of the intervals
     * @param tables how many are simulated
     */
    public record Assumed(double effect, double expected, double level, int tables) {}

    /**
     * What a term is to be expected to say.
     *
     * @param width of its interval
     * @param power probability that an interval excludes 0 if the effect is the assumed one
     */
    record Outlook(double width, double power) {}

    /** A coefficient by its name and the unit of its column. */
    record Term(String name, String unit) {}

    /**
     * The answer.
     *
     * @param terms coefficients, without intercepts
     * @param withoutPrivacy for each term
     * @param outlooks for each budget and each term
     * @param metric how prediction was scored
     * @param scoreWithoutPrivacy of a fit without noise
     * @param scores for each budget
     */
    public record Result(
            List<Term> terms,
            List<Outlook> withoutPrivacy,
            List<List<Outlook>> outlooks,
            String metric,
            double scoreWithoutPrivacy,
            List<Double> scores) {}

    private final Schema schema;
    private final DesignMatrix design;
    private final String model;
    private final Family family;
    private final Assumed assumed;
    private final int rows;

    public PlanSimulation(FormulaRequest request, Assumed assumed) {
        this.schema = request.schema();
        this.design = FormulaRequest.design(schema, schema.encoding().formula().orElseThrow());
        this.model = request.model();
        this.family = Family.ofModel(model).orElseThrow();
        this.assumed = assumed;
        this.rows = (int) Math.min(MOST_ROWS, schema.size());
    }

    int rows() {
        return rows;
    }

    public Result run(List<PrivacyBudget> budgets, long seed, WorkListener.Work progress) {
        FitMethod<?, ?> exact = method(false);
        FitMethod<?, ?> noisy = method(true);
        List<double[]> variances = new ArrayList<>();
        double[] scores = new double[budgets.size() + 1];
        int coefficients = ((GlmModel) exact.use()).coefficientNames().size();
        double[] steps = new double[design.width()];
        double unit = 1;
        for (int i = 0; i <= budgets.size(); i++) {
            variances.add(new double[coefficients]);
        }
        for (int table = 0; table < assumed.tables(); table++) {
            RandomStream random = RandomStream.ofSeed(seed + table);
            GlmModel use = (GlmModel) exact.use();
            PlannedTable records = new PlannedTable(design, schema, use, rows, random.fork("rows"));
            PlannedTable others = new PlannedTable(design, schema, use, TEST_ROWS, random.fork("test"));
            double[] truth = records.truth(assumed.effect(), assumed.expected());
            List<RecordBlock> blocks = records.labelled(truth, random.fork("responses"));
            List<RecordBlock> test = others.labelled(truth, random.fork("more"));
            unit = records.unit();
            for (int i = 0; i <= budgets.size(); i++) {
                Posterior posterior = i == 0
                        ? fit(exact, blocks, Optional.empty(), seed + table)
                        : fit(noisy, blocks, Optional.of(budgets.get(i - 1)), seed + table);
                double[] sd = posterior.standardDeviation();
                for (int j = 0; j < coefficients; j++) {
                    variances.get(i)[j] += sd[j] * sd[j] / assumed.tables();
                }
                scores[i] += score(use, posterior, test) / assumed.tables();
                progress.step();
            }
            for (int j = 0; j < steps.length; j++) {
                steps[j] += records.step(j) / assumed.tables();
            }
        }
        return result(terms((GlmModel) exact.use()), variances, scores, steps, unit);
    }

    private List<Term> terms(GlmModel use) {
        List<Term> terms = new ArrayList<>();
        List<String> names = use.coefficientNames();
        for (int j = 0; j < names.size(); j++) {
            DesignColumn column = design.columns().get(j % design.width());
            terms.add(new Term(names.get(j), column.unit()));
        }
        return terms;
    }

    private Result result(
            List<Term> coefficients, List<double[]> variances, double[] scores, double[] steps, double unit) {
        int budgets = variances.size() - 1;
        List<Term> terms = new ArrayList<>();
        double share = (double) rows / schema.size();
        List<List<Outlook>> all = new ArrayList<>();
        for (int i = 0; i <= budgets; i++) {
            List<Outlook> outlooks = new ArrayList<>();
            for (int j = 0; j < coefficients.size(); j++) {
                int column = j % design.width();
                if (column == 0) {
                    continue; // an intercept
                }
                double sampling = variances.get(0)[j];
                double privacy = Math.max(0, variances.get(i)[j] - sampling);
                double effect = assumed.effect() * unit / steps[column];
                outlooks.add(outlook(Math.sqrt(sampling * share + privacy), effect));
                if (i == 0) {
                    terms.add(coefficients.get(j));
                }
            }
            all.add(outlooks);
        }
        List<Double> ofBudgets = new ArrayList<>();
        for (int i = 1; i <= budgets; i++) {
            ofBudgets.add(scores[i]);
        }
        return new Result(terms, all.get(0), all.subList(1, all.size()), metric(), scores[0], ofBudgets);
    }

    private String metric() {
        return switch (family) {
            case BERNOULLI -> "AUC";
            case ORDINAL, MULTINOMIAL -> "log loss";
            case PIECEWISE_EXPONENTIAL -> "concordance";
            default -> "RMSE";
        };
    }

    private Outlook outlook(double sd, double effect) {
        double reach = -SpecialFunctions.normalQuantile((1 - assumed.level()) / 2);
        double power =
                SpecialFunctions.normalCdf(effect / sd - reach) + SpecialFunctions.normalCdf(-effect / sd - reach);
        return new Outlook(2 * reach * sd, power);
    }

    private FitMethod<?, ?> method(boolean isPrivate) {
        return MethodCatalogue.find(
                model,
                FormulaRequest.METHOD,
                DataShapes.of(schema).withPublicSize(rows),
                new SettingValues(Map.of()),
                isPrivate);
    }

    private <M, S extends Record> Posterior fit(
            FitMethod<M, S> method, List<RecordBlock> blocks, Optional<PrivacyBudget> budget, long seed) {
        ReleasePlan plan = method.kernel().plan(method.model(), rows);
        RunRequest run = RunRequest.of("simulated plan", plan);
        ReplayNoise noise = ReplayNoise.ofSeed(seed);
        RandomStream random = RandomStream.ofSeed(seed).fork("run");
        try (PrivateDataset data = LocalSummation.dataset(
                new RecordsInMemory(blocks.get(0).columns(), true, blocks, null),
                PrivacyUnit.record(schema.privacyUnit().neighbours()),
                rows)) {
            if (budget.isEmpty()) {
                return InferenceRun.once(method.kernel(), method.model(), data.openNotPrivate(run, noise), random)
                        .posterior();
            }
            RenyiAccountant renyi = new RenyiAccountant();
            ReleasePlan fitted = method.kernel().plan(method.model(), schema.size());
            CalibratedPlan calibrated = CalibratedPlan.of(
                    UsableCount.plan(UsableCount.SHARE, fitted),
                    budget.get(),
                    new ExactAccountant(),
                    schema.privacyUnit().neighbours());
            DiscreteGaussianMechanism mechanism =
                    new DiscreteGaussianMechanism(calibrated.noiseMultiplier() * rows / schema.size());
            double whole = new ExactAccountant()
                    .epsilon(
                            plan.event(mechanism),
                            budget.get().delta(),
                            data.unit().neighbours())
                    .upper();
            LedgerTerms terms = LedgerTerms.forPlan(
                    data.unit(),
                    new PrivacyBudget(whole, budget.get().delta()),
                    plan.event(mechanism),
                    renyi::divergence);
            return InferenceRun.once(
                            method.kernel(),
                            method.model(),
                            data.open(
                                    run,
                                    mechanism,
                                    new InMemoryLedger(
                                            terms, new LedgerAccounting(new ExactAccountant(), renyi::divergence)),
                                    noise),
                            random)
                    .posterior();
        } catch (CalibrationException e) {
            throw FitException.usage(FitException.sentence(e.getMessage()));
        } catch (BudgetExhausted e) {
            throw new IllegalStateException("a simulation has the budget that it was calibrated for", e);
        }
    }

    private double score(PredictiveModel use, Posterior posterior, List<RecordBlock> test) {
        Predictor predictor = use.predictor(posterior);
        if (family == Family.ORDINAL || family == Family.MULTINOMIAL) {
            return logLoss(predictor, test);
        }
        int size = test.stream().mapToInt(RecordBlock::rows).sum();
        double[] predicted = new double[size];
        double[] labels = new double[size];
        Prediction.Survival[] survival = new Prediction.Survival[size];
        int next = 0;
        for (RecordBlock block : test) {
            for (int row = 0; row < block.rows(); row++) {
                Prediction prediction = predictor.predict(block, row);
                if (prediction instanceof Prediction.Survival hazards) {
                    survival[next] = hazards;
                } else {
                    predicted[next] = prediction instanceof Prediction.Probability probability
                            ? probability.probability()
                            : ((Prediction.Numeric) prediction).mean();
                }
                labels[next] = block.label(row);
                next++;
            }
        }
        if (family == Family.PIECEWISE_EXPONENTIAL) {
            return SurvivalScores.of(survival, labels).concordance();
        }
        if (family == Family.BERNOULLI) {
            return ClassificationScores.auc(predicted, labels);
        }
        double squares = 0;
        for (int i = 0; i < size; i++) {
            squares += (predicted[i] - labels[i]) * (predicted[i] - labels[i]);
        }
        return Math.sqrt(squares / size);
    }

    private static double logLoss(Predictor predictor, List<RecordBlock> test) {
        double sum = 0;
        long rows = 0;
        for (RecordBlock block : test) {
            for (int row = 0; row < block.rows(); row++) {
                double[] probabilities = ((Prediction.Classes) predictor.predict(block, row)).probabilities();
                sum -= Math.log(Math.max(probabilities[(int) block.label(row)], 1e-12));
                rows++;
            }
        }
        return sum / rows;
    }
}
