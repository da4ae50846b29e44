package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.sampling.SamplingScheme.PoissonSampling;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.model.network.NeuralNetworkDensity;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.partitioned.NoiseShare;
import dev.tacit.partitioned.NoiseSharing;
import dev.tacit.partitioned.aggregate.PlainSum;
import dev.tacit.partitioned.aggregate.Shares;
import dev.tacit.partitioned.coordinator.Coordinator;
import dev.tacit.partitioned.coordinator.Schedule;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.gaussian.Repair;
import dev.tacit.partitioned.message.FactorTerms;
import dev.tacit.partitioned.message.JoinedLink;
import dev.tacit.partitioned.message.Message;
import dev.tacit.partitioned.message.PartyTerms;
import dev.tacit.partitioned.party.FactorParty;
import dev.tacit.partitioned.party.LocalSteps;
import dev.tacit.partitioned.party.PartyDoor;
import dev.tacit.partitioned.party.PartyJournal;
import dev.tacit.partitioned.update.DpOptimisation;
import dev.tacit.partitioned.update.LocalAveraging;
import dev.tacit.partitioned.update.ShardSolver;
import dev.tacit.partitioned.update.VirtualClients;
import dev.tacit.testkit.method.FreeLedger;
import dev.tacit.testkit.neighbour.NeighbourTest;
import dev.tacit.testkit.neighbour.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What travels between parties and their coordinator keeps the epsilon that the first party is charged, when one of its
 * records comes or goes, over all rounds of the protocol; twins with half the noise, a larger clip or noise shared among
 * parties that are not there do not.
 *
 * <p>The probability that a correct protocol fails is below 1e-6 for each test; noise is replayed from seeds that a failing
 * verdict names.
 */
class PartitionedGuaranteeTest {
    private static final int ROUNDS = 2;
    private static final int OUTPUTS = 5_000;
    private static final double DELTA = 0.05;
    private static final PrivacyUnit RECORD = PrivacyUnit.record(Neighbours.ADD_REMOVE);
    private static final LogisticRegression MODEL = new LogisticRegression(List.of("weight"), 100, 1);
    private static final NaturalGaussian PRIOR = NaturalGaussian.centred(GaussianFamily.MEAN_FIELD, 1, 1);
    private static final NeuralNetworkDensity NETWORK = new NeuralNetworkDensity(
            List.of("weight"), 1, new NeuralNetworkDensity.Head.Binary(), NeuralNetworkDensity.Activation.RELU, 1, 1);

    /** The network says yes to large numbers: weight, bias and output weight are 1, the output's bias 0. */
    private static final NaturalGaussian NETWORK_PRIOR = NaturalGaussian.independent(
            GaussianFamily.MEAN_FIELD, new double[] {100, 100, 100, 0}, new double[] {100, 100, 100, 100});

    private enum Tested {
        VIRTUAL_CLIENTS,
        DP_OPTIMISATION,
        LOCAL_AVERAGING,
        NETWORK_VIRTUAL_CLIENTS,
        NETWORK_DP_OPTIMISATION,
        NETWORK_LOCAL_AVERAGING;

        boolean isNetwork() {
            return name().startsWith("NETWORK");
        }

        NaturalGaussian prior() {
            return isNetwork() ? NETWORK_PRIOR : PRIOR;
        }

        /** Of somebody whose contribution is long: whom the network is sure and wrong about. */
        double label() {
            return isNetwork() ? 0 : 1;
        }

        /** A shard moves by two bounds, so it takes more noise for as small an epsilon. */
        double noise() {
            return this == LOCAL_AVERAGING || this == NETWORK_LOCAL_AVERAGING ? 3 : 1.2;
        }

