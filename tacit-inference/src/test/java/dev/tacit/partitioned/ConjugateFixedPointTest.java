package dev.tacit.partitioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.inference.Runs;
import dev.tacit.model.regression.KnownNoiseRegression;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.coordinator.Coordinator;
import dev.tacit.partitioned.coordinator.Schedule;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.gaussian.Repair;
import dev.tacit.partitioned.message.FactorTerms;
import dev.tacit.partitioned.party.FactorParty;
import dev.tacit.partitioned.party.LocalSteps;
import dev.tacit.partitioned.party.PartyDoor;
import dev.tacit.partitioned.update.LocalAveraging;
import dev.tacit.partitioned.update.NaturalGradients;
import dev.tacit.partitioned.update.ShardSolver;
import dev.tacit.partitioned.update.VirtualClients;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** On a conjugate model the fixed point is the exact posterior, whoever is asked when and however records are dealt out. */
class ConjugateFixedPointTest {
    private static final double[] WEIGHTS = {0.7, -1.2, 0.4};
    private static final double NOISE_PRECISION = 2;
    private static final double PRIOR_PRECISION = 0.5;
    private static final int ROUNDS = 120;
    private static final double DAMPING = 0.4;

    private final DenseBlock rows = Parties.linear(60, WEIGHTS, 0.6, RandomStream.ofSeed(5));
    private final KnownNoiseRegression model =
            new KnownNoiseRegression(Runs.names(3), 10, PRIOR_PRECISION, NOISE_PRECISION, 100);

    static Stream<Arguments> schedulesAndFamilies() {
        return Stream.of(
                        new Schedule.Sequential(),
                        new Schedule.Synchronous(),
                        new Schedule.Asynchronous(3, 1),
                        new Schedule.Asynchronous(4, 1.2))
                .flatMap(schedule -> Stream.of(GaussianFamily.values()).map(family -> Arguments.of(schedule, family)));
    }

    private NaturalGaussian fixedPoint(LocalSteps update, Schedule schedule, double damping, int... sizes) {
        return fixedPoint(update, schedule, damping, Repair.floor(), sizes);
    }

    private NaturalGaussian fixedPoint(
            LocalSteps update, Schedule schedule, double damping, Repair repair, int... sizes) {
        NaturalGaussian prior = NaturalGaussian.centred(update.releases().family(), 3, PRIOR_PRECISION);
        Coordinator coordinator =
                new Coordinator(prior, new Coordinator.Settings(ROUNDS, schedule, damping, repair), Optional.empty());
        List<FactorParty> parties = Parties.notPrivate(Parties.split(rows, sizes), update, prior, damping, ROUNDS);
        Coordinator.Outcome outcome = coordinator.run(parties, Coordinator.Listener.NONE);
        assertThat(outcome.notes())
                .hasSize(ROUNDS)
                .allMatch(note -> note.absences().isEmpty());
        return outcome.read();
    }

    /** A public start is unlearned. */
    @ParameterizedTest
    @MethodSource("schedulesAndFamilies")
    void theStartDoesNotMatter(Schedule schedule, GaussianFamily family) {
        NaturalGaussian prior = NaturalGaussian.centred(family, 3, PRIOR_PRECISION);
        NaturalGaussian start =
                NaturalGaussian.independent(family, new double[] {40, -8, 20}, new double[] {25, 16, 9});
        List<FactorParty> parties = new ArrayList<>();
        for (PrivateDataset set : Parties.split(rows, 30, 20, 10)) {
            FactorParty party = new FactorParty(
                    "party " + parties.size(),
                    PartyDoor.notPrivate(set, ReplayNoise.ofSeed(1)),
                    new NaturalGradients(model, new NaturalGradients.Settings(family, 1, 1, 1000, 1)),
                    FactorTerms.startingAt(start, 3, prior, DAMPING));
            party.join(ROUNDS);
            parties.add(party);
        }
        NaturalGaussian reached = new Coordinator(
                        prior,
                        start,
                        new Coordinator.Settings(ROUNDS, schedule, DAMPING, Repair.floor()),
                        Optional.empty())
                .run(parties, Coordinator.Listener.NONE)
                .global();
        assertExact(reached, family);
    }

    /** Logistic regression is not conjugate; still, three parties end where one with all records does. */
    @ParameterizedTest
    @EnumSource(GaussianFamily.class)
    void logisticRegressionDoesNotDependOnWhoHasWhichRecords(GaussianFamily family) {
        DenseBlock labelled = Runs.logistic(60, WEIGHTS, RandomStream.ofSeed(6));
        double[] one = logistic(labelled, family, 60);
        assertThat(logistic(labelled, family, 30, 20, 10)).containsExactly(one, within(1e-6));
        assertThat(one[3]).isLessThan(-1);
    }

    private static double[] logistic(DenseBlock labelled, GaussianFamily family, int... sizes) {
        LogisticRegression regression = new LogisticRegression(Runs.names(3), 10, PRIOR_PRECISION);
        NaturalGaussian prior = NaturalGaussian.centred(family, 3, PRIOR_PRECISION);
        LocalSteps update = new NaturalGradients(regression, new NaturalGradients.Settings(family, 1, 1, 1000, 1));
        return new Coordinator(
                        prior,
                        new Coordinator.Settings(ROUNDS, new Schedule.Sequential(), DAMPING, Repair.floor()),
                        Optional.empty())
                .run(
                        Parties.notPrivate(Parties.split(labelled, sizes), update, prior, DAMPING, ROUNDS),
                        Coordinator.Listener.NONE)
                .read()
                .naturalParameters();
    }

