package dev.tacit.fit.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.data.schema.Schema;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.LedgerConflict;
import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.ledger.LedgerRequest;
import dev.tacit.fit.ledger.LedgerView;
import dev.tacit.ledger.FileLedger;
import dev.tacit.ledger.SealedFile;
import dev.tacit.noise.SecureNoise;
import dev.tacit.query.ContributionSum;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One run of one ledger is one folder: whatever is copied or begun beside it draws no noise that others may see. */
class HeldRecordsTest {
    private static final String RUN = "study of all";
    private static final DiscreteGaussianMechanism NOISE = new DiscreteGaussianMechanism(4);
    private static final ReleasePlan PLAN = ReleasePlan.of("sums", 3, 2, new SamplingScheme.FullPass());

    @TempDir
    Path folder;

    private Schema schema;

    @BeforeEach
    void table() throws IOException {
        StringBuilder people = new StringBuilder("x,y\n");
        for (int row = 0; row < 40; row++) {
            people.append(row / 40.0).append(',').append(row % 2).append('\n');
        }
        Files.writeString(folder.resolve("people.csv"), people);
        schema = Schema.read(Files.writeString(folder.resolve("people.yaml"), """
                unit: record
                neighbours: add-remove
                size: 40
                target: y
                columns:
                  x: {type: number, bounds: [0, 1]}
                  y: {type: binary, positive: "1", negative: "0"}
                """));
    }

    /** One start of a program, which has not opened its door yet. */
    private final class Start implements AutoCloseable {
        private final HeldRecords records;
        private final SealedFile sealed;
        private PrivateSession session;

        Start(String name, String run) throws IOException {
            Path out = Files.createDirectories(folder.resolve(name));
            records = HeldRecords.open(
                    new FitRequest(
                            folder.resolve("people.csv").toString(),
                            schema,
                            "logistic-regression",
                            "residual-newton",
                            Map.of(),
                            Optional.of(new PrivacyBudget(1, 1e-6)),
                            out,
                            LedgerRequest.standard(),
                            0,
                            OptionalDouble.empty(),
                            OptionalLong.empty(),
                            1),
                    run);
            sealed = SealedFile.open(new FitFolder(out).releases(), run);
        }

        /** Looks at a ledger that is there, which binds the run to it. */
        void look() {
            records.ledger(PLAN.event(NOISE)).entries();
        }

        Start open(String run) throws BudgetExhausted {
            return open(run, records.ledger(PLAN.event(NOISE)));
        }

        Start open(String run, PrivacyLedger ledger) throws BudgetExhausted {
            session = records.data()
                    .open(RunRequest.of(run, PLAN).named(run).sealedIn(sealed), NOISE, ledger, SecureNoise.create());
            return this;
        }

        long[] release() {
            return session.release(ContributionSum.of(2, (block, row, contribution) -> contribution.add(0, 0.5)), 1)
                    .integers();
        }

        @Override
        public void close() {
            sealed.close();
            records.close();
        }
    }

    private Start start(String name) throws IOException, BudgetExhausted {
        return new Start(name, RUN).open(RUN);
    }

    private void copy(String from, String to) throws IOException {
        Path source = folder.resolve(from);
        try (Stream<Path> files = Files.walk(source)) {
            files.forEach(file -> {
                try {
                    Files.copy(file, folder.resolve(to).resolve(source.relativize(file)));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    private void assertRefused(String name, String why) throws IOException {
        try (Start start = new Start(name, RUN)) {
            assertThatThrownBy(() -> start.open(RUN))
                    .isInstanceOf(FitException.class)
                    .hasMessageContaining(why)
                    .hasMessageContaining("noise would be drawn twice");
        }
    }

    @Test
    void aRunThatWasChargedInAnotherFolderDoesNotBeginAgain() throws Exception {
        long[] first;
        try (Start one = start("one")) {
            first = one.release();
            assertRefused("two", "was charged for this run in another folder");
            one.release();
        }
        assertRefused("two", "was charged for this run in another folder");
        try (Start one = start("one")) {
            assertThat(one.release()).isEqualTo(first);
        }
    }

    /** Both are bound to the ledger before either is charged. */
    @Test
    void ofTwoThatBeginAtOnceOneIsRefused() throws Exception {
        new Start("earlier", "earlier").open("earlier").close(); // so that there is a ledger
        try (Start one = new Start("one", RUN);
                Start two = new Start("two", RUN)) {
            one.look();
            two.look();
            assertThatThrownBy(() -> one.open(RUN))
                    .isInstanceOf(FitException.class)
                    .hasMessageContaining("another copy of this folder");
            two.open(RUN).release();
            assertThat(two.records.released(RUN)).isEqualTo(1);
        }
        assertRefused("one", "another copy of this folder");
    }

    /** The copy goes on, so what the first drew and nobody heard of is never announced; started again it is refused. */
    @Test
    void whoseFolderWasCopiedAndWentOnReleasesNothingMore() throws Exception {
        try (Start one = start("one")) {
            one.release();
            copy("one", "two");
            try (Start two = start("two")) {
                assertThatThrownBy(one::release)
                        .isInstanceOf(FitException.class)
                        .hasMessageContaining("another copy of this folder");
                assertThat(two.records.released(RUN)).isEqualTo(1);
                two.release();
                two.release();
                assertThat(two.records.released(RUN)).isEqualTo(2);
            }
        }
        assertRefused("one", "another copy of this folder");
    }

    /** The twin: a ledger that is written whoever has the newest token. Started again, the second shows a draw of its own. */
    @Test
    void withoutTheTokenTwoFoldersDrawTwiceUnderOneCharge() throws Exception {
        new Start("earlier", "earlier").open("earlier").close(); // so that there is a ledger
        FileLedger bare = FileLedger.open(folder.resolve("people.ledger"), LedgerView.accounting());
        long[] first;
        try (Start one = new Start("one", RUN).open(RUN, bare);
                Start two = new Start("two", RUN).open(RUN, bare)) {
            first = one.release();
            assertThatThrownBy(two::release).isInstanceOf(LedgerConflict.class);
        }
        try (Start two = new Start("two", RUN).open(RUN, bare)) {
            assertThat(two.release()).isNotEqualTo(first);
            assertThat(bare.entries().stream().filter(entry -> entry.run().equals(Optional.of(RUN))))
                    .singleElement()
                    .matches(entry -> entry.released() == 1);
        }
    }

    @Test
    void copiesThatWereOutdatedDoNotGoOn() throws Exception {
        try (Start one = start("one")) {
            one.release();
            copy("one", "before");
            assertThat(one.records.mark()).isZero();
            one.records.outdateCopies(3);
            copy("one", "after");
            one.release();
        }
        assertRefused("before", "another copy of this folder");
        try (Start after = start("after")) {
            assertThat(after.records.mark()).isEqualTo(3);
        }
        assertRefused("one", "another copy of this folder");
    }
}
