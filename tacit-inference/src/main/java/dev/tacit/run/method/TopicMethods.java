package dev.tacit.run.method;

import dev.tacit.inference.bayes.PrivateVariationalBayes;
import dev.tacit.model.topics.GammaDenoiser;
import dev.tacit.model.topics.LatentDirichletAllocation;
import dev.tacit.model.topics.WordWeight;
import dev.tacit.posterior.family.ScaledDirichletPosterior;
import dev.tacit.run.method.MethodCatalogue.Entry;
import java.util.List;
import java.util.Optional;

/** How topics of documents are fitted, with their defaults. */
final class TopicMethods {
    private TopicMethods() {}

    static List<Entry> entries() {
        return List.of(Entry.standard(
                LatentDirichletAllocation.NAME,
                PrivateVariationalBayes.NAME,
                "topics of documents by variational Bayes, statistics released at every step",
                TopicMethods::topics));
    }

    private static FitMethod<?, ?> topics(DataShape shape, SettingValues settings, boolean isPrivate) {
        if (!shape.counts()) {
            throw new SettingException("lda needs documents; declare how they are read with corpus: in the schema");
        }
        int topics = settings.integer("topics", 50, 2, SharedSettings.MOST_PARTS);
        boolean shrink = settings.choice("repair", isPrivate ? "shrink" : "clamp", List.of("shrink", "clamp"))
                .equals("shrink");
        LatentDirichletAllocation.NoiseRepair repair = shrink
                ? new LatentDirichletAllocation.NoiseRepair.Shrink(
                        new GammaDenoiser(settings.number("priorShape", 0.5, Limits.between(0.05, 10))),
                        settings.number("unigramShare", 0.05, Limits.share()))
                : new LatentDirichletAllocation.NoiseRepair.ClampAtZero();
        LatentDirichletAllocation model = new LatentDirichletAllocation(
                shape.columns(),
                topics,
                settings.number("alpha", isPrivate ? 0.05 : 1.0 / topics, Limits.between(1e-6, 1e4)),
                settings.number("eta", 1.0 / topics, Limits.between(1e-6, 1e4)),
                WordWeight.ofLabel(settings.choice("weight", isPrivate ? "sqrt" : "raw", WordWeight.labels())),
                settings.number("mostTokens", isPrivate ? 10_000 : 1e6, Limits.between(1, 1e9)),
                settings.number("l2Bound", isPrivate ? 2 : 1000, Limits.between(1e-3, 1e6)),
                repair,
                settings.integer("rounds", isPrivate ? 15 : 100, 1, 10_000),
                settings.number("tolerance", 1e-3, Limits.between(1e-12, 1)));
        PrivateVariationalBayes<ScaledDirichletPosterior> kernel =
                new PrivateVariationalBayes<>(SharedSettings.variationalBayes(
                        shape,
                        settings,
                        20,
                        isPrivate ? "floored-average" : "last",
                        isPrivate ? "poisson:0.2" : "full"));
        return new FitMethod<>(
                LatentDirichletAllocation.NAME, kernel, model, model, settings.inForce(), Optional.empty());
    }
}