        LocalSteps update(double l2Bound) {
            return switch (this) {
                case VIRTUAL_CLIENTS -> new VirtualClients(MODEL, new VirtualClients.Settings(l2Bound, 1));
                case DP_OPTIMISATION ->
                    new DpOptimisation(
                            MODEL, new DpOptimisation.Settings(1, new PoissonSampling(0.5), l2Bound, 0.1, 1));
                case LOCAL_AVERAGING ->
                    new LocalAveraging(
                            MODEL,
                            new LocalAveraging.Settings(
                                    GaussianFamily.MEAN_FIELD, 1, new ShardSolver.Settings(1, 1), l2Bound));
                case NETWORK_VIRTUAL_CLIENTS -> new VirtualClients(NETWORK, new VirtualClients.Settings(l2Bound, 1), 1);
                case NETWORK_DP_OPTIMISATION ->
                    new DpOptimisation(
                            NETWORK, new DpOptimisation.Settings(1, new PoissonSampling(0.5), l2Bound, 0.1, 2));
                case NETWORK_LOCAL_AVERAGING ->
                    new LocalAveraging(
                            NETWORK,
                            new LocalAveraging.GradientSettings(1, new ShardSolver.Settings(1, 1), l2Bound, 1));
            };
        }
    }

    /**
     * The first party has somebody whose contribution is longer than any clip, or not. A shard moves by two bounds if that turns
     * it around, so there is somebody else in it who points the other way.
     */
    private static PrivateDataset first(Tested tested, boolean with) {
        if (tested == Tested.LOCAL_AVERAGING) {
            return with
                    ? dataset(new double[] {5, 50}, new double[] {0, 1})
                    : dataset(new double[] {5}, new double[] {0});
        }
        return with ? dataset(new double[] {50}, new double[] {tested.label()}) : dataset(new double[0], new double[0]);
    }

    private static PrivateDataset dataset(double[] values, double[] labels) {
        return LocalSummation.dataset(
                RecordsInMemory.of(DenseBlock.of(labels.length, 1, values, labels), true), RECORD, 2, 1);
    }

    /** Keeps what the first party sends. */
    private record Overheard(Tested tested, JoinedLink party, List<double[]> heard) implements JoinedLink {
        @Override
        public String name() {
            return party.name();
        }

        @Override
        public PartyTerms terms() {
            return party.terms();
        }

        @Override
        public CompletionStage<Message> answer(Message message) {
            return party.answer(message).thenApply(answer -> heard(message, answer));
        }

        private Message heard(Message message, Message answer) {
            double[] change = ((Message.FactorChange) answer).change().toArray();
            double[] global =
                    ((Message.GlobalState) message).naturalParameters().toArray();
            heard.add(tested == Tested.NETWORK_DP_OPTIMISATION ? means(global, change) : change);
            return answer;
        }
    }

    /** Where q moves to. Adam moves means and scales by about the same each way, and natural parameters mix the two. */
    private static double[] means(double[] global, double[] change) {
        double[] means = new double[global.length / 2];
        for (int j = 0; j < means.length; j++) {
            int precision = means.length + j;
            means[j] = (global[j] + change[j]) / (-2 * (global[precision] + change[precision]));
        }
        return means;
    }

    /** What an aggregator adds up. */
    private enum Adding {
        NOTHING,
        CHANGES,
        RELEASES
    }

    private static double[] view(
            Tested tested, boolean with, double bound, NoiseMechanism mechanism, Adding adding, long seed) {
        boolean aggregator = adding != Adding.NOTHING;
        List<PrivateDataset> data = List.of(first(tested, with), dataset(new double[] {0.5, -1}, new double[] {1, 0}));
        List<JoinedLink> parties = new ArrayList<>();
        List<double[]> heard = new ArrayList<>();
        for (PrivateDataset set : data) {
            FactorTerms terms = FactorTerms.of(tested.prior(), 0.5);
            FactorParty party = new FactorParty(
                    "party " + parties.size(),
                    new PartyDoor(
                            set,
                            Optional.of(new PartyDoor.Protection(mechanism, new FreeLedger(RECORD))),
                            ReplayNoise.ofSeed(seed).fork(parties.size())),
                    tested.update(bound),
                    aggregator ? terms.withShare(0.5) : terms,
                    adding == Adding.RELEASES ? Optional.of(Shares.plain()) : Optional.empty(),
                    PartyJournal.NONE);
            party.join(ROUNDS);
            parties.add(parties.isEmpty() && !aggregator ? new Overheard(tested, party, heard) : party);
        }
        List<double[]> globals = new ArrayList<>();
        new Coordinator(
                        tested.prior(),
                        tested.prior(),
                        new Coordinator.Settings(ROUNDS, new Schedule.Synchronous(), 0.5, Repair.floor()),
                        aggregator ? Optional.of(new PlainSum(2)) : Optional.empty(),
                        adding == Adding.RELEASES ? tested.update(bound).sumReading() : Optional.empty())
                .run(parties, (note, read, traffic) -> globals.add(read.naturalParameters()));
        List<double[]> seen = aggregator ? globals : heard;
        return seen.stream().flatMapToDouble(Arrays::stream).toArray();
    }

