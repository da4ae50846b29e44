package dev.tacit.federated.release;

import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.SealedReleases;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.federated.protocol.ReleaseSource;
import dev.tacit.federated.study.StudyPlan;
import dev.tacit.noise.NoiseLayer;
import dev.tacit.partitioned.shard.PartyShardSum;
import dev.tacit.partitioned.shard.PartyView;
import dev.tacit.partitioned.shard.ShardSum;
import dev.tacit.query.ContributionSum;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A party's door as the protocol asks it: release k of the session is for round k, for ever.
 *
 * <p>A party that was missing in a round makes the release that its plan has there all the same, of nothing, and shows it to nobody: what was
 * charged is spent, and the next round finds the noise and the dimension that its phase has at all parties. After a crash the session hands
 * out what was sealed; a release that the ledger knows and nobody sealed is lost.
 */
public final class PartyDoorway implements ReleaseSource {
    /** Arithmetic of other machines may differ in its last bits. */
    private static final double SAME_BOUND = 1e-9;

    /** What a party knows of its ledger. */
    public interface Ledger {
        /** The hash of its newest line, in hexadecimal digits. */
        String head();

        /** Whether it has a line of that hash. */
        boolean knows(String head);

        /** How many releases of this study it knows of. */
        long released();

        /** Copies of the party's folder that were made before cannot go on any more; keeps how many rounds were agreed about. */
        void outdateCopies(long rounds);

        /** What was kept so last; 0 if nothing was. */
        long agreedRounds();
    }

    private static final String NO_REQUEST = "the request is not one that the method of the study makes";

    private final StudyPlan plan;
    private final MethodSteps<?, ?> steps;
    private final SealedReleases sealed;
    private final Ledger ledger;
    private final PrivateSession session;
    private List<NoiseLayer> layers = List.of();

    private PartyDoorway(
            StudyPlan plan,
            SealedReleases sealed,
            Ledger ledger,
            Function<Supplier<List<NoiseLayer>>, PrivateSession> opener) {
        this.plan = plan;
        this.steps = MethodSteps.of(plan);
        this.sealed = sealed;
        this.ledger = ledger;
        this.session = opener.apply(() -> layers);
    }

    /** Charges the study, once, and opens the door for it. */
    public static PartyDoorway open(
            StudyPlan plan,
            SealedReleases sealed,
            Ledger ledger,
            Function<Supplier<List<NoiseLayer>>, PrivateSession> opener) {
        return new PartyDoorway(plan, sealed, ledger, opener);
    }

    @Override
    public Optional<String> refusal(int round, byte[] request) {
        if (round >= plan.releases()) {
            return Optional.of("the study has " + plan.releases() + " releases, and another one is asked for");
        }
        StateRequest asked;
        MethodSteps.Asked own;
        try {
            asked = StateRequest.read(request);
            own = steps.asked(asked);
        } catch (RuntimeException e) { // a request may hold anything, and is public
            return Optional.of(NO_REQUEST);
        }
        ReleasePlan.Phase phase = plan.plan().phaseOf(round);
        if (asked.release() != round || own.query().dimension() != phase.dimension()) {
            return Optional.of("the request is not for the next release of the study, " + phase.label());
        }
        if (Math.abs(own.l2Bound() - asked.l2Bound()) > SAME_BOUND * own.l2Bound()) {
            return Optional.of(
                    "the request names another L2 bound than the method of the study has for " + phase.label());
        }
        try {
            plan.publicNoise(phase).grid(asked.l2Bound(), phase.dimension());
        } catch (IllegalArgumentException noGrid) {
            return Optional.of(NO_REQUEST);
        }
        return Optional.empty();
    }

    @Override
    public Optional<long[]> release(int index, int round, byte[] request, List<NoiseLayer> own) {
        layers = List.copyOf(own);
        while (session.released() < round) {
            long missed = session.released();
            // what was sealed for a round that went on without this party is an answer to that round's bound
            double bound = sealed.firstFrom(missed).orElse(-1) == missed ? sealed.l2Bound(missed) : 1;
            session.release(nothing(plan.plan().phaseOf(missed)), bound);
            sealed.dropBefore(session.released());
        }
        if (session.released() > round) {
            return Optional.empty();
        }
        StateRequest asked = StateRequest.read(request);
        return Optional.of(
                session.release(steps.asked(asked).query(), asked.l2Bound()).integers());
    }

    /** What everybody contributes nothing to. */
    private RecordSum nothing(ReleasePlan.Phase phase) {
        return PartyView.shardsOf(plan.plan()).isPresent()
                ? PartyShardSum.of(ShardSum.of(phase.dimension(), (shard, contribution) -> {}))
                : ContributionSum.of(phase.dimension(), (block, row, contribution) -> {});
    }

    @Override
    public void outdateCopies(int rounds) {
        ledger.outdateCopies(rounds);
    }

    @Override
    public int agreedRounds() {
        return Math.toIntExact(ledger.agreedRounds());
    }

    @Override
    public void kept(int index) {
        sealed.dropBefore(session.released());
    }

    @Override
    public byte[] ledgerHead() {
        return HexFormat.of().parseHex(ledger.head());
    }

    @Override
    public boolean knowsLedgerHead(byte[] head) {
        return ledger.knows(HexFormat.of().formatHex(head));
    }

    @Override
    public long released() {
        return Math.max(session.released(), ledger.released());
    }
}
