package dev.tacit.partitioned.aggregate;

import dev.tacit.partitioned.NoiseSharing;
import dev.tacit.partitioned.message.GridCode;
import dev.tacit.partitioned.message.Message;
import dev.tacit.partitioned.message.Residues;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An aggregator that sees masked shares only: their masks cancel in the sum of all, and in nothing less.
 *
 * <pre>
 *   Σ_i (code_i + mask_i) = Σ_i code_i  modulo 2^64,   decoded by the centred lift
 * </pre>
 *
 * Bonawitz et al. 2017, Section 4, without recovery from dropouts: a round in which a share is missing, or does not fit the
 * others, stays closed. Parties are therefore asked whether they are there before any of them releases anything. One that is lost
 * after that costs the others the release of that round, which their plans have charged, and nobody learns anything from it.
 *
 * <p>Parties are trusted to follow the protocol (honest but curious): one that sends another number spoils the sum and is not
 * found out.
 *
 * @param parties how many shares a sum has
 */
public record MaskedSum(int parties) implements Aggregator {
    public MaskedSum {
        if (parties < 2) {
            throw new IllegalArgumentException("masks need at least two parties");
        }
    }

    /** For noise that is shared so; nobody may be missing. */
    public static MaskedSum of(NoiseSharing sharing) {
        if (sharing.dropouts() > 0) {
            throw new IllegalArgumentException(
                    "masked sums cannot be opened without every party; share the noise for 0 dropouts, or use a plain sum");
        }
        return new MaskedSum(sharing.parties());
    }

    @Override
    public boolean needsEveryParty() {
        return true;
    }

    @Override
    public Optional<double[]> sum(List<? extends Message.Answer> answers) {
        if (answers.size() != parties || !(answers.get(0) instanceof Message.MaskedShare first)) {
            return Optional.empty();
        }
        Residues residues = Residues.OF_LONGS;
        long[] sum = new long[first.residues().size()];
        Set<String> senders = new HashSet<>();
        for (Message.Answer answer : answers) {
            if (!(answer instanceof Message.MaskedShare share) || !fits(share, first) || !senders.add(share.party())) {
                return Optional.empty();
            }
            PairwiseMasks.combine(residues, sum, share.residues().toArray(), true);
        }
        return Optional.of(new GridCode(residues, first.exponent()).decode(sum));
    }

    private static boolean fits(Message.MaskedShare share, Message.MaskedShare first) {
        return share.round() == first.round()
                && share.exponent() == first.exponent()
                && share.residues().size() == first.residues().size();
    }
}
