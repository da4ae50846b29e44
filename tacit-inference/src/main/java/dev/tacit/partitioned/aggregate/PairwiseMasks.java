package dev.tacit.partitioned.aggregate;

import dev.tacit.door.noise.NoiseSource;
import dev.tacit.noise.MaskKey;
import dev.tacit.partitioned.message.Residues;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A party's masks: for every other party words that both know, which one of the two adds and the other subtracts.
 *
 * <pre>
 *   mask of party i in a round = Σ_{j &gt; i} words(key_ij, round) − Σ_{j &lt; i} words(key_ij, round)   modulo 2^bits
 *   Σ_i mask of party i = 0
 * </pre>
 *
 * Bonawitz et al. 2017, Section 4. To whoever knows none of a party's keys its share is uniform. Parties that work together know
 * the masks between themselves and others; those between two honest parties stay.
 *
 * <p>Differs from the paper: keys are dealt in one process, there is no agreement on them over a network. There are neither second
 * masks nor secret sharing, so the masks of a party that drops out cannot be taken away again, and the round is lost.
 *
 * <p>A round's masks are handed out once, and rounds only go up: two shares under one mask would show their difference.
 */
public final class PairwiseMasks {
    private final Residues residues;
    private final int party;
    private final List<MaskKey> keys;
    private long lastRound = -1;

    /**
     * @param party this party's place, from 0
     * @param keys the secret shared with each party, in order; the one at the party's own place is not used
     */
    public PairwiseMasks(Residues residues, int party, List<MaskKey> keys) {
        this.residues = Objects.requireNonNull(residues, "residues");
        this.keys = List.copyOf(keys);
        this.party = Objects.checkIndex(party, keys.size());
        if (keys.size() < 2) {
            throw new IllegalArgumentException("masks need at least two parties");
        }
    }

    /** The masks of so many parties, with fresh secrets. */
    public static List<PairwiseMasks> dealt(int parties, NoiseSource source) {
        MaskKey[][] keys = new MaskKey[parties][parties];
        for (int i = 0; i < parties; i++) {
            for (int j = i; j < parties; j++) {
                keys[i][j] = MaskKey.fresh(source);
                keys[j][i] = keys[i][j];
            }
        }
        List<PairwiseMasks> masks = new ArrayList<>();
        for (int i = 0; i < parties; i++) {
            masks.add(new PairwiseMasks(Residues.OF_LONGS, i, List.of(keys[i])));
        }
        return masks;
    }

    /** Modulo what. */
    Residues residues() {
        return residues;
    }

    /** Adds a round's masks to codes, in place. */
    void mask(long round, long[] codes) {
        if (round <= lastRound) {
            throw new IllegalStateException("the masks of a round are used once, and rounds only go up");
        }
        lastRound = round;
        for (int other = 0; other < keys.size(); other++) {
            if (other != party) {
                combine(residues, codes, keys.get(other).words(round, codes.length), other > party);
            }
        }
    }

    /** Adds or subtracts the words of one pair. */
    static void combine(Residues residues, long[] codes, long[] words, boolean adds) {
        for (int i = 0; i < codes.length; i++) {
            codes[i] = adds ? residues.add(codes[i], words[i]) : residues.subtract(codes[i], words[i]);
        }
    }
}
