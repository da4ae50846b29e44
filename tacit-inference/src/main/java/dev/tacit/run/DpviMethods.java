package dev.tacit.run;

import dev.tacit.inference.DpVariationalInference;
import dev.tacit.model.LogisticRegression;
import dev.tacit.optimizer.GradientStep;
import java.util.List;
import java.util.Optional;

/** How models are fitted by private variational inference, with its defaults. */
final class DpviMethods {
    /** Above the norm of any gradient: without noise nothing is gained from clipping. */
    private static final double NO_CLIP = 1e6;

    private DpviMethods() {}

    /** Logistic regression; lengths follow the bound on rows, because weights scale with its inverse. */
    static FitMethod<?, ?> logistic(LogisticRegression model, SettingValues settings, boolean isPrivate) {
        double norm = model.rowNormBound();
        DpVariationalInference.Settings standard = DpVariationalInference.Settings.forRows(norm);
        double startScale = settings.number("startScale", standard.startScale());
        DpVariationalInference kernel = new DpVariationalInference(new DpVariationalInference.Settings(
                settings.integer("steps", isPrivate ? standard.steps() : 3000),
                MethodCatalogue.sampling(settings.text("sampling", "poisson:0.05")),
                settings.number("l2Bound", isPrivate ? standard.l2Bound() : NO_CLIP),
                settings.integer("draws", standard.draws()),
                settings.number("scaleWeight", 1 / startScale),
                startScale,
                step(settings, 0.15 / norm),
                settings.number("burnInShare", standard.burnInShare())));
        return new FitMethod<>(
                LogisticRegression.NAME,
                kernel,
                model,
                model,
                settings.inForce(),
                Optional.of(state -> kernel.lastIterate(state, model)));
    }

    private static GradientStep step(SettingValues settings, double rate) {
        String name = settings.choice("step", "adam", List.of("adam", "noise-scaled"));
        return name.equals("adam")
                ? new GradientStep.Adam(settings.number("rate", rate))
                : new GradientStep.NoiseScaled(settings.number("rate", 4));
    }
}
