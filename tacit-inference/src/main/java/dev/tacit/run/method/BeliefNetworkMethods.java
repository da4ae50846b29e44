package dev.tacit.run.method;

import dev.tacit.inference.bayes.PrivateVariationalBayes;
import dev.tacit.inference.bayes.ResidualVariationalBayes;
import dev.tacit.model.belief.BeliefGradients;
import dev.tacit.model.belief.PolyaGammaBelief;
import dev.tacit.model.belief.SigmoidBeliefNetwork;
import dev.tacit.posterior.family.BeliefNetworkPosterior;
import dev.tacit.run.method.MethodCatalogue.Entry;
import java.util.List;
import java.util.Optional;

/** How sigmoid belief networks are fitted, with their defaults. */
final class BeliefNetworkMethods {
    private static final int HIDDEN_UNITS = 50;
    private static final int FEW_HIDDEN_UNITS = 20;

    /** Above the norm of any gradient: without noise nothing is gained from clipping. */
    private static final double NO_CLIP = 1e6;

    private BeliefNetworkMethods() {}

    static List<Entry> entries() {
        return List.of(
                Entry.standard(
                        SigmoidBeliefNetwork.NAME,
                        ResidualVariationalBayes.NAME,
                        "gradients of the variational bound, steps by public curvature; the most accurate",
                        BeliefNetworkMethods::residual),
                Entry.other(
                        SigmoidBeliefNetwork.NAME,
                        PrivateVariationalBayes.NAME,
                        "closed-form updates from second-order statistics, for few hidden units",
                        BeliefNetworkMethods::closedForm));
    }

    /** By gradients of the bound. */
    private static FitMethod<?, ?> residual(DataShape shape, SettingValues settings, boolean isPrivate) {
        SigmoidBeliefNetwork network = network(shape, settings, HIDDEN_UNITS);
        BeliefGradients standard = BeliefGradients.of(network, shape.publicSize());
        BeliefGradients model = new BeliefGradients(
                network,
                shape.publicSize(),
                settings.number(
                        "l2Bound",
                        isPrivate ? standard.l2Bound() : NO_CLIP,
                        Limits.around(standard.l2Bound(), 1e4).including(NO_CLIP)),
                settings.number("hiddenWeight", standard.hiddenWeight(), Limits.around(standard.hiddenWeight(), 1000)),
                settings.number("ridge", standard.ridge(), Limits.around(standard.ridge(), 1e6)),
                SharedSettings.precision(settings, standard.priorPrecision()));
        ResidualVariationalBayes kernel = new ResidualVariationalBayes(new ResidualVariationalBayes.Settings(
                settings.integer("steps", isPrivate ? 40 : 150, 1, SharedSettings.MOST_STEPS),
                SharedSettings.sampling(settings, shape, "poisson:0.1"),
                settings.number("rate", isPrivate ? 0.8 : 0.4, Limits.between(1e-6, 10)),
                settings.number("decay", 1, Limits.between(0, 1e6))));
        return new FitMethod<>(SigmoidBeliefNetwork.NAME, kernel, model, network, settings.inForce(), Optional.empty());
    }

    /** By closed-form updates from second-order statistics. */
    private static FitMethod<?, ?> closedForm(DataShape shape, SettingValues settings, boolean isPrivate) {
        SigmoidBeliefNetwork network = network(shape, settings, FEW_HIDDEN_UNITS);
        PolyaGammaBelief model = new PolyaGammaBelief(
                network,
                shape.publicSize(),
                settings.number("clipShare", isPrivate ? 0.4 : 1, Limits.between(1e-3, 1)),
                settings.number("hiddenWeight", 2, Limits.around(2, 1000)),
                settings.number("squareWeight", 1, Limits.around(1, 1000)),
                settings.number("ridge", 0.5, Limits.between(0, 1e6)),
                settings.choice("prior", "normal", List.of("normal", "shrinking"))
                        .equals("shrinking"));
        return new FitMethod<>(
                SigmoidBeliefNetwork.NAME,
                new PrivateVariationalBayes<BeliefNetworkPosterior>(SharedSettings.variationalBayes(
                        shape, settings, 20, isPrivate ? "linear-average" : "last", "full")),
                model,
                network,
                settings.inForce(),
                Optional.empty());
    }

    private static SigmoidBeliefNetwork network(DataShape shape, SettingValues settings, int hiddenUnits) {
        if (!(shape.target() instanceof DataShape.Target.None)) {
            throw new SettingException("a belief network describes all columns: declare no target");
        }
        if (shape.columns().contains("intercept")) {
            throw new SettingException("a belief network has biases of its own: declare encoding: intercept: false");
        }
        if (shape.columns().size() > 1 && shape.rowNormBound() <= 1) {
            throw new SettingException("a belief network looks at columns one by one: declare no row norm");
        }
        return new SigmoidBeliefNetwork(
                shape.columns(),
                settings.integer("hiddenUnits", hiddenUnits, 1, SharedSettings.MOST_PARTS),
                settings.integer("sweeps", 3, 1, 1000),
                settings.number("cut", 0.5, Limits.between(-1e6, 1e6)),
                settings.integer(
                        "pictureWidth",
                        SigmoidBeliefNetwork.squareWidth(shape.columns()),
                        0,
                        shape.columns().size()));
    }
}
