package dev.tacit.partitioned.coordinator;

import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.partitioned.NoiseSharing;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a run across parties promises: to the people of each party, and to everybody.
 *
 * <p>A person's records are at one party, so what the others release says nothing about them (parallel composition), and the
 * promise to everybody is the largest of the parties' own.
 *
 * @param rounds how many there were
 * @param delta at which every epsilon holds
 * @param parties one line for each
 * @param sharing how noise was shared behind an aggregator; empty without one
 */
public record ProtocolStatement(int rounds, double delta, List<PartyLine> parties, Optional<NoiseSharing> sharing) {
    /**
     * A party's line.
     *
     * @param epsilon an upper bound for all it released
     * @param roundsPaid how many rounds its budget paid for
     * @param roundsAnswered how many it took part in
     */
    public record PartyLine(String party, double epsilon, int roundsPaid, int roundsAnswered) {
        /** From what was charged. */
        public static PartyLine of(
                String party,
                PrivacyEvent event,
                int roundsPaid,
                int roundsAnswered,
                double delta,
                PrivacyAccountant accountant,
                Neighbours neighbours) {
            return new PartyLine(
                    party,
                    roundsPaid == 0
                            ? 0
                            : accountant.epsilon(event, delta, neighbours).upper(),
                    roundsPaid,
                    roundsAnswered);
        }
    }

    public ProtocolStatement {
        parties = List.copyOf(parties);
    }

    /** The epsilon of the whole protocol. */
    public double epsilon() {
        return parties.stream().mapToDouble(PartyLine::epsilon).max().orElse(0);
    }

    /** In plain words. */
    public List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        sentences.add("The whole protocol keeps epsilon " + rounded(epsilon()) + " at delta " + delta
                + ": each person's records are at one of " + parties.size() + " parties.");
        if (sharing.isPresent()) {
            NoiseSharing shared = sharing.get();
            sentences.add(
                    "This holds for the sums that the aggregator hands out, if nobody sees single answers because the"
                            + " aggregator keeps them to itself or they are masked, at most " + shared.colluders()
                            + " parties work together against the others, and at"
                            + " least " + shared.honestShares()
                            + " of the others add their share of the noise; rounds with"
                            + " more than " + shared.dropouts() + " missing parties are not handed out.");
        } else {
            sentences.add("Each party adds all of its noise itself and needs to trust nobody.");
        }
        for (PartyLine line : parties) {
            if (line.roundsPaid() < rounds) {
                sentences.add(line.party() + " stopped taking part after round " + line.roundsPaid() + " of " + rounds
                        + " because its budget was spent; its last factor stays in the result.");
            } else if (line.roundsAnswered() < rounds) {
                sentences.add(line.party() + " answered in " + line.roundsAnswered() + " of " + rounds
                        + " rounds; where it was missing its last factor stayed in the result.");
            }
        }
        return sentences;
    }

    private static String rounded(double epsilon) {
        return Double.isInfinite(epsilon)
                ? "unbounded"
                : new BigDecimal(epsilon)
                        .round(new MathContext(4, RoundingMode.CEILING))
                        .stripTrailingZeros()
                        .toPlainString();
    }
}
