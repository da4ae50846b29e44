package dev.tacit.federated.protocol;

import dev.tacit.federated.crypto.RoundKeys;
import dev.tacit.federated.crypto.RoundMasks;
import dev.tacit.federated.crypto.SecretShares;
import dev.tacit.federated.noise.NoiseLayers;
import dev.tacit.noise.NoiseLayer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Opens the sum of the survivors' vectors from shares of seeds.
 *
 * <pre>
 *   Σ_{i ∈ U2} vector_i − Σ_{i ∈ U2} self mask_i − Σ_{i ∈ U2, j ∈ U1∖U2} pair mask_ij − Σ_{i ∈ U2} layers of i above d'   modulo 2^64
 * </pre>
 *
 * Bonawitz et al. 2017, Figure 4, round 4; Jiang, Wang, Chen 2024 for the layers. Pair masks between two survivors cancel. Every seed that is
 * put together is checked against what its party published, so a wrong share is found, and whoever gave it is left out from then on.
 */
final class RecoverableSum {
    private final StudyTerms terms;
    private final byte[] context;
    private final Map<Integer, RoundMessages.Keys> keys;
    private final PartySet taking;
    private final PartySet survivors;
    private final int missing;

    RecoverableSum(
            StudyTerms terms,
            byte[] context,
            Map<Integer, RoundMessages.Keys> keys,
            PartySet taking,
            PartySet survivors) {
        this.terms = terms;
        this.context = context;
        this.keys = keys;
        this.taking = taking;
        this.survivors = survivors;
        this.missing = terms.size() - survivors.size();
    }

    /** What a holder gives away of its share of one party's seeds. */
    static byte[] shareFor(byte[] share, boolean survives, int missing, int layers) {
        int seed = RoundKeys.SEED_BYTES;
        if (!survives) {
            return Arrays.copyOf(share, seed);
        }
        byte[] self = Arrays.copyOfRange(share, seed, 2 * seed);
        if (missing >= layers) {
            return self;
        }
        byte[] both = Arrays.copyOf(self, 2 * seed);
        System.arraycopy(share, (2 + missing) * seed, both, seed, seed);
        return both;
    }

    /** What an OPENING holds, by party. */
    Map<Integer, byte[]> read(byte[] opening) throws ProtocolRefusal {
        Map<Integer, byte[]> shares = new TreeMap<>();
        int at = 0;
        for (int party : taking.places().toArray()) {
            int length = survivors.contains(party) && missing < terms.layers()
                    ? 2 * RoundKeys.SEED_BYTES
                    : RoundKeys.SEED_BYTES;
            if (at + length > opening.length) {
                throw Envelope.malformed();
            }
            shares.put(party, Arrays.copyOfRange(opening, at, at + length));
            at += length;
        }
        if (at != opening.length) {
            throw Envelope.malformed();
        }
        return shares;
    }

    /**
     * The sum, or nothing while there are not enough right shares.
     *
     * @param vectors of the survivors
     * @param openings by holder, what {@link #read} gave
     * @param wholeSteps standard deviation of the whole noise, in steps of the grid
     */
    Optional<long[]> open(
            Map<Integer, long[]> vectors, Map<Integer, Map<Integer, byte[]>> openings, double wholeSteps) {
        Map<Integer, byte[]> seeds = new TreeMap<>();
        List<Integer> holders = new ArrayList<>(openings.keySet());
        for (int party : taking.places().toArray()) {
            Optional<byte[]> seed = together(party, openings, holders);
            if (seed.isEmpty()) {
                return Optional.empty();
            }
            seeds.put(party, seed.get());
        }
        return Optional.of(unmasked(vectors, seeds, wholeSteps));
    }

    private long[] unmasked(Map<Integer, long[]> vectors, Map<Integer, byte[]> seeds, double wholeSteps) {
        long[] sum = new long[vectors.values().iterator().next().length];
        RoundMasks masks = new RoundMasks(context);
        NoiseLayers layers = terms.noiseLayers();
        for (int party : survivors.places().toArray()) {
            long[] vector = vectors.get(party);
            for (int i = 0; i < sum.length; i++) {
                sum[i] += vector[i];
            }
            byte[] seed = seeds.get(party);
            masks.removeSelf(sum, Arrays.copyOf(seed, RoundKeys.SEED_BYTES), party);
            if (missing < terms.layers()) {
                byte[] root = Arrays.copyOfRange(seed, RoundKeys.SEED_BYTES, seed.length);
                List<NoiseLayer> shown = RoundKeys.noiseLayers(root, terms.layers() - missing);
                for (int i = 0; i < shown.size(); i++) {
                    shown.get(i).remove(layers.layerDeviation(missing + 1 + i, wholeSteps), sum);
                }
            }
        }
        for (int lost : taking.minus(survivors).places().toArray()) {
            for (int party : survivors.places().toArray()) {
                masks.removePair(
                        sum,
                        RoundKeys.agreement(seeds.get(lost), keys.get(party).key()),
                        party,
                        lost);
            }
        }
        return sum;
    }

    /** Puts a party's seeds together; holders whose shares were wrong are taken from the list. */
    private Optional<byte[]> together(int party, Map<Integer, Map<Integer, byte[]>> openings, List<Integer> holders) {
        Predicate<byte[]> right = check(party);
        int needed = terms.threshold();
        for (int turn = 0; turn < Math.max(1, holders.size()) && holders.size() >= needed; turn++) {
            List<Integer> chosen = new ArrayList<>(holders);
            Collections.rotate(chosen, turn);
            chosen = chosen.subList(0, needed);
            byte[] seed = SecretShares.combine(shares(party, openings, chosen));
            if (right.test(seed)) {
                if (turn > 0) {
                    dropWrong(party, openings, holders, chosen, right);
                }
                return Optional.of(seed);
            }
        }
        return Optional.empty();
    }

    /** With enough right shares, any other can be tried in the place of one of them. */
    private void dropWrong(
            int party,
            Map<Integer, Map<Integer, byte[]>> openings,
            List<Integer> holders,
            List<Integer> good,
            Predicate<byte[]> right) {
        List<Integer> known = new ArrayList<>(good);
        holders.removeIf(holder -> {
            if (known.contains(holder)) {
                return false;
            }
            List<Integer> tried = new ArrayList<>(known.subList(1, known.size()));
            tried.add(holder);
            return !right.test(SecretShares.combine(shares(party, openings, tried)));
        });
    }

    private static Map<Integer, byte[]> shares(
            int party, Map<Integer, Map<Integer, byte[]>> openings, List<Integer> chosen) {
        Map<Integer, byte[]> shares = new LinkedHashMap<>();
        chosen.forEach(holder -> shares.put(holder, openings.get(holder).get(party)));
        return shares;
    }

    private Predicate<byte[]> check(int party) {
        RoundMessages.Keys published = keys.get(party);
        int seed = RoundKeys.SEED_BYTES;
        if (!survivors.contains(party)) {
            return found -> Arrays.equals(RoundKeys.publicKey(found), published.key());
        }
        return found -> Arrays.equals(RoundKeys.selfCommitment(Arrays.copyOf(found, seed)), published.selfCommitment())
                && (found.length == seed
                        || Arrays.equals(
                                RoundKeys.layerAnchor(
                                        Arrays.copyOfRange(found, seed, 2 * seed), terms.layers() - missing),
                                published.layerAnchor()));
    }
}
