package dev.tacit.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.audit.batch.BatchCheck;
import dev.tacit.audit.subject.AuditSubject;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.sampling.SamplingScheme.FixedSizeSampling;
import dev.tacit.door.sampling.SamplingScheme.PoissonSampling;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Batches of the door have their law; each of these is accused with probability 1e-6 at most under a fresh seed. */
class BatchCheckTest {
    static Stream<SamplingScheme> schemes() {
        return Stream.of(
                new PoissonSampling(0.9),
                new PoissonSampling(0.5),
                new PoissonSampling(0.1),
                new PoissonSampling(0.003),
                new PoissonSampling(1e-6),
                new FixedSizeSampling(1, 1000),
                new FixedSizeSampling(100, 1000),
                new FixedSizeSampling(999, 1000));
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void honestBatchesAreNotAccused(SamplingScheme scheme) {
        for (PrivacyUnit unit : List.of(
                PrivacyUnit.record(Neighbours.REPLACE_ONE), new PrivacyUnit("person", 3, Neighbours.REPLACE_ONE))) {
            AuditSubject<?, ?> subject = Subjects.of("beta-bernoulli", "private-vb", "", unit, 4, 1e-2);
            BatchCheck.Checked checked = BatchCheck.run(sampled(subject, scheme), 1e-6, 20);
            assertThat(checked.defect()).isEmpty();
            assertThat(checked.counts()).isGreaterThan(3);
        }
    }

    private static <M, S extends Record> AuditSubject<M, S> sampled(AuditSubject<M, S> subject, SamplingScheme scheme) {
        ReleasePlan.Phase first = subject.plan().phases().get(0);
        ReleasePlan plan = ReleasePlan.of(first.label(), first.times(), first.dimension(), scheme);
        return AuditSubject.of(
                subject.method(), subject.shape(), subject.unit(), plan, subject.mechanism(), subject.claim());
    }
}
