package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.run.InferenceRun;
import dev.tacit.run.method.FitMethod;
import dev.tacit.testkit.method.FreeLedger;
import dev.tacit.testkit.neighbour.NeighbourTest;
import dev.tacit.testkit.neighbour.Verdict;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Everything that a fit over shards of parties releases, from the table to the last round, keeps the epsilon of its plan when
 * somebody comes or goes. Twins do not: noise for one bound in place of two, no clip, and shards by the place in the file, where
 * one record that goes moves all others.
 *
 * <p>Somebody who asks for much joins a shard whose only other record asks for a little of the opposite, so that its clipped change
 * turns around and the sum moves by nearly two bounds. The attacker sees all released numbers and takes the projection on the
 * difference that runs with hardly any noise show. The probability that a correct fit fails a test is below 1e-6; all noise is replayed from
 * a fixed seed, which a failing verdict names.
 */
class FitShardsGuaranteeTest {
    private static final long SEED = 70_117L;
    private static final int OUTPUTS = 3_000;
    private static final double DELTA = 0.1;
    private static final double NOISE_MULTIPLIER = 3;
    private static final double CLIP_FACTOR = 100;
    private static final int KEYS = 20;

    /** Asks for much. */
    private static final String SOMEBODY = "1,1,%s,1";

    /** Each asks for a little of the opposite. */
    private static final List<String> OTHERS = List.of(
            "0.1,0.1,%s,0", "0.12,0.1,%s,0", "0.1,0.12,%s,0", "0.12,0.12,%s,0", "0.11,0.1,%s,0", "0.1,0.11,%s,0");

    /** Some ask for this and some for the opposite, so that it matters who is together with whom. */
    private static final List<String> DIVIDED = Stream.concat(
                    OTHERS.stream(), OTHERS.stream().map(row -> row.replace("%s,0", "%s,1")))
            .toList();

    private static final Schema SCHEMA = SchemaYaml.read("""
            unit: record
            size: 7
            target: y
            encoding: {intercept: false}
            columns:
              a: {type: number, bounds: [-1, 1], center: true}
              b: {type: number, bounds: [-1, 1], center: true}
              place: {type: number, bounds: [-1, 1], center: true}
              y: {type: binary, positive: "1"}
            """);

    /** What is done to the fit on its way through the door. */
    private enum Sabotage {
        NONE,
        NOISE_FOR_ONE_BOUND,
        NO_CLIP,
        /** The rule sees the place in the file, which is hidden in a number that is too small to matter otherwise. */
        SHARDS_BY_PLACE
    }

    @TempDir
    private Path folder;

    private PrivateDataset open(List<String> rows, Sabotage sabotage) {
        List<String> placed = new ArrayList<>();
        for (int place = 0; place < rows.size(); place++) {
            placed.add(rows.get(place).formatted(sabotage == Sabotage.SHARDS_BY_PLACE ? (place + 1) + "e-9" : "0"));
        }
        return PartyFits.open(folder, SCHEMA, "a,b,place,y", placed);
    }

    private static FitMethod<?, ?> method(String settings) {
        return PartyFits.method(SCHEMA, settings);
    }

    /** Keeps all that leaves the door, in units of the bound that is claimed. */
    private static final class Overheard extends SabotagedSession {
        private double[] heard = {};

        Overheard(PrivateSession door, double clipFactor, ReleasePlan plan) {
            super(List.of(door), clipFactor, plan);
        }

        @Override
        public NoisySum release(RecordSum query, double l2Bound) {
            NoisySum sum = super.release(query, l2Bound);
            heard = DoubleStream.concat(
                            Arrays.stream(heard), Arrays.stream(sum.value()).map(number -> number / l2Bound))
                    .toArray();
            return sum;
        }
    }

    private static ReleasePlan plan(FitMethod<?, ?> method) {
        return PartyFits.plan(method, SCHEMA);
    }

    private static <M, S extends Record> double[] heard(FitMethod<M, S> method, PrivateSession door, double clip) {
        Overheard overheard = new Overheard(door, clip, plan(method));
        InferenceRun.once(method.kernel(), method.model(), overheard, RandomStream.ofSeed(1));
        return overheard.heard;
    }

    private static double[] nearlyWithoutNoise(FitMethod<?, ?> method, PrivateDataset data) {
        try {
            return heard(
                    method,
                    data.open(
                            RunRequest.of("test", plan(method)),
                            new DiscreteGaussianMechanism(0x1p-10),
                            new FreeLedger(data.unit()),
                            ReplayNoise.ofSeed(1)),
                    1);
        } catch (BudgetExhausted e) {
            throw new AssertionError(e);
        }
    }

