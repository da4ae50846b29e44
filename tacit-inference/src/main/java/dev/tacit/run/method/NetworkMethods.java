package dev.tacit.run.method;

import dev.tacit.inference.ep.FixedPrecisionStochasticEp;
import dev.tacit.model.network.NeuralNetwork;
import dev.tacit.run.method.MethodCatalogue.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How Bayesian neural networks are fitted, with their defaults. */
final class NetworkMethods {
    /** From so many records on noise allows twice the steps; chosen on simulated tables of 1500, 7500 and 40 000. */
    private static final long MANY_RECORDS = 5_000;

    /** From so many records on small batches are large enough, and cheaper. */
    private static final long SMALL_BATCHES = 30_000;

    private NetworkMethods() {}

    static List<Entry> entries() {
        return List.of(Entry.standard(
                NeuralNetwork.NAME,
                FixedPrecisionStochasticEp.NAME,
                "a Bayesian neural network for a number or two classes, by stochastic expectation propagation",
                (shape, settings, isPrivate) -> stochasticEp(shape, settings)));
    }

    /**
     * By private stochastic EP with fixed precision; without noise the same steps, as clipped ones do not overshoot. Two classes get
     * smaller steps, fewer units and a larger clip: long steps of clipped gradients make probabilities too extreme.
     */
    private static FitMethod<?, ?> stochasticEp(DataShape shape, SettingValues settings) {
        boolean classes = hasClasses(shape);
        boolean many = hasManyRecords(shape);
        NeuralNetwork model = network(shape, settings);
        FixedPrecisionStochasticEp kernel = new FixedPrecisionStochasticEp(new FixedPrecisionStochasticEp.Settings(
                settings.integer("steps", many ? 1200 : 600, 1, SharedSettings.MOST_STEPS),
                SharedSettings.sampling(
                        settings, shape, shape.publicSize() < SMALL_BATCHES ? "poisson:0.05" : "poisson:0.02"),
                settings.number("l2Bound", classes ? 2 : 1, Limits.between(1e-4, 1e4)),
                settings.number("step", classes ? 0.1 : many ? 0.4 : 0.2, Limits.between(1e-6, 1)),
                settings.number("decay", 0.03, Limits.between(1e-6, 1)),
                settings.number("momentum", 0.5, Limits.between(0, 0.99)),
                settings.number("averagedShare", 0.2, Limits.between(0, 1))));
        return new FitMethod<>(NeuralNetwork.NAME, kernel, model, model, settings.inForce(), Optional.empty());
    }

    private static boolean hasClasses(DataShape shape) {
        return shape.target() instanceof DataShape.Target.Binary;
    }

    /** Long steps suit many records of a number. */
    private static boolean hasManyRecords(DataShape shape) {
        return shape.publicSize() >= MANY_RECORDS && !hasClasses(shape);
    }

    private static NeuralNetwork network(DataShape shape, SettingValues settings) {
        NeuralNetwork.Design standard =
                hasManyRecords(shape) ? NeuralNetwork.Design.forManyRecords() : NeuralNetwork.Design.standard();
        NeuralNetwork.Design design = new NeuralNetwork.Design(
                hiddenUnits(settings.text("hiddenUnits", hasClasses(shape) ? "20" : "50")),
                settings.number(
                        "hiddenPriorPrecision",
                        standard.hiddenPriorPrecision(),
                        Limits.around(standard.hiddenPriorPrecision(), 1000)),
                settings.number(
                        "outputPriorPrecision",
                        standard.outputPriorPrecision(),
                        Limits.around(standard.outputPriorPrecision(), 1000)),
                settings.number(
                        "hiddenPrecision", standard.hiddenPrecision(), Limits.around(standard.hiddenPrecision(), 1000)),
                settings.number(
                        "outputPrecision", standard.outputPrecision(), Limits.around(standard.outputPrecision(), 1000)),
                settings.number("outputWeight", standard.outputWeight(), Limits.around(standard.outputWeight(), 1000)),
                settings.number(
                        "startDeviation", standard.startDeviation(), Limits.around(standard.startDeviation(), 1000)),
                settings.number("scaleShare", standard.scaleShare(), Limits.share()),
                settings.number("noiseShare", standard.noiseShare(), Limits.share()));
        if (shape.counts()) {
            throw new SettingException("a neural network needs a table, not documents");
        }
        if (hasClasses(shape)) {
            return NeuralNetwork.classification(shape.columns(), design);
        }
        DataShape.Target.Numeric target = shape.numberTarget()
                .orElseThrow(() -> new SettingException(
                        "a neural network needs a target of type binary, or one that is a number with bounds"));
        return NeuralNetwork.regression(shape.columns(), target.low(), target.high(), design);
    }

    /** One number, or two with a comma between them. */
    private static List<Integer> hiddenUnits(String text) {
        List<Integer> units = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            int count;
            try {
                count = Integer.parseInt(part.strip());
            } catch (NumberFormatException e) {
                count = 0;
            }
            if (count < 1 || count > SharedSettings.MOST_PARTS) {
                throw new SettingException("the setting hiddenUnits must be a whole number from 1 to "
                        + SharedSettings.MOST_PARTS + ", or two with a comma");
            }
            units.add(count);
        }
        return units;
    }
}
