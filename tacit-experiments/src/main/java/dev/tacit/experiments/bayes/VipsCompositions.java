package dev.tacit.experiments.bayes;

import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.accounting.calibrate.CalibrationException;
import dev.tacit.accounting.calibrate.NoiseCalibration;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.experiments.bayes.VipsHistoricalComposition.Recipe;
import dev.tacit.experiments.harness.Experiment;
import dev.tacit.experiments.harness.ExperimentListener;
import dev.tacit.experiments.harness.ExperimentOptions;
import dev.tacit.experiments.harness.ExperimentResult;
import dev.tacit.experiments.harness.ResultRow;
import dev.tacit.report.plot.Axis;
import dev.tacit.report.plot.LineChart;
import dev.tacit.report.plot.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The noise that each composition asks for in the published settings of private variational Bayes, and the epsilon that
 * really holds for it. No data are needed.
 *
 * <p>Park, Foulds, Chaudhuri, Welling, arXiv 1611.00340v3, Table 1 and Section 6, delta 1e-4. Noise is given over the joint
 * L2 bound of all statistics of a batch: r statistics with noise multiplier σ each are one release with σ/√r. Rows named
 * "as published" use the sensitivity of a mean over all N records for a batch of S, as the paper's equations do, which is
 * noise smaller by S/N. Epsilon is for Poisson batches and one record added or removed.
 */
public final class VipsCompositions implements Experiment {
    private static final double DELTA = 1e-4;