    private static Verdict verdict(Tested tested, double bound, NoiseMechanism mechanism, Adding adding) {
        double epsilon = new ExactAccountant()
                .epsilon(
                        tested.update(1)
                                .event(ROUNDS, new DiscreteGaussianMechanism(tested.noise()), Neighbours.ADD_REMOVE),
                        DELTA,
                        Neighbours.ADD_REMOVE)
                .upper();
        AtomicLong seed = new AtomicLong(1);
        return NeighbourTest.of(true, false)
                .claimed(epsilon, DELTA)
                .falseAlarm(1e-6)
                .samples(OUTPUTS)
                .grossBecause("CatalogueTranscriptTest finds finer defects")
                .run(with -> view(tested, with, bound, mechanism, adding, seed.getAndIncrement()));
    }

    @ParameterizedTest
    @CsvSource({
        "VIRTUAL_CLIENTS, 1, 1, true",
        "VIRTUAL_CLIENTS, 0.5, 1, false",
        "VIRTUAL_CLIENTS, 1, 4, false",
        "DP_OPTIMISATION, 1, 1, true",
        "DP_OPTIMISATION, 0.2, 1, false",
        "LOCAL_AVERAGING, 1, 1, true",
        "LOCAL_AVERAGING, 0.5, 1, false",
        "NETWORK_VIRTUAL_CLIENTS, 1, 1, true",
        "NETWORK_VIRTUAL_CLIENTS, 0.4, 1, false",
        "NETWORK_VIRTUAL_CLIENTS, 1, 4, false",
        "NETWORK_DP_OPTIMISATION, 1, 1, true",
        "NETWORK_DP_OPTIMISATION, 0.2, 1, false",
        "NETWORK_LOCAL_AVERAGING, 1, 1, true",
        "NETWORK_LOCAL_AVERAGING, 0.2, 1, false"
    })
    void answersOfAPartyKeepItsEpsilon(Tested tested, double noiseFactor, double clipFactor, boolean holds) {
        // A larger clip with the noise of the smaller one, as if contributions had not been clipped.
        NoiseMechanism mechanism = new DiscreteGaussianMechanism(tested.noise() * noiseFactor / clipFactor);
        Verdict verdict = verdict(tested, clipFactor, mechanism, Adding.NOTHING);
        assertThat(verdict.holds()).as(verdict.explain()).isEqualTo(holds);
    }

    /** Two parties share the noise; in the twin they believe to be twenty. */
    @ParameterizedTest
    @CsvSource({"CHANGES, 2, true", "CHANGES, 20, false", "RELEASES, 2, true", "RELEASES, 20, false"})
    void sumsOfAnAggregatorKeepTheEpsilon(Adding adding, int believedParties, boolean holds) {
        Tested tested = Tested.VIRTUAL_CLIENTS;
        NoiseShare share = new NoiseSharing(believedParties, 0, 0).share(tested.noise());
        Verdict verdict = verdict(tested, 1, share, adding);
        assertThat(verdict.holds()).as(verdict.explain()).isEqualTo(holds);
    }
}
