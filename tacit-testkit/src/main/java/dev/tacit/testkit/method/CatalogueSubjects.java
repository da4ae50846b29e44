package dev.tacit.testkit.method;

import dev.tacit.accounting.calibrate.CalibrationException;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.audit.subject.AuditSubject;
import dev.tacit.audit.subject.PrivacyClaim;
import dev.tacit.audit.table.SyntheticTable;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.run.CalibratedPlan;
import dev.tacit.run.method.FitMethod;

/** Cases of the catalogue as runs that can be audited. */
public final class CatalogueSubjects {
    private CatalogueSubjects() {}

    /** A case that keeps a budget for single records that are added or removed. */
    public static AuditSubject<?, ?> of(CatalogueCase each, PrivacyBudget budget) {
        return calibrated(each.method(), each, budget);
    }

    /** A case with some noise, whose claim is what that costs; nothing is calibrated, which takes long for batches. */
    public static AuditSubject<?, ?> withNoise(CatalogueCase each, double noiseMultiplier, double delta) {
        return withNoise(each.method(), each, noiseMultiplier, delta);
    }

    private static <M, S extends Record> AuditSubject<M, S> withNoise(
            FitMethod<M, S> method, CatalogueCase each, double noiseMultiplier, double delta) {
        ReleasePlan plan = method.kernel().plan(method.model(), each.shape().publicSize());
        DiscreteGaussianMechanism mechanism = new DiscreteGaussianMechanism(noiseMultiplier);
        return AuditSubject.of(
                method,
                each.shape(),
                SyntheticTable.unit(1),
                plan,
                mechanism,
                PrivacyClaim.of(plan.event(mechanism), Neighbours.ADD_REMOVE, delta));
    }

    private static <M, S extends Record> AuditSubject<M, S> calibrated(
            FitMethod<M, S> method, CatalogueCase each, PrivacyBudget budget) {
        ReleasePlan plan = method.kernel().plan(method.model(), each.shape().publicSize());
        try {
            CalibratedPlan calibrated = CalibratedPlan.of(plan, budget, new ExactAccountant(), Neighbours.ADD_REMOVE);
            PrivacyClaim claim = new PrivacyClaim(
                    calibrated.event(),
                    Neighbours.ADD_REMOVE,
                    calibrated.epsilon().upper(),
                    budget.delta());
            return AuditSubject.of(
                    method,
                    each.shape(),
                    SyntheticTable.unit(1),
                    plan,
                    new DiscreteGaussianMechanism(calibrated.noiseMultiplier()),
                    claim);
        } catch (CalibrationException e) {
            throw new AssertionError(e);
        }
    }
}
