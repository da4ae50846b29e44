package dev.tacit.model.prediction;

/** What a fitted model is good for beside its parameters: it predicts a target, or it describes whole records. */
public sealed interface ModelUse permits PredictiveModel, DescriptiveModel {}
