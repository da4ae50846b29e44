package dev.tacit.audit.canary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.audit.subject.AuditLedger;
import dev.tacit.audit.subject.PrivacyClaim;
import dev.tacit.audit.table.SyntheticTable;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.sampling.SamplingScheme.PoissonSampling;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.JoinedSummation;
import dev.tacit.engine.LocalSummation;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.query.ContributionSum;
import dev.tacit.run.method.DataShape;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Coins of one run are guessed as often as its noise allows, and too often for a claim of more noise than there is. */
class CanaryScoresTest {
    private static final int COLUMNS = 1200;
    private static final int CANARIES = 400;
    private static final double DELTA = 1e-5;
    private static final PrivacyUnit RECORD = PrivacyUnit.record(Neighbours.ADD_REMOVE);
    private static final DataShape SHAPE = new DataShape(
            IntStream.range(0, COLUMNS).mapToObj(i -> "x" + i).toList(), 1, new DataShape.Target.None(), 1000);

    /** Rows are summed up twice, of everybody or of a sample; the private records of the table are others. */
    private static CanaryVerdict verdict(double noise, double claimedNoise, double rate) throws Exception {
        boolean[] in = new boolean[CANARIES];
        ReplayNoise coins = ReplayNoise.ofSeed(11);
        for (int i = 0; i < CANARIES; i++) {
            in[i] = coins.below(2) == 0;
        }
        CanaryScores scores = new CanaryScores(SyntheticTable.ordinary(SHAPE, CANARIES, 1, 5), in);
        SyntheticTable people = SyntheticTable.ordinary(SHAPE, 30, 1, 6);
        DiscreteGaussianMechanism mechanism = new DiscreteGaussianMechanism(noise);
        ReleasePlan plan = ReleasePlan.of("rows", 2, COLUMNS, new PoissonSampling(rate));
        ContributionSum query = ContributionSum.of(COLUMNS, (block, row, sum) -> sum.addRow(0, 1));
        try (PrivateDataset data = PrivateDataset.of(
                JoinedSummation.of(new LocalSummation(people.records(false, false), 1), scores.records()),
                RECORD,
                1000)) {
            PrivateSession session = scores.listening(
                    data.open(RunRequest.of("rows", plan), mechanism, new AuditLedger(RECORD), ReplayNoise.ofSeed(7)),
                    mechanism,
                    () -> {});
            session.release(query, 1);
            session.release(query, 1);
        }
        assertThat(scores.heard()).isEqualTo(2);
        PrivacyClaim claim =
                PrivacyClaim.of(plan.event(new DiscreteGaussianMechanism(claimedNoise)), Neighbours.ADD_REMOVE, DELTA);
        return scores.verdict(claim.epsilon(), DELTA, 0.999);
    }

    /** A single coin cannot be guessed to be in and out. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void fewCoinsShowNothing(int count) {
        CanaryScores scores = new CanaryScores(SyntheticTable.ordinary(SHAPE, count, 1, 5), new boolean[count]);
        CanaryVerdict verdict = scores.verdict(1, DELTA, 0.999);
        assertThat(verdict.epsilon()).as(verdict.sentence()).isZero();
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 0.9})
    void coinsAreGuessedAsOftenAsTheNoiseAllows(double rate) throws Exception {
        CanaryVerdict honest = verdict(0.4, 0.4, rate);
        assertThat(honest.epsilon()).as(honest.sentence()).isBetween(0.5, honest.claimedEpsilon());
        assertThat(honest.layer().defects()).isEmpty();
        CanaryVerdict boastful = verdict(0.4, 20, rate);
        assertThat(boastful.layer().defects()).as(boastful.sentence()).hasSize(1);
        CanaryVerdict hidden = verdict(50, 50, rate);
        assertThat(hidden.epsilon()).as(hidden.sentence()).isZero();
        assertThat(List.of(honest.toJson().toString(), boastful.toJson().toString()))
                .noneMatch(text -> text.contains("verified"));
    }
}
