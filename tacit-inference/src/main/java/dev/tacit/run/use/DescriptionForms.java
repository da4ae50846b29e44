package dev.tacit.run.use;

import dev.tacit.json.JsonFieldException;
import dev.tacit.json.JsonFields;
import dev.tacit.model.belief.SigmoidBeliefNetwork;
import dev.tacit.model.mixture.CorrelatedGaussianMixture;
import dev.tacit.model.mixture.GaussianMixture;
import dev.tacit.model.mixture.MixtureMeans;
import dev.tacit.model.topics.GammaDenoiser;
import dev.tacit.model.topics.LatentDirichletAllocation;
import dev.tacit.model.topics.LatentDirichletAllocation.NoiseRepair;
import dev.tacit.model.topics.WordWeight;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Models of whole records: mixtures, topics, belief networks. */
final class DescriptionForms {
    private static final String COLUMNS = "columns";
    private static final String COMPONENTS = "components";
    private static final String ROW_NORM = "rowNormBound";
    private static final String SIZE = "publicSize";
    private static final String REPAIR = "repair";
    private static final String SHRINK = "shrink";
    private static final String CLAMP = "clamp";

    static final List<ModelForm<?>> ALL = List.of(
            new ModelForm<>(
                    "mixture-means",
                    MixtureMeans.class,
                    (model, json) -> {
                        json.put(COLUMNS, model.columns());
                        json.put("weights", ModelForm.list(model.weights()));
                        json.put("variance", model.variance());
                        json.put("priorMean", ModelForm.list(model.priorMean()));
                        json.put("priorPrecision", model.priorPrecisionOfMeans());
                        json.put(SIZE, model.publicSize());
                    },
                    // Where a fit starts plays no part in what it found.
                    json -> new MixtureMeans(
                            ModelForm.texts(json, COLUMNS),
                            ModelForm.numbers(json, "weights"),
                            json.number("variance"),
                            ModelForm.numbers(json, "priorMean"),
                            json.number("priorPrecision"),
                            json.integer(SIZE),
                            Optional.empty())),
            new ModelForm<>(
                    "gaussian-mixture",
                    GaussianMixture.class,
                    (model, json) -> mixture(
                            json, model.columns(), model.components(), model.rowNormBound(), model.publicSize()),
                    json -> new GaussianMixture(
                            ModelForm.texts(json, COLUMNS),
                            ModelForm.count(json, COMPONENTS),
                            json.number(ROW_NORM),
                            json.integer(SIZE))),
            new ModelForm<>(
                    "correlated-gaussian-mixture",
                    CorrelatedGaussianMixture.class,
                    (model, json) -> mixture(
                            json, model.columns(), model.components(), model.rowNormBound(), model.publicSize()),
                    json -> new CorrelatedGaussianMixture(
                            ModelForm.texts(json, COLUMNS),
                            ModelForm.count(json, COMPONENTS),
                            json.number(ROW_NORM),
                            json.integer(SIZE))),
            new ModelForm<>(
                    "sigmoid-belief-network",
                    SigmoidBeliefNetwork.class,
                    (model, json) -> {
                        json.put(COLUMNS, model.columns());
                        json.put("hiddenUnits", model.hiddenUnits());
                        json.put("sweeps", model.sweeps());
                        json.put("cut", model.cut());
                        json.put("pictureWidth", model.pictureWidth());
                    },
                    json -> new SigmoidBeliefNetwork(
                            ModelForm.texts(json, COLUMNS),
                            ModelForm.count(json, "hiddenUnits"),
                            ModelForm.count(json, "sweeps"),
                            json.number("cut"),
                            ModelForm.count(json, "pictureWidth"))),
            new ModelForm<>("lda", LatentDirichletAllocation.class, DescriptionForms::write, DescriptionForms::topics));

    private DescriptionForms() {}

    private static void mixture(
            Map<String, Object> json, List<String> columns, int components, double rowNorm, long size) {
        json.put(COLUMNS, columns);
        json.put(COMPONENTS, components);
        json.put(ROW_NORM, rowNorm);
        json.put(SIZE, size);
    }

    private static void write(LatentDirichletAllocation model, Map<String, Object> json) {
        json.put("vocabulary", model.vocabulary());
        json.put("topics", model.topics());
        json.put("alpha", model.alpha());
        json.put("eta", model.eta());
        json.put("weight", model.weight().label());
        json.put("mostTokens", model.mostTokens());
        json.put("l2Bound", model.l2Bound());
        if (model.repair() instanceof NoiseRepair.Shrink shrink) {
            json.put(REPAIR, SHRINK);
            json.put("shrinkShape", shrink.denoiser().shape());
            json.put("unigramShare", shrink.unigramShare());
        } else {
            json.put(REPAIR, CLAMP);
        }
        json.put("mostRounds", model.mostRounds());
        json.put("tolerance", model.tolerance());
    }

    private static LatentDirichletAllocation topics(JsonFields json) {
        NoiseRepair repair = switch (json.text(REPAIR)) {
            case SHRINK ->
                new NoiseRepair.Shrink(new GammaDenoiser(json.number("shrinkShape")), json.number("unigramShare"));
            case CLAMP -> new NoiseRepair.ClampAtZero();
            default -> throw new JsonFieldException(json.pathOf(REPAIR), "is not one that this version knows");
        };
        return new LatentDirichletAllocation(
                ModelForm.texts(json, "vocabulary"),
                ModelForm.count(json, "topics"),
                json.number("alpha"),
                json.number("eta"),
                WordWeight.ofLabel(json.text("weight")),
                json.number("mostTokens"),
                json.number("l2Bound"),
                repair,
                ModelForm.count(json, "mostRounds"),
                json.number("tolerance"));
    }
}
