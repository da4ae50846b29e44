package dev.tacit.audit;

import dev.tacit.accounting.calibrate.CalibrationException;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.audit.subject.AuditSubject;
import dev.tacit.audit.subject.PrivacyClaim;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.run.CalibratedPlan;
import dev.tacit.run.method.DataShape;
import dev.tacit.run.method.FitMethod;
import dev.tacit.run.method.MethodCatalogue;
import dev.tacit.run.method.SettingValues;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs to be audited. */
final class Subjects {
    private static final long SIZE = 1000;

    private Subjects() {}

    static DataShape shape(DataShape.Target target) {
        return new DataShape(List.of("a", "b", "c"), 1, target, SIZE);
    }

    static Map<String, String> settings(String text) {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String pair : text.isEmpty() ? new String[0] : text.split(" ")) {
            settings.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
        }
        return settings;
    }

    /** A method on three columns, calibrated to a budget. */
    static AuditSubject<?, ?> of(
            String model, String method, String settings, PrivacyUnit unit, double epsilon, double delta) {
        DataShape.Target target = switch (model) {
            case "linear-regression", "poisson-regression" -> new DataShape.Target.Numeric(0, 5);
            case "gaussian-mixture", "mixture" -> new DataShape.Target.None();
            case "softmax-regression" -> new DataShape.Target.Category(List.of("a", "b", "c"));
            default -> new DataShape.Target.Binary();
        };
        DataShape shape = shape(target);
        return subject(
                MethodCatalogue.find(model, method, shape, new SettingValues(settings(settings)), true),
                shape,
                unit,
                epsilon,
                delta);
    }

    static AuditSubject<?, ?> of(String model, String method, String settings, double epsilon, double delta) {
        return of(model, method, settings, PrivacyUnit.record(Neighbours.ADD_REMOVE), epsilon, delta);
    }

    private static <M, S extends Record> AuditSubject<M, S> subject(
            FitMethod<M, S> method, DataShape shape, PrivacyUnit unit, double epsilon, double delta) {
        ReleasePlan plan = method.kernel().plan(method.model(), SIZE);
        try {
            CalibratedPlan calibrated = CalibratedPlan.of(
                    plan, new PrivacyBudget(epsilon, delta), new ExactAccountant(), unit.neighbours());
            PrivacyClaim claim = new PrivacyClaim(
                    calibrated.event(), unit.neighbours(), calibrated.epsilon().upper(), delta);
            return AuditSubject.of(
                    method, shape, unit, plan, new DiscreteGaussianMechanism(calibrated.noiseMultiplier()), claim);
        } catch (CalibrationException e) {
            throw new AssertionError(e);
        }
    }
}
