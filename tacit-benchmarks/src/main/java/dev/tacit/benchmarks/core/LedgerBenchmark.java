package dev.tacit.benchmarks.core;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.ledger.FileLedger;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.filter.LedgerAccounting;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Microseconds for one durable charge (two fsyncs), and for one durable line of the same length without a ledger (one
 * fsync).
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class LedgerBenchmark {
    private static final byte[] LINE = ("x".repeat(255) + "\n").getBytes(StandardCharsets.UTF_8);

    private final PrivacyEvent event = PrivacyEvent.gaussian(1e6).poissonSampled(0.001);
    private Path directory;
    private PrivacyLedger ledger;
    private FileChannel plain;

    /** Starts a ledger and a plain file in a temporary folder. */
    @Setup(Level.Iteration)
    public void open() throws IOException {
        directory = Files.createTempDirectory("tacit-ledger");
        ledger = FileLedger.create(
                directory.resolve("ledger"),
                LedgerTerms.of(PrivacyUnit.record(Neighbours.ADD_REMOVE), new PrivacyBudget(8, 1e-5)),
                new LedgerAccounting(new ExactAccountant(), new RenyiAccountant()::divergence));
        plain = FileChannel.open(
                directory.resolve("plain"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.APPEND);
    }

    /** Removes the folder. */
    @TearDown(Level.Iteration)
    public void close() throws IOException {
        plain.close();
        for (String name : new String[] {"ledger", "plain"}) {
            Files.deleteIfExists(directory.resolve(name));
        }
        Files.delete(directory);
    }

    /** One charge of a new event. */
    @Benchmark
    public LedgerEntry charge() throws BudgetExhausted {
        return ledger.charge("benchmark", event);
    }

    /** Limit: one line and one fsync. */
    @Benchmark
    public long limitLineAndFsync() throws IOException {
        ByteBuffer line = ByteBuffer.wrap(LINE);
        while (line.hasRemaining()) {
            plain.write(line);
        }
        plain.force(false);
        return plain.size();
    }
}
