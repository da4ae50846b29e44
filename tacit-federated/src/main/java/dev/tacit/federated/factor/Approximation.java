package dev.tacit.federated.factor;

import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.message.DoubleVector;
import dev.tacit.partitioned.message.Message;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/** Where the changes that were used have led: q as it adds up, the noise in it, and whose newest change it has. */
final class Approximation {
    /** A party's change of a round. */
    record Used(int party, Message.FactorChange change) {
        static Used of(Envelope answer) throws ProtocolRefusal {
            return new Used(answer.sender(), ChangeBody.read(answer).change());
        }
    }

    private final ChangeRules rules;
    private final int[] lastUsed;
    private final long[] used;
    private NaturalGaussian global;
    private double noiseVariance;
    private int roundsTogether;

    /** Before the first change. */
    Approximation(ChangeRules rules, int parties) {
        this.rules = rules;
        this.lastUsed = new int[parties];
        this.used = new long[parties];
        this.global = rules.prior();
        Arrays.fill(lastUsed, Message.GlobalState.NONE_USED);
    }

    private Approximation(Approximation other) {
        this.rules = other.rules;
        this.lastUsed = other.lastUsed.clone();
        this.used = other.used.clone();
        this.global = other.global;
        this.noiseVariance = other.noiseVariance;
        this.roundsTogether = other.roundsTogether;
    }

    /** One to try out what would follow. */
    Approximation copy() {
        return new Approximation(this);
    }

    /** A change is used as it arrives. */
    void use(Used one) {
        apply(one.change.change().toArray(), square(one.change.weightedMeanNoise()));
        note(one);
    }

    /** Adds up the changes of a round as numbers, in the order in which they are given. */
    void useTogether(List<Used> all) {
        double[] sum = new double[rules.prior().naturalParameters().length];
        double variance = 0;
        for (Used one : all) {
            double[] numbers = one.change.change().toArray();
            for (int i = 0; i < sum.length; i++) {
                sum[i] += numbers[i];
            }
            variance += square(one.change.weightedMeanNoise());
            note(one);
        }
        if (!all.isEmpty()) {
            apply(sum, variance);
        }
    }

    /** A round of changes together is over. */
    void roundIsOver() {
        roundsTogether++;
    }

    private void note(Used one) {
        lastUsed[one.party] = one.change.round();
        used[one.party]++;
    }

    private void apply(double[] change, double variance) {
        double damping = rules.settings().damping();
        global = global.times(rules.gaussian(change), damping);
        noiseVariance += square(damping * Math.sqrt(variance));
    }

    private static double square(double value) {
        return value * value;
    }

    /** How many rounds are over; of changes that are used as they arrive, how many times as many as there are parties. */
    int roundsDone() {
        return rules.asynchronous() ? (int) (LongStream.of(used).sum() / used.length) : roundsTogether;
    }

    /** What a party is sent. */
    StateBody stateFor(int party, int round) {
        NaturalGaussian read = rules.settings().repair().read(global, rules.prior(), noiseVariance, roundsDone());
        return new StateBody(
                party, new Message.GlobalState(round, DoubleVector.of(read.naturalParameters()), lastUsed[party]));
    }

    /** How many changes of a party are in q. */
    long used(int party) {
        return used[party];
    }

    /** q as it adds up. */
    NaturalGaussian global() {
        return global;
    }

    /** Of the noise in the weighted means of q. */
    double noiseVariance() {
        return noiseVariance;
    }

    String hash() {
        return ResultBody.hash(global);
    }
}