    private static Supplier<double[]> fits(
            FitMethod<?, ?> method, PrivateDataset data, Sabotage sabotage, double[] direction, long side) {
        double clip = sabotage == Sabotage.NO_CLIP ? CLIP_FACTOR : 1;
        double noise = NOISE_MULTIPLIER / clip / (sabotage == Sabotage.NOISE_FOR_ONE_BOUND ? 2 : 1);
        long[] sample = {0};
        return () -> {
            try {
                double[] heard = heard(
                        method,
                        data.open(
                                RunRequest.of("test", plan(method)),
                                new DiscreteGaussianMechanism(noise),
                                new FreeLedger(data.unit()),
                                ReplayNoise.ofSeed(SEED).fork(side).fork(sample[0]++)),
                        clip);
                double projection = 0;
                for (int i = 0; i < heard.length; i++) {
                    projection += heard[i] * direction[i];
                }
                return new double[] {projection};
            } catch (BudgetExhausted e) {
                throw new AssertionError(e);
            }
        };
    }

    private static double[] difference(FitMethod<?, ?> method, PrivateDataset with, PrivateDataset without) {
        double[] direction = nearlyWithoutNoise(method, with);
        double[] other = nearlyWithoutNoise(method, without);
        for (int i = 0; i < direction.length; i++) {
            direction[i] -= other[i];
        }
        return direction;
    }

    private static double squaredNorm(double[] vector) {
        return Arrays.stream(vector).map(number -> number * number).sum();
    }

    @ParameterizedTest
    @CsvSource({
        "way=local-averaging shards=2, NONE",
        "way=local-averaging shards=2, NOISE_FOR_ONE_BOUND",
        "way=local-averaging shards=2, NO_CLIP",
        "way=local-averaging shards=8, SHARDS_BY_PLACE",
        "way=local-averaging shards=2 schedule=synchronous, NONE",
        "way=local-averaging shards=2 schedule=synchronous, NOISE_FOR_ONE_BOUND",
        "way=local-averaging shards=2 schedule=synchronous, NO_CLIP",
        "way=local-averaging shards=8 schedule=synchronous, SHARDS_BY_PLACE",
        "way=local-averaging shards=2 aggregator=trusted, NONE",
        "way=local-averaging shards=2 aggregator=trusted, NOISE_FOR_ONE_BOUND",
        "way=local-averaging shards=2 aggregator=trusted, NO_CLIP",
        "way=local-averaging shards=8 aggregator=trusted, SHARDS_BY_PLACE",
        "way=parameter-perturbation, NONE",
        "way=parameter-perturbation, NOISE_FOR_ONE_BOUND",
        "way=parameter-perturbation, NO_CLIP",
        "way=parameter-perturbation aggregator=trusted, NONE",
        "way=parameter-perturbation aggregator=trusted, NOISE_FOR_ONE_BOUND"
    })
    void whatLeavesTheDoorKeepsTheEpsilonOfThePlan(String settings, Sabotage sabotage) {
        List<String> others = sabotage == Sabotage.SHARDS_BY_PLACE ? DIVIDED : OTHERS;
        PrivateDataset with =
                open(Stream.concat(Stream.of(SOMEBODY), others.stream()).toList(), sabotage);
        PrivateDataset without = open(others, sabotage);
        String common = "parties=2 rounds=2 priorPrecision=100 l2Bound=1e-4 " + settings;
        FitMethod<?, ?> method = method(common);
        double[] direction = difference(method, with, without);
        if (settings.contains("shards=")) {
            // Keys are public, and the promise holds for the worst of them.
            for (int key = 1; key < KEYS; key++) {
                FitMethod<?, ?> other = method(common + " shardPartition=" + key);
                double[] moved = difference(other, with, without);
                if (squaredNorm(moved) > squaredNorm(direction)) {
                    method = other;
                    direction = moved;
                }
            }
        }
        double epsilon = new ExactAccountant()
                .epsilon(
                        plan(method).event(new DiscreteGaussianMechanism(NOISE_MULTIPLIER)),
                        DELTA,
                        Neighbours.ADD_REMOVE)
                .upper();
        Verdict verdict = NeighbourTest.of(
                        fits(method, with, sabotage, direction, 1), fits(method, without, sabotage, direction, 2))
                .claimed(epsilon, DELTA)
                .falseAlarm(1e-6)
                .samples(OUTPUTS)
                .grossBecause("CatalogueTranscriptTest finds finer defects")
                .seed(SEED)
                .run(Supplier::get);
        assertThat(verdict.holds()).as(verdict.explain()).isEqualTo(sabotage == Sabotage.NONE);
    }
}
