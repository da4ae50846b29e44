package dev.tacit.testkit.method;

import dev.tacit.audit.exact.AdditivityCheck;
import dev.tacit.audit.exact.AdditivityCheck.Checked;
import dev.tacit.audit.subject.AuditSubject;
import dev.tacit.audit.subject.PrivacyClaim;
import dev.tacit.audit.table.SyntheticTable;
import dev.tacit.door.event.PrivacyProfile;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.run.method.FitMethod;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;

/** {@link AdditivityCheck} as an assertion: one unit moves every release of a method by its own bounded contribution. */
public final class AdditivityConformance {
    /** A mistake to be found, for tests of this test. */
    public record Mistake(UnaryOperator<RecordSum> query, DoubleUnaryOperator bound) {
        /** No mistake. */
        public static final Mistake NONE = new Mistake(query -> query, bound -> bound);
    }

    private static final double NOISE_MULTIPLIER = 3;
    private static final double DELTA = 1e-6;

    private AdditivityConformance() {}

    /** Runs a method on a table, and fails at the first unit that moves a release by anything but its own bounded contribution. */
    public static <M, S extends Record> Checked check(
            FitMethod<M, S> method, SyntheticTable table, boolean sparse, Mistake mistake) {
        ReleasePlan plan = method.kernel().plan(method.model(), table.shape().publicSize());
        NoiseMechanism mechanism = new DiscreteGaussianMechanism(NOISE_MULTIPLIER);
        PrivacyUnit unit = SyntheticTable.unit(table.mostRecords());
        PrivacyClaim claim = new PrivacyClaim(plan.event(mechanism), Neighbours.ADD_REMOVE, 1, DELTA);
        AuditSubject<M, S> subject = AuditSubject.of(method, table.shape(), unit, plan, mechanism, claim)
                .adding(new Widened(mechanism, mistake.bound()));
        Checked checked = AdditivityCheck.run(subject, table, sparse, plan.releases(), mistake.query());
        checked.defect().ifPresent(defect -> {
            throw new AssertionError(defect.kind().label() + ": " + defect.sentence());
        });
        return checked;
    }

    /** A mechanism that adds up on the grid of another bound than it is asked for. */
    private record Widened(NoiseMechanism claimed, DoubleUnaryOperator bound) implements NoiseMechanism {
        @Override
        public PrivacyProfile profile(int dimension) {
            return claimed.profile(dimension);
        }

        @Override
        public NoiseMechanism scaled(double factor) {
            return new Widened(claimed.scaled(factor), bound);
        }

        @Override
        public double noiseStandardDeviation(double l2Bound) {
            return claimed.noiseStandardDeviation(l2Bound);
        }

        @Override
        public SumGrid grid(double l2Bound, int dimension) {
            return claimed.grid(bound.applyAsDouble(l2Bound), dimension);
        }

        @Override
        public boolean forRelease() {
            return false;
        }
    }
}
