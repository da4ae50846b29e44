package dev.tacit.federated.protocol;

import dev.tacit.federated.crypto.RoundKeys;
import dev.tacit.federated.crypto.RoundMasks;
import dev.tacit.federated.crypto.SecretShares;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.PartySet;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.message.StudyTerms;
import dev.tacit.federated.noise.NoiseLayers;
import dev.tacit.noise.NoiseLayer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;

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
    /** How many sets of shares are tried for one party: all, for up to four wrong ones of ten; two wrong ones of a hundred. */
    private static final int MOST_TRIES = 5_000;

    private final StudyTerms terms;
    private final byte[] context;
    private final Map<Integer, RoundMessages.Keys> keys;
    private final PartySet taking;
    private final PartySet survivors;
    private final int missing;
    private final Map<Integer, SortedSet<Integer>> wrong = new TreeMap<>();

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

    /**
     * Puts a party's seeds together. If some shares are wrong, holders are left out, fewer before more, until the others give what the party
     * published; a wrong share is found then by its place among right ones. Whoever gave one is asked last for the next party: the share
     * may have been dealt so, and then it is wrong for this party only.
     */
    private Optional<byte[]> together(int party, Map<Integer, Map<Integer, byte[]>> openings, List<Integer> holders) {
        Predicate<byte[]> right = check(party);
        int needed = terms.threshold();
        int tries = MOST_TRIES;
        for (int without = 0; holders.size() - without >= needed; without++) {
            int[] left = IntStream.range(0, without).toArray();
            do {
                List<Integer> chosen = others(holders, left).subList(0, needed);
                byte[] seed = SecretShares.combine(shares(party, openings, chosen));
                if (right.test(seed)) {
                    if (without > 0) {
                        noteWrong(party, openings, holders, chosen, right);
                    }
                    return Optional.of(seed);
                }
                if (--tries == 0) {
                    return Optional.empty();
                }
            } while (next(left, holders.size()));
        }
        return Optional.empty();
    }

    private static List<Integer> others(List<Integer> holders, int[] left) {
        List<Integer> others = new ArrayList<>(holders);
        for (int i = left.length - 1; i >= 0; i--) {
            others.remove(left[i]);
        }
        return others;
    }

    /** The next combination in the order of the dictionary; false after the last. */
    private static boolean next(int[] combination, int count) {
        int i = combination.length - 1;
        while (i >= 0 && combination[i] == count - combination.length + i) {
            i--;
        }
        if (i < 0) {
            return false;
        }
        combination[i]++;
        for (int j = i + 1; j < combination.length; j++) {
            combination[j] = combination[j - 1] + 1;
        }
        return true;
    }

    /** With enough right shares, any other can be tried in the place of one of them. */
    private void noteWrong(
            int party,
            Map<Integer, Map<Integer, byte[]>> openings,
            List<Integer> holders,
            List<Integer> good,
            Predicate<byte[]> right) {
        for (int holder : List.copyOf(holders)) {
            List<Integer> tried = new ArrayList<>(good.subList(1, good.size()));
            tried.add(holder);
            if (!good.contains(holder) && !right.test(SecretShares.combine(shares(party, openings, tried)))) {
                wrong.computeIfAbsent(holder, unused -> new TreeSet<>()).add(party);
                holders.remove((Integer) holder);
                holders.add(holder);
            }
        }
    }

    /** Which holders gave wrong shares of whose seeds: one of the two is to blame. */
    Map<Integer, SortedSet<Integer>> wrongShares() {
        return wrong;
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