    private void assertExact(NaturalGaussian reached, GaussianFamily family) {
        double[] exact = Parties.exactLinear(rows, family, PRIOR_PRECISION, NOISE_PRECISION)
                .naturalParameters();
        double[] found = reached.naturalParameters();
        for (int i = 0; i < exact.length; i++) {
            assertThat(found[i]).isCloseTo(exact[i], within(1e-6 * (1 + Math.abs(exact[i]))));
        }
    }

    @ParameterizedTest
    @MethodSource("schedulesAndFamilies")
    void naturalGradientsReachTheExactPosterior(Schedule schedule, GaussianFamily family) {
        LocalSteps update = new NaturalGradients(model, new NaturalGradients.Settings(family, 2, 0.5, 50, 1));
        assertExact(fixedPoint(update, schedule, DAMPING, 30, 20, 9, 1), family);
    }

    @ParameterizedTest
    @MethodSource("schedulesAndFamilies")
    void streamingIsExactForFullCovariances(Schedule schedule, GaussianFamily family) {
        LocalSteps update = new NaturalGradients(model, new NaturalGradients.Settings(family, 1, 1, 50, 1));
        NaturalGaussian prior = NaturalGaussian.centred(family, 3, PRIOR_PRECISION);
        List<FactorParty> parties = Parties.notPrivate(Parties.split(rows, 30, 20, 9, 1), update, prior, 1, 1);
        NaturalGaussian reached = new Coordinator(prior, Coordinator.Settings.streaming(), Optional.empty())
                .run(parties, Coordinator.Listener.NONE)
                .read();
        if (family == GaussianFamily.FULL_COVARIANCE) {
            assertExact(reached, family);
        } else {
            assertThat(reached.precisionDiagonal())
                    .containsExactly(
                            Parties.exactLinear(rows, family, PRIOR_PRECISION, NOISE_PRECISION)
                                    .precisionDiagonal(),
                            within(1e-7));
        }
    }

    /** Heikkilä et al. 2023, Theorem 10, also for shards of unequal size. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 40})
    void theNumberOfLocalPartitionsDoesNotMatter(int shards) {
        for (Schedule schedule : List.of(new Schedule.Sequential(), new Schedule.Synchronous())) {
            LocalSteps update = new LocalAveraging(
                    model,
                    new LocalAveraging.Settings(
                            GaussianFamily.FULL_COVARIANCE, shards, new ShardSolver.Settings(1, 1), 50));
            assertExact(fixedPoint(update, schedule, DAMPING, 30, 20, 9, 1), GaussianFamily.FULL_COVARIANCE);
        }
    }

    @Test
    void parameterPerturbationWithoutNoiseIsExact() {
        LocalSteps update = LocalAveraging.parameterPerturbation(
                model, GaussianFamily.FULL_COVARIANCE, new ShardSolver.Settings(1, 1), 50);
        assertExact(fixedPoint(update, new Schedule.Sequential(), 1, 30, 20, 9, 1), GaussianFamily.FULL_COVARIANCE);
    }

    @Test
    void everyRecordMayBeAClientOfItsOwn() {
        LocalSteps update = new VirtualClients(model, new VirtualClients.Settings(50, 1));
        assertExact(fixedPoint(update, new Schedule.Synchronous(), 0.3, 30, 20, 9, 1), GaussianFamily.MEAN_FIELD);
        assertExact(fixedPoint(update, new Schedule.Sequential(), 0.3, 30, 20, 9, 1), GaussianFamily.MEAN_FIELD);
    }

    /** Without noise, shrinking and caution leave the fixed point where it is: the last rounds forget the first. */
    @ParameterizedTest
    @EnumSource(GaussianFamily.class)
    void shrinkingAndCautionEndInTheExactPosteriorToo(GaussianFamily family) {
        LocalSteps update = family == GaussianFamily.MEAN_FIELD
                ? new VirtualClients(model, new VirtualClients.Settings(50, 1))
                : new NaturalGradients(model, new NaturalGradients.Settings(family, 1, 1, 50, 1));
        double[] exact = Parties.exactLinear(rows, family, PRIOR_PRECISION, NOISE_PRECISION)
                .naturalParameters();
        for (Schedule schedule : List.of(new Schedule.Sequential(), new Schedule.Synchronous())) {
            double[] found = fixedPoint(update, schedule, 0.3, new Repair(1, 20), 30, 20, 9, 1)
                    .naturalParameters();
            for (int i = 0; i < exact.length; i++) {
                assertThat(found[i]).isCloseTo(exact[i], within(1e-4 * (1 + Math.abs(exact[i]))));
            }
        }
    }

    /** A clip that is in force for every record moves the fixed point, so the tests above say something. */
    @Test
    void aClipMovesTheFixedPoint() {
        LocalSteps update = new VirtualClients(model, new VirtualClients.Settings(1e-5, 1));
        double[] exact = Parties.exactLinear(rows, GaussianFamily.MEAN_FIELD, PRIOR_PRECISION, NOISE_PRECISION)
                .naturalParameters();
        double[] found = fixedPoint(update, new Schedule.Synchronous(), 0.3, 60).naturalParameters();
        assertThat(found[0]).isNotCloseTo(exact[0], within(0.1 * Math.abs(exact[0])));
    }
}
