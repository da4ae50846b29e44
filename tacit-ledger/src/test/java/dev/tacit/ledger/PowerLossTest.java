package dev.tacit.ledger;

import static dev.tacit.ledger.LedgerFixtures.ACCOUNTING;
import static dev.tacit.ledger.LedgerFixtures.gaussian;
import static dev.tacit.ledger.LedgerFixtures.terms;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.door.ledger.Charge;
import dev.tacit.json.EventJson;
import dev.tacit.ledger.LedgerVerdict.Intact;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a power failure can leave of a ledger: everything before the last fsync, and after it any beginning of what was
 * written, possibly followed by zeros where the file had already grown.
 */
class PowerLossTest {
    @TempDir(factory = MemoryFolder.class)
    private Path folder;

    private int states;

    /** What the disk saw (a write or an fsync), or what the caller did (a release). */
    private sealed interface Step {
        record Write(long position, String text) implements Step {}

        record Force() implements Step {}

        record Release(String label) implements Step {}
    }

    private static final class RecordingChannel extends ForwardingChannel {
        private final List<Step> steps;

        RecordingChannel(FileChannel file, List<Step> steps) {
            super(file);
            this.steps = steps;
        }

        @Override
        public int write(ByteBuffer source, long position) throws IOException {
            byte[] bytes = new byte[source.remaining()];
            source.duplicate().get(bytes);
            steps.add(new Step.Write(position, new String(bytes, ISO_8859_1)));
            return super.write(source, position);
        }

        @Override
        public void force(boolean metaData) throws IOException {
            steps.add(new Step.Force());
            super.force(metaData);
        }
    }

    /** Two charges and their releases, as the disk saw them. */
    private List<Step> record(boolean releaseFirst) throws Exception {
        Path file = folder.resolve("recorded");
        Files.deleteIfExists(file);
        List<Step> steps = new ArrayList<>();
        FileLedger ledger = FileLedger.create(
                file,
                terms(1),
                ACCOUNTING,
                (path, options) -> new RecordingChannel(FileChannel.open(path, options), steps));
        for (String label : List.of("one", "two")) {
            if (releaseFirst) {
                steps.add(new Step.Release(label));
            }
            ledger.charge(Charge.of(label, gaussian(1e-5)).forRun(label));
            if (!releaseFirst) {
                steps.add(new Step.Release(label));
            }
        }
        return steps;
    }

    /** How many of all possible states after a power failure miss a charge that was released. */
    private int unpaidStates(List<Step> steps) throws Exception {
        int unpaid = 0;
        byte[] durable = {};
        List<Step.Write> pending = new ArrayList<>();
        List<String> released = new ArrayList<>();
        for (Step step : steps) {
            if (step instanceof Step.Write write) {
                pending.add(write);
            } else if (step instanceof Step.Release release) {
                released.add(release.label());
            }
            byte[] image = durable;
            unpaid += isUnpaid(image, released) ? 1 : 0;
            for (Step.Write write : pending) {
                for (int length = 0; length <= write.text().length(); length++) {
                    unpaid += isUnpaid(with(image, write, length, false), released) ? 1 : 0;
                    unpaid += isUnpaid(with(image, write, length, true), released) ? 1 : 0;
                }
                image = with(image, write, write.text().length(), false);
            }
            if (step instanceof Step.Force) {
                durable = image;
                pending.clear();
            }
        }
        return unpaid;
    }

    private static byte[] with(byte[] disk, Step.Write write, int length, boolean grown) {
        int end = (int) write.position() + (grown ? write.text().length() - 1 : length);
        byte[] image = Arrays.copyOf(disk, Math.max(disk.length, Math.max(end, (int) write.position() + length)));
        System.arraycopy(write.text().getBytes(ISO_8859_1), 0, image, (int) write.position(), length);
        return image;
    }

    private boolean isUnpaid(byte[] disk, List<String> released) throws Exception {
        Path file = folder.resolve("after");
        Files.write(file, disk);
        LedgerVerdict verdict = LedgerFile.verify(file, EventJson.standard());
        if (!(verdict instanceof Intact intact)) {
            assertThat(released).as("only a ledger without a header is broken").isEmpty();
            return false;
        }
        boolean unpaid =
                !ReleaseCheck.unpaid(released, intact.contents().entries()).isEmpty();
        if (++states % 5 == 0) {
            FileLedger.open(file, ACCOUNTING).charge("next", gaussian(1e-5));
            assertThat(LedgerFile.verify(file, EventJson.standard())).isInstanceOf(Intact.class);
        }
        return unpaid;
    }

    @Test
    void noStateAfterAPowerFailureMissesAReleasedCharge() throws Exception {
        assertThat(unpaidStates(record(false))).isZero();
    }

    @Test
    void eachChargeIsTwoLinesAndTwoFsyncs() throws Exception {
        List<Step> steps = record(false);
        List<String> kinds = new ArrayList<>();
        for (Step step : steps) {
            kinds.add(step.getClass().getSimpleName());
        }
        assertThat(kinds.subList(kinds.size() - 5, kinds.size()))
                .containsExactly("Write", "Force", "Write", "Force", "Release");
    }

    /** The sabotaged twins: a release before the charge, and a disk that never does what fsync promises. */
    @Test
    void sabotageIsCaught() throws Exception {
        assertThat(unpaidStates(untilFirstRelease(record(true)))).isPositive();
        List<Step> steps = new ArrayList<>(untilFirstRelease(record(false)));
        Step.Force forgotten = new Step.Force();
        List<Step> lying = new ArrayList<>(steps.subList(0, 2));
        steps.subList(2, steps.size()).stream()
                .filter(step -> !step.equals(forgotten))
                .forEach(lying::add);
        assertThat(unpaidStates(lying)).isPositive();
    }

    private static List<Step> untilFirstRelease(List<Step> steps) {
        int release = 0;
        while (!(steps.get(release) instanceof Step.Release)) {
            release++;
        }
        return steps.subList(0, release + 1);
    }

    /**
     * Even if the last fsync before a release did nothing, the charge is there: it was made durable by the one
     * before.
     */
    @Test
    void oneLyingFsyncIsSurvived() throws Exception {
        List<Step> steps = record(false);
        for (int i = 0; i < steps.size(); i++) {
            if (steps.get(i) instanceof Step.Release) {
                List<Step> lied = new ArrayList<>(steps.subList(0, i + 1));
                lied.remove(i - 1);
                assertThat(unpaidStates(lied)).isZero();
            }
        }
    }
}
