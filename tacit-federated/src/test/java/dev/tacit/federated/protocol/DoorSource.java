package dev.tacit.federated.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.door.ledger.RunPosition;
import dev.tacit.door.noise.NoiseSource;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.federated.crypto.ContentHash;
import dev.tacit.federated.message.StudyTerms;
import dev.tacit.federated.noise.LayeredNoiseShare;
import dev.tacit.federated.noise.RoundNoise;
import dev.tacit.noise.NoiseLayer;
import dev.tacit.query.ContributionSum;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** A party's real door over a few rows, as a source of releases; requests are a bound in words. */
final class DoorSource implements ReleaseSource {
    static final double NOISE_MULTIPLIER = 4;
    static final int COLUMNS = 3;

    /** What left the door, and the layers in it, by round: what a test knows and nobody else. */
    static final class Seen {
        final Map<Integer, long[]> released = new HashMap<>();
        final Map<Integer, List<NoiseLayer>> layers = new HashMap<>();
    }

    private final Disk disk;
    private final Seen seen;
    private final Supplier<? extends NoiseSource> noise;
    private final ReleasePlan plan;
    private final PrivateDataset data;
    private final LayeredNoiseShare mechanism;
    private List<NoiseLayer> layers = List.of();
    private Optional<PrivateSession> session = Optional.empty();

    DoorSource(StudyTerms terms, Disk disk, double[] rows, Seen seen, Supplier<? extends NoiseSource> noise) {
        this.disk = disk;
        this.seen = seen;
        this.noise = noise;
        plan = ReleasePlan.of("sum of rows", terms.rounds(), COLUMNS, new SamplingScheme.FullPass());
        int count = rows.length / COLUMNS;
        data = LocalSummation.dataset(
                RecordsInMemory.of(DenseBlock.of(count, COLUMNS, rows, new double[count]), false),
                Disk.RECORD,
                count,
                1);
        mechanism = new LayeredNoiseShare(NOISE_MULTIPLIER, terms.noiseLayers(), () -> layers);
    }

    static byte[] request(double l2Bound) {
        return ("sum of rows, clipped at " + l2Bound).getBytes(UTF_8);
    }

    static double bound(byte[] request) {
        String text = new String(request, UTF_8);
        return Double.parseDouble(text.substring(text.lastIndexOf(' ') + 1));
    }

    static RoundNoise noise(StudyTerms terms) {
        LayeredNoiseShare share = LayeredNoiseShare.publicPart(NOISE_MULTIPLIER, terms.noiseLayers());
        return (round, request) -> share.wholeSteps(bound(request), COLUMNS);
    }

    @Override
    public Optional<String> refusal(int round, byte[] request) {
        return bound(request) > 2
                ? Optional.of("the plan does not name the bound that was asked for")
                : Optional.empty();
    }

    @Override
    public Optional<long[]> release(int index, int round, byte[] request, List<NoiseLayer> roundLayers) {
        if (session.isEmpty()) {
            session = Optional.of(open(index));
        }
        if (session.get().released() > index) {
            return Optional.empty();
        }
        layers = roundLayers;
        long[] integers = session.get()
                .release(
                        ContributionSum.of(COLUMNS, (block, row, contribution) -> contribution.addRow(0, 1)),
                        bound(request))
                .integers();
        seen.released.put(round, integers.clone());
        seen.layers.put(round, roundLayers);
        return Optional.of(integers);
    }

    @Override
    public long released() {
        List<LedgerEntry> charged = disk.ledger.entries();
        return charged.isEmpty() ? 0 : charged.get(0).released();
    }

    private PrivateSession open(int index) {
        RunRequest run = RunRequest.of("study", plan).named("study").sealedIn(disk);
        List<LedgerEntry> charged = disk.ledger.entries();
        if (!charged.isEmpty()) {
            run = run.resumedAt(
                    new RunPosition(charged.get(0).sequence(), charged.get(0).hash(), index));
        }
        try {
            return data.open(run, mechanism, disk.ledger, noise.get());
        } catch (BudgetExhausted impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public void outdateCopies(int rounds) {
        disk.agree(rounds);
    }

    @Override
    public int agreedRounds() {
        return disk.agreedRounds();
    }

    @Override
    public void kept(int index) {
        disk.dropBefore(index + 1);
    }

    @Override
    public byte[] ledgerHead() {
        List<LedgerEntry> charged = disk.ledger.entries();
        return charged.isEmpty()
                ? new byte[ContentHash.BYTES]
                : HexFormat.of().parseHex(charged.get(0).hash());
    }

    @Override
    public boolean knowsLedgerHead(byte[] head) {
        return Arrays.equals(head, new byte[ContentHash.BYTES]) || Arrays.equals(head, ledgerHead());
    }
}
