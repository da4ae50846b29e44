package dev.tacit.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.audit.parties.CoordinatorView;
import dev.tacit.audit.result.Defect;
import dev.tacit.audit.subject.AuditSubject;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.partitioned.NoiseSharing;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Honest runs are not accused, and a release of Gaussian noise is attacked about as well as it can be. */
class HonestRunsTest {
    @TempDir
    private Path folder;

    /** Each is accused with probability 1e-3 at most under a fresh seed. */
    @ParameterizedTest
    @CsvSource({
        "beta-bernoulli, private-vb, '', 0.5",
        "beta-bernoulli, private-vb, '', 1",
        "beta-bernoulli, private-vb, '', 4",
        "beta-bernoulli, dpvi, steps=10, 1",
        "beta-bernoulli, model-implied-field, steps=6, 4",
        "linear-regression, private-vb, '', 0.5",
        "linear-regression, private-vb, '', 1",
        "linear-regression, private-vb, '', 4",
        "linear-regression, dp-sep, steps=4, 1",
        "linear-regression, dpvi, steps=10 sampling=poisson:0.5, 4",
        "logistic-regression, residual-newton, rounds=3, 0.5",
        "logistic-regression, residual-newton, rounds=3, 1",
        "logistic-regression, residual-newton, rounds=3, 4",
        "logistic-regression, private-vb, steps=4, 1",
        "logistic-regression, private-vb, steps=4 sampling=poisson:0.3, 4",
        "logistic-regression, dpvi, steps=10 sampling=full, 4",
        "logistic-regression, dpvi, steps=10 sampling=poisson:0.1, 1",
        "logistic-regression, dp-sep, steps=4, 4",
        "poisson-regression, dpvi, steps=10, 4",
        "gaussian-mixture, private-vb, steps=3, 4"
    })
    void anHonestRunIsNotAccused(String model, String method, String settings, double epsilon) {
        AuditSubject<?, ?> subject = Subjects.of(model, method, settings, epsilon, 1e-2);
        AuditResult result = Audit.run(subject, Optional.empty(), AuditOptions.ofRuns(500, 3, folder));
        assertThat(result.defects()).as(result.toJson().toString()).isEmpty();
        assertThat(result.auditedEpsilon()).isLessThanOrEqualTo(result.claim().epsilon());
        assertThat(result.control().caughtByNoise())
                .as("the control, by its residuals")
                .isTrue();
    }

    /** What a coordinator sees who works together with as many parties as the noise is shared for. */
    @ParameterizedTest
    @CsvSource({"4, 0, 0", "5, 2, 1"})
    void honestPartiesAreNotAccused(int parties, int colluders, int dropouts) {
        NoiseSharing sharing = new NoiseSharing(parties, colluders, dropouts);
        AuditSubject<?, ?> alone = Subjects.of("logistic-regression", "residual-newton", "rounds=3", 4, 1e-2);
        double multiplier = ((DiscreteGaussianMechanism) alone.mechanism()).noiseMultiplier();
        AuditSubject<?, ?> subject =
                alone.through(CoordinatorView.worst(sharing)).adding(sharing.share(multiplier));
        AuditResult result = Audit.run(subject, Optional.empty(), AuditOptions.ofRuns(1000, 3, folder));
        assertThat(result.defects()).as(result.toJson().toString()).isEmpty();
        assertThat(result.control().caughtByNoise()).isTrue();
        assertThat(result.transcript().noise().estimate()).isBetween(0.95, 1.05);
    }

    @Test
    void aReplacedUnitIsAttackedAsSuch() {
        AuditSubject<?, ?> subject =
                Subjects.of("beta-bernoulli", "private-vb", "", PrivacyUnit.record(Neighbours.REPLACE_ONE), 4, 1e-2);
        AuditResult result = Audit.run(subject, Optional.empty(), AuditOptions.ofRuns(4000, 3, folder));
        assertThat(result.defects()).as(result.toJson().toString()).isEmpty();
        assertThat(result.auditedEpsilon()).isGreaterThan(0.45 * 4);
    }

    /** Whichever unit it is, it may be in the batch, so no release shows its noise alone; what is said of it is left out. */
    @Test
    void aReplacedUnitInBatchesHasFiguresThatCanBeWritten() {
        AuditSubject<?, ?> subject = Subjects.of(
                "logistic-regression",
                "dpvi",
                "steps=10 sampling=poisson:0.5",
                PrivacyUnit.record(Neighbours.REPLACE_ONE),
                1,
                1e-2);
        AuditResult result = Audit.run(subject, Optional.empty(), AuditOptions.ofRuns(200, 3, folder));
        assertThat(result.defects()).as(result.toJson().toString()).isEmpty();
        assertThat(result.toJson().toString()).doesNotContain("NaN", "Infinity");
    }

    /** The posterior of one release is a function of it, and shows nearly as much. */
    @Test
    void publishedFilesAreAttackedAlone() {
        AuditSubject<?, ?> subject = Subjects.of("beta-bernoulli", "private-vb", "", 4, 1e-2);
        AuditOptions options = AuditOptions.ofRuns(500, 3, folder).withFits(3000);
        AuditResult result = Audit.run(subject, Optional.empty(), options);
        assertThat(result.defects()).as(result.toJson().toString()).isEmpty();
        assertThat(seen(result)).isBetween(1.0, 4.0);
        AuditResult broken = Audit.run(subject.withNoise(0.4), Optional.empty(), options);
        assertThat(broken.defects()).extracting(Defect::kind).contains(Defect.Kind.PUBLISHED);
    }

    private static double seen(AuditResult result) {
        return result.layers().stream()
                .filter(layer -> layer.layer().equals("black box"))
                .mapToDouble(layer -> (Double) layer.figures().get("auditedEpsilon"))
                .findFirst()
                .orElseThrow();
    }

    /** At least three fifths of a claim of 4 at delta 1e-2, from ten thousand runs. */
    @Test
    void mostOfAClaimIsAuditedForOneRelease() {
        AuditSubject<?, ?> subject = Subjects.of("beta-bernoulli", "private-vb", "", 4, 1e-2);
        AuditResult result = Audit.run(subject, Optional.empty(), AuditOptions.ofRuns(10_000, 3, folder));
        assertThat(result.defects()).as(result.toJson().toString()).isEmpty();
        assertThat(result.auditedEpsilon()).isBetween(0.6 * 4, 4.0);
        assertThat(result.transcript().curveEpsilon()).isBetween(0.75 * 4, 4.0);
        assertThat(result.control().caughtByAttack()).isTrue();
    }
}
