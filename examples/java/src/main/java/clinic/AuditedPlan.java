package clinic;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.audit.Audit;
import dev.tacit.audit.AuditOptions;
import dev.tacit.audit.AuditResult;
import dev.tacit.audit.AuditedFile;
import dev.tacit.audit.subject.AuditSubject;
import dev.tacit.audit.subject.PrivacyClaim;
import dev.tacit.data.schema.Schema;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.fit.artefact.DataShapes;
import dev.tacit.fit.formula.FormulaRequest;
import dev.tacit.run.CalibratedPlan;
import dev.tacit.run.method.DataShape;
import dev.tacit.run.method.FitMethod;
import dev.tacit.run.method.MethodCatalogue;
import dev.tacit.run.method.SettingValues;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Before anything is spent: what would an attacker get from the fit that we plan, and would we notice if its noise were too small?
 *
 * <p>No private record is read. An audit repeats plan, method, noise and file format on invented records, on two tables that differ in
 * the one record that is easiest to see. It gives a lower bound beside the claimed upper bound: it can contradict a claim, and never
 * prove one. {@code tacit audit --plan} does the same from the command line, and audits finished fits.
 */
public final class AuditedPlan {
    private static final PrivacyBudget BUDGET = new PrivacyBudget(2, 1e-2);

    /** @param args the folder in which {@code visits.schema.yaml} lies */
    public static void main(String[] args) throws Exception {
        // The plan: a schema, a formula, a budget.
        Schema declared = Schema.read(Path.of(args[0], "visits.schema.yaml"));
        FormulaRequest wanted = FormulaRequest.of(declared, "readmitted ~ age + smoking", "bernoulli");
        Schema schema = wanted.schema();
        DataShape shape = DataShapes.of(schema);
        FitMethod<?, ?> method = MethodCatalogue.find(
                wanted.model(), FormulaRequest.METHOD, shape, new SettingValues(Map.of()), /* isPrivate= */ true);
        AuditSubject<?, ?> planned = subject(method, schema, shape);

        // Everything is drawn from a seed: the same seed and number of runs give the same audit.
        // This method computes long between its releases, so what two of its runs asked is asked again and again with fresh noise.
        AuditOptions options = AuditOptions.ofRuns(1500, 1, Files.createTempDirectory("audit"))
                .withQueryPoints(2);
        AuditedFile format = AuditedFile.of("visits.csv", schema, 10);
        print("as planned", Audit.run(planned, Optional.of(format), options));

        // The same plan with half of the noise that it claims. An audit that did not notice this would be worth nothing.
        print("with half the noise", Audit.run(planned.withNoise(0.5), Optional.empty(), options));
    }

    private static <M, S extends Record> AuditSubject<M, S> subject(
            FitMethod<M, S> method, Schema schema, DataShape shape) throws Exception {
        Neighbours neighbours = schema.privacyUnit().neighbours();
        ReleasePlan releases = method.kernel().plan(method.model(), schema.size());
        CalibratedPlan plan = CalibratedPlan.of(releases, BUDGET, new ExactAccountant(), neighbours);
        return AuditSubject.of(
                method,
                shape,
                schema.privacyUnit(),
                plan.plan(),
                new DiscreteGaussianMechanism(plan.noiseMultiplier()),
                new PrivacyClaim(plan.event(), neighbours, plan.epsilon().upper(), BUDGET.delta()));
    }

    private static void print(String what, AuditResult result) {
        System.out.printf(
                "%s: claims epsilon %.3f, an attacker shows at least %.3f%n",
                what, result.claim().epsilon(), result.auditedEpsilon());
        result.layers().forEach(layer -> System.out.println("  " + layer.layer() + ": " + layer.outcome()));
        result.defects().forEach(defect -> System.out.println("  found: " + defect.sentence()));
        System.out.println("  " + result.verdict());
    }

    private AuditedPlan() {}
}