    /**
     * A setting of the paper.
     *
     * @param name of model and setting
     * @param batch records in a batch
     * @param population records in all
     * @param iterations batches drawn
     * @param statistics released for each batch
     * @param deltaOfIteration the recipe's free parameter
     * @param epsilons the targets
     */
    record Published(
            String name,
            long batch,
            long population,
            long iterations,
            int statistics,
            double deltaOfIteration,
            List<Double> epsilons) {
        double rate() {
            return batch / (double) population;
        }

        PrivacyEvent event(double jointMultiplier) {
            PrivacyEvent once = PrivacyEvent.gaussian(jointMultiplier);
            return (batch < population ? once.poissonSampled(rate()) : once).times(iterations);
        }

        /** The recipe's noise over the joint bound, if the recipe has a solution. */
        OptionalDouble recipe(Recipe recipe, double epsilon) {
            return VipsHistoricalComposition.forTarget(
                            recipe,
                            new PrivacyBudget(epsilon, DELTA),
                            deltaOfIteration,
                            rate(),
                            iterations * statistics)
                    .map(claim -> OptionalDouble.of(claim.noiseMultiplier() / Math.sqrt(statistics)))
                    .orElse(OptionalDouble.empty());
        }

        /** The least noise over the joint bound by an accountant. */
        double calibrated(PrivacyAccountant accountant, double epsilon) {
            try {
                return NoiseCalibration.noiseMultiplier(
                        this::event, new PrivacyBudget(epsilon, DELTA), accountant, Neighbours.ADD_REMOVE);
            } catch (CalibrationException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static final List<Double> FOUR = List.of(0.5, 1.0, 2.0, 4.0);

    static final List<Published> SETTINGS = List.of(
            new Published("LDA, batch 10 of 400000, 16000 iterations", 10, 400_000, 16_000, 1, 1e-6, FOUR),
            new Published(
                    "logistic, batch 10 of 10069, 400 iterations",
                    10,
                    10_069,
                    400,
                    2,
                    1e-6,
                    List.of(0.2, 0.5, 1.0, 2.0, 4.0)),
            new Published("belief network K=50, batch 50 of 60000, 300", 50, 60_000, 300, 839, 1e-4, List.of(0.5, 1.0)),
            new Published(
                    "belief network K=50, batch 100 of 60000, 150", 100, 60_000, 150, 839, 1e-4, List.of(0.5, 1.0)),
            new Published("belief network K=50, batch 200 of 60000, 75", 200, 60_000, 75, 839, 1e-4, List.of(0.5, 1.0)),
            new Published("logistic, all records, 10 iterations", 1, 1, 10, 2, 1e-6, FOUR),
            new Published("logistic, all records, 100 iterations", 1, 1, 100, 2, 1e-6, FOUR));

    /**
     * A setting of the paper's later code, with the epsilon that its moments accountant reports.
     *
     * @param noiseMultiplier of all statistics of a batch together
     */
    private record LaterCode(String name, double rate, long iterations, double noiseMultiplier, double reported) {
        PrivacyEvent event() {
            return PrivacyEvent.gaussian(noiseMultiplier).poissonSampled(rate).times(iterations);
        }
    }

    private static final List<LaterCode> LATER_CODE = List.of(
            new LaterCode("LDA, batch 20000 of 400000, 20 iterations, noise 1.24", 0.05, 20, 1.24, 2.44),
            new LaterCode("belief network, batch 400 of 60000, 150 iterations, noise 1", 1 / 150.0, 150, 1, 2.35));

    /** The compositions in the order of the table. */
    private enum Composition {
        ZERO_CONCENTRATED("zCDP recipe", Optional.of(Recipe.ZERO_CONCENTRATED)),
        ADVANCED("advanced recipe", Optional.of(Recipe.ADVANCED)),
        LINEAR("linear recipe", Optional.of(Recipe.LINEAR)),
        RENYI("Rényi accountant", Optional.empty()),
        EXACT("exact accountant", Optional.empty());

        private final String label;
        private final Optional<Recipe> recipe;

        Composition(String label, Optional<Recipe> recipe) {
            this.label = label;
            this.recipe = recipe;
        }

        OptionalDouble noise(Published setting, double epsilon) {
            if (recipe.isPresent()) {
                return setting.recipe(recipe.get(), epsilon);
            }
            return OptionalDouble.of(
                    setting.calibrated(this == RENYI ? new RenyiAccountant() : new ExactAccountant(), epsilon));
        }
    }

    @Override
    public String name() {
        return "vips-compositions";
    }

    @Override
    public String about() {
        return "noise of every composition in the published VIPS settings, and the epsilon that really holds";
    }

    @Override
    public boolean needsData() {
        return false;
    }

    @Override
    public ExperimentResult run(ExperimentOptions options, ExperimentListener listener) {
        long start = System.nanoTime();
        int parts = 0;
        for (Published setting : SETTINGS) {
            parts += epsilons(setting, options).size();
        }
        listener.started(parts);
        List<ResultRow> rows = new ArrayList<>();
        List<LineChart> figures = new ArrayList<>();
        Map<String, List<Series.Point>> held = new LinkedHashMap<>();
        for (Published setting : SETTINGS) {
            Map<Composition, List<Series.Point>> lines = new LinkedHashMap<>();
            for (double epsilon : epsilons(setting, options)) {
                for (Composition composition : Composition.values()) {
                    OptionalDouble noise = composition.noise(setting, epsilon);
                    if (noise.isPresent()) {
                        double holds = exact(setting, noise.getAsDouble()).upper();
                        rows.add(row(composition.label, setting, noise.getAsDouble(), epsilon, holds));
                        lines.computeIfAbsent(composition, unused -> new ArrayList<>())
                                .add(new Series.Point(epsilon, noise.getAsDouble()));
                        if (composition == Composition.ZERO_CONCENTRATED) {
                            held.computeIfAbsent(setting.name(), unused -> new ArrayList<>())
                                    .add(new Series.Point(epsilon, holds));
                        }
                    }
                }
                if (setting.batch() < setting.population()) {
                    double noise =
                            setting.recipe(Recipe.ZERO_CONCENTRATED, epsilon).orElseThrow() * setting.rate();
                    // So little noise that only a bound in closed form is worth the time.
                    double holds = new RenyiAccountant()
                            .epsilon(setting.event(noise), DELTA, Neighbours.ADD_REMOVE)
                            .upper();
                    rows.add(row("zCDP recipe as published", setting, noise, epsilon, holds));
                }
                listener.partDone();
            }
            if (lines.get(Composition.EXACT).size() > 1) {
                figures.add(noiseChart(setting, lines));
            }
        }
        for (LaterCode setting : LATER_CODE) {
            double holds = new ExactAccountant()
                    .epsilon(setting.event(), DELTA, Neighbours.ADD_REMOVE)
                    .upper();
            rows.add(new ResultRow(
                    "moments accountant of the later code",
                    setting.name(),
                    "epsilon",
                    OptionalDouble.of(setting.reported()),
                    holds,
                    0,
                    1,
                    setting.reported(),
                    holds));
        }
        figures.add(heldChart(held));
        return new ExperimentResult(name(), rows, remarks(), figures, (System.nanoTime() - start) * 1e-9);
    }

    private static List<String> remarks() {
        return List.of(
                "noise multiplier = noise standard deviation over the joint L2 bound of all statistics of a batch;"
                        + " the recipes treat r statistics of one batch as r separate batches",
                "epsilon holds = upper end of the exact accountant, delta 1e-4, Poisson batches, one record added or"
                        + " removed; for the rows \"as published\" the Rényi bound",
                "as published: the paper divides the sensitivity of a batch mean by N instead of S, so its noise is"
                        + " N/S times smaller than its own recipe asks for",
                "paper: the multipliers follow from its Table 1 and are not printed; for its later code the epsilon that the code"
                        + " reports, from orders that are too few, and what holds",
                "no data are used; a recipe without a solution has no row");
    }

    private static List<Double> epsilons(Published setting, ExperimentOptions options) {
        return options.quick() ? setting.epsilons().subList(0, 1) : setting.epsilons();
    }

    static EpsilonBound exact(Published setting, double jointMultiplier) {
        return new ExactAccountant().epsilon(setting.event(jointMultiplier), DELTA, Neighbours.ADD_REMOVE);
    }

    private static ResultRow row(String method, Published setting, double noise, double epsilon, double holds) {
        return new ResultRow(
                method, setting.name(), "noise multiplier", OptionalDouble.empty(), noise, 0, 1, epsilon, holds);
    }

    private static LineChart noiseChart(Published setting, Map<Composition, List<Series.Point>> lines) {
        List<Series> series = new ArrayList<>();
        lines.forEach((composition, points) ->
                series.add(new Series(composition.label, series.size(), composition.recipe.isPresent(), points)));
        return new LineChart(
                setting.name(), targetAxis(setting.epsilons()), logAxis("noise multiplier", series), series, null);
    }

    private static LineChart heldChart(Map<String, List<Series.Point>> held) {
        List<Series> series = new ArrayList<>();
        List<Series.Point> diagonal = new ArrayList<>();
        FOUR.forEach(epsilon -> diagonal.add(new Series.Point(epsilon, epsilon)));
        series.add(new Series("what is claimed", 0, true, diagonal));
        held.forEach((name, points) ->
                series.add(new Series(name.substring(0, name.indexOf(',')), series.size(), false, points)));
        return new LineChart(
                "Epsilon that holds for the zCDP recipe's noise",
                targetAxis(FOUR),
                logAxis("epsilon that holds", series),
                series,
                null);
    }

    private static Axis targetAxis(List<Double> epsilons) {
        return new Axis("epsilon asked for", epsilons.get(0), epsilons.get(epsilons.size() - 1), true);
    }

    private static Axis logAxis(String title, List<Series> series) {
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        for (Series line : series) {
            for (Series.Point point : line.points()) {
                least = Math.min(least, point.y());
                most = Math.max(most, point.y());
            }
        }
        return new Axis(title, least / 1.5, most * 1.5, true);
    }
}
