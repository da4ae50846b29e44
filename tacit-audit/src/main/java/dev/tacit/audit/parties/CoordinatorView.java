package dev.tacit.audit.parties;

import dev.tacit.audit.subject.AuditedDoor;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.noise.NoiseSource;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.engine.ForwardingSession;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.partitioned.NoiseSharing;
import dev.tacit.partitioned.aggregate.PlainSum;
import dev.tacit.partitioned.message.LongVector;
import dev.tacit.partitioned.message.Message;
import java.util.ArrayList;
import java.util.List;

/**
 * What an honest but curious coordinator sees of parties that share their noise, if some of them tell it all they know and some
 * are missing.
 *
 * <pre>
 *   the aggregator's sum      Σ over parties that answer of (sum of its records + its share of the noise)
 *   what colluders know       their own terms, which are subtracted
 *   what is left              the unit's party, and one share of noise for each party that neither colludes nor is missing
 * </pre>
 *
 * Each party has its own door, its own noise and the shares of {@link NoiseSharing}; what travels is added up by the aggregator of
 * the protocol. Masks change no sum, so what is seen behind masks is the same. The unit's party is honest, all other records are
 * known. The noise that a subject adds must be a share: {@code subject.adding(sharing.share(multiplier))}.
 *
 * @param sharing for whom the noise is shared, and what the parties believe
 * @param colluders how many parties tell the coordinator their shares; as many as the sharing allows in an honest protocol
 * @param missing how many parties do not answer; the same
 */
public record CoordinatorView(NoiseSharing sharing, int colluders, int missing) implements AuditedDoor {
    public CoordinatorView {
        if (colluders < 0 || missing < 0 || sharing.parties() - colluders - missing < 1) {
            throw new IllegalArgumentException("a party is left that neither colludes nor is missing");
        }
    }

    /** The worst that the sharing pays for. */
    public static CoordinatorView worst(NoiseSharing sharing) {
        return new CoordinatorView(sharing, sharing.colluders(), sharing.dropouts());
    }

    /** Parties keep their own journals. */
    @Override
    public boolean resumes() {
        return false;
    }

    @Override
    public PrivateSession open(
            PrivateDataset data, RunRequest run, NoiseMechanism mechanism, PrivacyLedger ledger, NoiseSource noise)
            throws BudgetExhausted {
        List<PrivateSession> sessions = new ArrayList<>();
        for (int party = 0; party < sharing.parties() - missing; party++) {
            // The unit's party comes last, behind the colluders and the other honest ones.
            boolean own = party + 1 == sharing.parties() - missing;
            sessions.add((own ? data : nobody(data)).open(run, mechanism, ledger, noise.fork(party)));
        }
        return new View(sessions, new PlainSum(sharing.parties() - Math.max(missing, sharing.dropouts())), colluders);
    }

    private static PrivateDataset nobody(PrivateDataset data) {
        return LocalSummation.dataset(
                new RecordsInMemory(data.columns(), true, List.of(), null), data.unit(), data.publicSize(), 1);
    }

    private static final class View extends ForwardingSession {
        private final List<PrivateSession> sessions;
        private final PlainSum aggregator;
        private final int colluders;

        View(List<PrivateSession> sessions, PlainSum aggregator, int colluders) {
            super(sessions.get(sessions.size() - 1));
            this.sessions = sessions;
            this.aggregator = aggregator;
            this.colluders = colluders;
        }

        @Override
        public NoisySum release(RecordSum query, double l2Bound) {
            int round = (int) released();
            List<Message.Answer> answers = new ArrayList<>();
            List<double[]> known = new ArrayList<>();
            NoisySum last = null;
            for (int party = 0; party < sessions.size(); party++) {
                last = sessions.get(party).release(query, l2Bound);
                if (party < colluders) {
                    known.add(last.value());
                }
                answers.add(new Message.SumReply(
                        "party " + party,
                        round,
                        LongVector.of(last.integers()),
                        Math.getExponent(last.granularity()),
                        last.noiseStandardDeviation()));
            }
            double[] seen = aggregator
                    .sum(answers)
                    .orElseThrow(() -> new IllegalStateException("the aggregator keeps a round closed"));
            for (double[] own : known) {
                for (int j = 0; j < seen.length; j++) {
                    seen[j] -= own[j];
                }
            }
            return last.derived(seen, last.noiseStandardDeviation(), last.expectedBatchSize());
        }
    }
}
