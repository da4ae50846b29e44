package dev.tacit.federated.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.accounting.confirm.Confirmed;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.fit.base.FitException;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StudyPlanTest {
    /** M, T, d; honest shares that are left alone against all with layers and with shares. */
    @ParameterizedTest
    @CsvSource({"3, 1, 0, 2, 2", "5, 1, 1, 4, 3", "10, 1, 3, 9, 6", "10, 4, 0, 6, 6"})
    void bothEpsilonsAreThoseOfTheNoiseThatIsLeft(int parties, int colluders, int missing, int layers, int shares) {
        StudyPlan plan = StudyPlan.of(StudyFixture.study(parties, colluders, missing));
        assertThat(plan.epsilon()).isLessThanOrEqualTo(1).isGreaterThan(0.99);
        assertThat(plan.epsilonAlone()).isEqualTo(expected(plan, layers));
        StudyPlan shared = StudyPlan.of(
                StudyFixture.study(parties, colluders, missing, Study.Noise.SHARES, Map.of("rounds", "2")));
        assertThat(shared.epsilonAlone()).isEqualTo(expected(shared, shares));
    }

    private static double expected(StudyPlan plan, int honest) {
        return new ExactAccountant()
                .epsilon(
                        plan.plan()
                                .event(new DiscreteGaussianMechanism(
                                        plan.study().noiseMultiplier() / Math.sqrt(honest))),
                        plan.study().budget().delta(),
                        Neighbours.ADD_REMOVE)
                .upper();
    }

    /** What a party is charged is what the sum is promised for. */
    @Test
    void thePartyIsChargedForTheSum() {
        StudyPlan plan = StudyPlan.of(StudyFixture.study(5, 1, 1));
        double charged = new ExactAccountant()
                .epsilon(plan.event(), plan.study().budget().delta(), Neighbours.ADD_REMOVE)
                .upper();
        assertThat(charged).isEqualTo(plan.epsilon());
    }

    /** Parties are charged for nothing that two engines contradict each other about, and the statement says who agreed. */
    @Test
    void aSecondEngineAgreesAboutBothEpsilons() {
        for (StudyPlan plan : List.of(
                StudyPlan.of(StudyFixture.study(5, 1, 1)),
                StudyPlan.of(StudyFixture.study(
                        5,
                        4,
                        1,
                        Study.Noise.OWN,
                        Map.of("way", "dp-optimisation", "aggregator", "none", "rounds", "3"))))) {
            assertThat(plan.confirmed().orElseThrow().agreement()).isNotEqualTo(Confirmed.Agreement.ALONE);
        }
    }

    /** Every party's own sums would fit; those of all together would not. */
    @Test
    void sumsOfAllPartiesHaveToFitInto64Bits() {
        Study few = StudyFixture.study(3, 1, 0, 1L << 37, Study.Noise.LAYERS, Map.of("rounds", "2"));
        assertThat(StudyPlan.of(few).releases()).isEqualTo(3);
        Study many = StudyFixture.study(64, 1, 1, 1L << 37, Study.Noise.LAYERS, Map.of("rounds", "2"));
        assertThatThrownBy(() -> StudyPlan.of(many))
                .isInstanceOf(FitException.class)
                .hasMessageContaining("would not fit into 64 bits");
    }

    @Test
    void noiseAgainstACuratorIsThatOfTheSharing() {
        StudyPlan layers = StudyPlan.of(StudyFixture.study(10, 1, 3));
        assertThat(layers.noiseAgainstCurator(0)).isEqualTo(Math.sqrt(10.0 / 9));
        assertThat(layers.noiseAgainstCurator(3)).isEqualTo(Math.sqrt(7.0 / 6));
        StudyPlan shares = StudyPlan.of(StudyFixture.study(10, 1, 3, Study.Noise.SHARES, Map.of()));
        assertThat(shares.noiseAgainstCurator(0)).isEqualTo(Math.sqrt(10.0 / 6));
    }

    /** 2d + T &lt; M and two honest shares, as StudyTerms of the protocol has it too; and somebody who reads the sums knows a share. */
    @Test
    void feasibilityIsThatOfTheProtocol() {
        for (int parties = 2; parties < 12; parties++) {
            for (int colluders = 0; colluders < parties; colluders++) {
                for (int missing = 0; missing < parties; missing++) {
                    boolean feasible =
                            colluders >= 1 && 2 * missing + colluders < parties && parties - colluders - missing >= 2;
                    int m = parties;
                    int t = colluders;
                    int d = missing;
                    if (feasible) {
                        Feasibility.require(m, t, d);
                        dev.tacit.federated.message.StudyTerms.requireShape(m, t, d);
                    } else {
                        assertThatThrownBy(() -> Feasibility.require(m, t, d)).isInstanceOf(StudyException.class);
                    }
                }
            }
        }
        for (int parties = 3; parties < 256; parties++) {
            Feasibility.require(parties, 1, Feasibility.usualMissing(parties, 1));
        }
    }

    @ParameterizedTest
    @CsvSource({"schedule, sequential", "parties, 4", "aggregator, none", "party-column, age", "way, dp-optimisation"})
    void whatCannotRunBehindMasksIsRefused(String setting, String value) {
        assertThatThrownBy(() -> StudyPlan.of(StudyFixture.study(5, 1, 1, Study.Noise.LAYERS, Map.of(setting, value))))
                .isInstanceOf(StudyException.class);
    }

    /** What a schedule may be is said in the words of studies, and not of one table. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "residual-newton|asynchronous|sums under masks wait for all parties; schedule=asynchronous needs a study"
                        + " without masks (--set way=dp-optimisation)",
                "virtual|sequential|the setting schedule must be synchronous in a study, whose parties do not take turns",
                "dp-optimisation|sometimes|the setting schedule must be synchronous or asynchronous in a study",
                "dp-optimisation|asynchronos|the setting schedule must be synchronous or asynchronous in a study"
                        + " (did you mean asynchronous?)"
            })
    void aScheduleIsOneOfAStudy(String way, String schedule, String sentence) {
        Study.Fitted fitted = new Study.Fitted(
                StudyFixture.schema(600), "logistic-regression", "dp-pvi", Map.of("way", way, "schedule", schedule));
        assertThatThrownBy(() -> StudyPlan.noiseMultiplier(fitted, 3, new PrivacyBudget(1, 1e-5)))
                .isInstanceOf(StudyException.class)
                .hasMessage(sentence);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2|1|0|a study with masks has 3 to 255 parties, and this one has 2; take a third party, or a study without"
                        + " masks (--set way=dp-optimisation)",
                "1|1|0|a study with masks has 3 to 255 parties, and this one has 1",
                "3|2|0|with 3 parties of whom 2 may collude, one share would be all of the noise; masks need at least two"
                        + " honest shares",
                "3|1|1|with 3 parties of whom 1 may collude, nobody may be missing, or two different sums could be opened;"
                        + " this study allows 1"
            })
    void whatMasksNeedIsSaid(int parties, int colluders, int missing, String sentence) {
        assertThatThrownBy(() -> Feasibility.require(parties, colluders, missing))
                .isInstanceOf(StudyException.class)
                .hasMessage(sentence);
    }

    /** As help and guide say it. */
    @ParameterizedTest
    @CsvSource({"3, 0", "4, 0", "5, 1", "8, 2", "255, 84"})
    void aThirdOfAllButTwoMayBeMissing(int parties, int missing) {
        assertThat(Feasibility.usualMissing(parties, 1)).isEqualTo(missing);
    }

    /** One epsilon, that of the whole noise at one party, on the releases of one party. */
    @ParameterizedTest
    @CsvSource({"dp-optimisation, synchronous", "dp-optimisation, asynchronous", "virtual, asynchronous"})
    void ownNoiseHasOneEpsilon(String way, String schedule) {
        StudyPlan plan = StudyPlan.of(StudyFixture.study(
                5,
                4,
                1,
                Study.Noise.OWN,
                Map.of("way", way, "aggregator", "none", "schedule", schedule, "rounds", "3")));
        assertThat(plan.epsilon()).isLessThanOrEqualTo(1).isGreaterThan(0.9);
        assertThat(plan.epsilonAlone()).isEqualTo(plan.epsilon());
        assertThat(plan.partyPlan().releases()).isEqualTo(plan.releases());
        assertThat(plan.event()).isEqualTo(plan.partyPlan().event(plan.ownMechanism()));
        assertThat(plan.changes().orElseThrow().asynchronous()).isEqualTo(schedule.equals("asynchronous"));
        assertThat(plan.terms().rounds()).isEqualTo(3);
        assertThat(plan.noiseAgainstCurator(1)).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "4, residual-newton, synchronous",
        "4, local-averaging, synchronous",
        "4, dp-optimisation, sequential",
        "1, dp-optimisation, synchronous"
    })
    void whatCannotHaveNoiseOfItsOwnIsRefused(int colluders, String way, String schedule) {
        assertThatThrownBy(() -> StudyPlan.of(StudyFixture.study(
                        5,
                        colluders,
                        1,
                        Study.Noise.OWN,
                        Map.of("way", way, "aggregator", "none", "schedule", schedule, "rounds", "3"))))
                .isInstanceOf(StudyException.class);
    }

    @ParameterizedTest
    @CsvSource({"virtual, 1", "local-averaging, 2", "parameter-perturbation, 2"})
    void otherWaysRunBehindMasksToo(String way, double boundsMoved) {
        StudyPlan plan =
                StudyPlan.of(StudyFixture.study(5, 1, 1, Study.Noise.LAYERS, Map.of("way", way, "rounds", "3")));
        assertThat(plan.releases()).isEqualTo(3);
        assertThat(plan.epsilon()).isLessThanOrEqualTo(1);
        assertThat(plan.partyPlan().view().map(view -> view.boundsMoved()).orElse(1.0))
                .isEqualTo(boundsMoved);
    }

    /** Programs that plan a study otherwise would have masks that cancel over other noise. */
    @Test
    void whatIsPlannedIsInEverySignature() {
        StudyPlan plan = StudyPlan.of(StudyFixture.study(3, 1, 0));
        byte[] binding = plan.terms().binding();
        assertThat(changed(plan, phase -> with(phase, phase.dimension(), phase.relativeNoise() * 1.001)))
                .isNotEqualTo(binding);
        assertThat(changed(plan, phase -> with(phase, phase.dimension() + 1, phase.relativeNoise())))
                .isNotEqualTo(binding);
        assertThat(changed(plan, phase -> with(phase, phase.dimension(), Math.nextUp(phase.relativeNoise()))))
                .isEqualTo(binding);
    }

    private static byte[] changed(StudyPlan plan, UnaryOperator<ReleasePlan.Phase> change) {
        List<ReleasePlan.Phase> phases =
                plan.plan().phases().stream().map(change).toList();
        ReleasePlan other =
                new ReleasePlan(phases, plan.plan().view(), plan.plan().rowNormBound());
        return new StudyPlan(plan.study(), plan.method(), other).terms().binding();
    }

    private static ReleasePlan.Phase with(ReleasePlan.Phase phase, int dimension, double relativeNoise) {
        return new ReleasePlan.Phase(phase.label(), phase.times(), dimension, phase.sampling(), relativeNoise);
    }
}
