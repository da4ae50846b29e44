package dev.tacit.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.door.ledger.PrivacyLedger;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A running {@link LedgerWriter}. */
final class LedgerProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;

    private LedgerProcess(Process process) {
        this.process = process;
        this.out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    }

    static LedgerProcess start(LedgerWriter.Mode mode, Path file, String prefix) throws IOException {
        return new LedgerProcess(new ProcessBuilder(command(mode, file, prefix))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** The same with a limit on the size of files, which the kernel enforces as it would a full disk. */
    static LedgerProcess startWithFileSizeLimit(int kibibytes, LedgerWriter.Mode mode, Path file, String prefix)
            throws IOException {
        String java = command(mode, file, prefix).stream()
                .map(word -> "'" + word + "'")
                .collect(Collectors.joining(" "));
        return new LedgerProcess(new ProcessBuilder("bash", "-c", "ulimit -f " + kibibytes + " && exec " + java)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    private static List<String> command(LedgerWriter.Mode mode, Path file, String prefix) {
        String classPath = Stream.of(PrivacyLedger.class, PrivacyAccountant.class, FileLedger.class, LedgerWriter.class)
                .map(LedgerProcess::location)
                .collect(Collectors.joining(System.getProperty("path.separator")));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-XX:-UsePerfData", "-Xmx64m"));
        command.addAll(List.of("-cp", classPath, LedgerWriter.class.getName(), mode.name(), file.toString(), prefix));
        return command;
    }

    private static String location(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The next line it said, or null after its end. */
    String heard() {
        try {
            return out.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void tell(String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes(UTF_8));
        process.getOutputStream().flush();
    }

    /** Kills it where it stands (SIGKILL; {@link Process#destroyForcibly} would also close its output). */
    List<String> kill() throws InterruptedException {
        process.toHandle().destroyForcibly();
        return end();
    }

    /** Waits for its end and returns everything it had still said. */
    List<String> end() throws InterruptedException {
        List<String> lines = new ArrayList<>();
        for (String line = heard(); line != null; line = heard()) {
            lines.add(line);
        }
        process.waitFor();
        return lines;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
