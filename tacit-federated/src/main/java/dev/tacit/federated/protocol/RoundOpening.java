package dev.tacit.federated.protocol;

import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.PartySet;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.message.ProtocolRefusal.Reason;
import dev.tacit.federated.message.StudyTerms;
import dev.tacit.federated.noise.RoundNoise;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * From the messages of a round to its sum: {@link RecoverableSum} of what parties sent, if enough right shares are there and the vectors
 * are those whose hashes parties agreed to.
 */
final class RoundOpening {
    private final StudyTerms terms;
    private final RoundNoise noise;

    RoundOpening(StudyTerms terms, RoundNoise noise) {
        this.terms = terms;
        this.noise = noise;
    }

    /** The sum of a round that has its signatures; empty while something is missing. Who gave wrong shares is put down in the round. */
    Optional<OpenedSum> of(CoordinatorRound round) {
        if (!round.surviving.names(round.vectors)) {
            return Optional.empty();
        }
        try {
            Map<Integer, RoundMessages.Keys> keys = new TreeMap<>();
            for (Map.Entry<Integer, Envelope> each : round.asked.keys().entrySet()) {
                keys.put(each.getKey(), RoundMessages.Keys.read(each.getValue().body()));
            }
            PartySet survivors = round.surviving.survivors();
            RecoverableSum sum = new RecoverableSum(terms, round.context, keys, round.asked.taking(), survivors);
            Map<Integer, long[]> vectors = new TreeMap<>();
            for (int party : survivors.places().toArray()) {
                vectors.put(
                        party, RoundMessages.numbers(round.vectors.get(party).body()));
            }
            Map<Integer, Map<Integer, byte[]>> openings = new TreeMap<>();
            for (Map.Entry<Integer, Envelope> each : round.openings.entrySet()) {
                try {
                    openings.put(each.getKey(), sum.read(each.getValue().body()));
                } catch (ProtocolRefusal malformed) {
                    round.refusals.putIfAbsent(each.getKey(), malformed);
                }
            }
            double wholeSteps = terms.layers() == 0 ? 0 : noise.wholeSteps(round.number, round.asked.request());
            int missing = terms.size() - survivors.size();
            Optional<long[]> opened = sum.open(vectors, openings, wholeSteps);
            sum.wrongShares()
                    .forEach((holder, dealers) -> round.refusals.putIfAbsent(holder, brokenShare(holder, dealers)));
            return opened.map(integers -> new OpenedSum(
                    round.number,
                    integers,
                    round.asked.taking(),
                    survivors,
                    terms.noiseLayers().relativeVariance(survivors.size(), missing)));
        } catch (ProtocolRefusal impossible) {
            throw new IllegalStateException("a message that was accepted cannot be read", impossible);
        }
    }

    private ProtocolRefusal brokenShare(int holder, Set<Integer> dealers) {
        String name = terms.parties().get(holder).name();
        return new ProtocolRefusal(
                Reason.BROKEN_SHARE,
                "the share that " + name + " gave of the seeds of "
                        + String.join(
                                ", ",
                                dealers.stream()
                                        .map(dealer ->
                                                terms.parties().get(dealer).name())
                                        .toList())
                        + " is wrong: it was dealt so, or " + name + " changed it; the sum is opened without it");
    }
}
