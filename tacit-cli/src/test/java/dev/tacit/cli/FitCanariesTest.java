package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.cli.audit.FitCanaries;
import dev.tacit.cli.dataset.SchemaFile;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.data.prepare.LocalTables;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.ledger.LedgerRequest;
import dev.tacit.fit.run.FitRequest;
import dev.tacit.fit.run.FitRun;
import dev.tacit.run.ReleaseNote;
import dev.tacit.run.RunListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Canaries are asked for, refused where they show nothing, and leave a number that may be published. */
class FitCanariesTest {
    private static final int ROWS = 200;

    @TempDir
    private Path folder;

    private Path fit;
    private Path schema;
    private Path table;

    @BeforeEach
    void tables() {
        FitTables tables = new FitTables(folder);
        table = tables.table("loans.csv", FitTables.loans(ROWS, 1));
        schema = tables.write("loans.schema.yaml", FitTables.loansSchema(ROWS));
        fit = folder.resolve("fit");
    }

    private CliRun network(String... more) {
        List<String> args = FitTables.fit(
                table,
                schema,
                fit,
                "--model",
                "neural-network",
                "--method",
                "dp-sep",
                "--set",
                "hiddenUnits=180",
                "--set",
                "steps=4",
                "--no-twins",
                "--simulate",
                "--seed",
                "4");
        args.addAll(List.of(more));
        return FitTables.run(args);
    }

    @Test
    void coinsStayAndTheirGuessesMayBePublished() throws IOException {
        String said = network("--epsilon", "8", "--delta", "1e-5", "--canaries", "128")
                .succeeded()
                .output();
        assertThat(said.replaceAll("\\s+", " "))
                .contains("One run with 128 invented records")
                .contains("they are part of what was fitted")
                .doesNotContain("verified");
        String published = Files.readString(fit.resolve("canaries.json"));
        assertThat(published).contains("\"canaries\":128").doesNotContain("coins");
        assertThat(Files.readString(fit.resolve("sealed").resolve("canaries.json")))
                .contains("\"coins\"")
                .containsPattern("\"heard\":[1-9]");
    }

    /** A run that is cut off between any two releases hears each of them once, and guesses what an uncut one does. */
    @Test
    void aResumedRunHearsEveryReleaseOnce() throws IOException {
        List<String> published = new ArrayList<>();
        for (long cutAfter : new long[] {Long.MAX_VALUE, 2, 4}) {
            Path out = folder.resolve("fit" + cutAfter);
            FitRequest request = new FitRequest(
                    table.toString(),
                    SchemaFile.read(schema.toString()),
                    "neural-network",
                    "dp-sep",
                    Map.of("hiddenUnits", "180", "steps", "4"),
                    Optional.of(new PrivacyBudget(8, 1e-5)),
                    out,
                    LedgerRequest.standard(),
                    0,
                    OptionalDouble.empty(),
                    OptionalLong.of(4),
                    1);
            RunListener cutting = new RunListener() {
                @Override
                public void released(ReleaseNote note, long made, long planned) {
                    if (made == cutAfter) {
                        throw new IllegalStateException("cut");
                    }
                }
            };
            FitRun run = new FitRun(request, cutting, new LocalTables(1), new FitCanaries(128, OptionalLong.of(4)));
            FitRun.Prepared prepared = run.prepare(false);
            if (cutAfter == Long.MAX_VALUE) {
                run.run(prepared);
            } else {
                assertThatThrownBy(() -> run.run(prepared)).hasMessage("cut");
                requireDamageSaid(request, out.resolve("sealed").resolve("canaries.json"));
                FitRun resumed = new FitRun(
                        request, RunListener.NONE, new LocalTables(1), new FitCanaries(128, OptionalLong.of(4)));
                resumed.run(resumed.prepare(true));
            }
            published.add(Files.readString(out.resolve("sealed").resolve("canaries.json")));
        }
        assertThat(published.get(1)).isEqualTo(published.get(0));
        assertThat(published.get(2)).isEqualTo(published.get(0));
    }

    /** A damaged file of coins stops a resumed run with a sentence, and one that is put right lets it go on. */
    private static void requireDamageSaid(FitRequest request, Path coins) throws IOException {
        String kept = Files.readString(coins);
        for (String scores : List.of("", "1,2", "\"x\"" + ",1".repeat(127), "1" + ",1".repeat(128))) {
            Files.writeString(coins, kept.replaceAll("\"scores\":.*]", "\"scores\":[" + scores + "]"));
            FitRun damaged =
                    new FitRun(request, RunListener.NONE, new LocalTables(1), new FitCanaries(128, OptionalLong.of(4)));
            assertThatThrownBy(() -> damaged.run(damaged.prepare(true)))
                    .isInstanceOf(FitException.class)
                    .hasMessageContaining("cannot be read, so the run cannot be resumed");
        }
        Files.writeString(coins, kept);
    }

    @Test
    void fewNumbersHideNothing() {
        assertThat(FitTables.run(FitTables.fit(
                                table,
                                schema,
                                fit,
                                "--method",
                                "residual-newton",
                                "--epsilon",
                                "1",
                                "--delta",
                                "1e-5",
                                "--canaries",
                                "128"))
                        .failed(ExitCode.USAGE)
                        .errors())
                .contains("below 1000");
        assertThat(fit).doesNotExist();
        assertThat(network("--not-private", "--canaries", "128")
                        .failed(ExitCode.USAGE)
                        .errors())
                .contains("has none");
        assertThat(network("--epsilon", "1", "--delta", "1e-5", "--canaries", "0")
                        .failed(ExitCode.USAGE)
                        .errors())
                .contains("--canaries");
    }

    /** They would be charged for and could not be counted. */
    @Test
    void tooFewAreRefusedBeforeTheCharge() {
        for (String few : List.of("1", "99")) {
            assertThat(network("--epsilon", "1", "--delta", "1e-5", "--canaries", few)
                            .failed(ExitCode.USAGE)
                            .errors())
                    .contains("at least 100");
        }
        assertThat(fit).doesNotExist();
    }
}
