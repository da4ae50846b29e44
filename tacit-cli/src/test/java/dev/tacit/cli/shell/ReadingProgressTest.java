package dev.tacit.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tacit.cli.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes of a file, on standard error alone. */
class ReadingProgressTest {
    @TempDir
    private Path folder;

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    private Console console(Terminal.Errors reader) {
        return new Console(new ByteArrayInputStream(new byte[0]), output, errors, new Terminal(false, false, reader));
    }

    private String said() {
        return errors.toString(StandardCharsets.UTF_8);
    }

    private static ReadingProgress halfWay(Console console) {
        return new ReadingProgress(
                console, "people.csv", OptionalLong.of(400_000_000), () -> OptionalLong.of(100_000_000));
    }

    @Test
    void aLogGetsLines() {
        Console console = console(Terminal.Errors.WRITTEN);
        try (ReadingProgress progress = halfWay(console)) {
            progress.show();
            progress.show();
        }
        console.flush();
        assertThat(said()).isEqualTo("tacit: reading people.csv: 100 of 400 MB (25%) ...\n".repeat(2));
        assertThat(output.size()).isZero();
    }

    @Test
    void aTerminalGetsOneLineThatIsTakenAwayAgain() {
        ReadingProgress progress = halfWay(console(Terminal.Errors.DRAWN));
        progress.show();
        progress.close();
        progress.close();
        progress.show();
        assertThat(said()).isEqualTo("\rreading people.csv: 100 of 400 MB (25%)\u001b[K\r\u001b[K");
    }

    @Test
    void nothingIsSaidOfATableThatIsReadAtOnce() throws IOException {
        Path file = Files.writeString(folder.resolve("people.csv"), "a\n1\n");
        assertThat(ReadingProgress.during(console(Terminal.Errors.WRITTEN), file.toString(), () -> 7))
                .isEqualTo(7);
        assertThat(said()).isEmpty();
    }

    /** Where a file is read out of order, or is no file, there is nothing to count. */
    @Test
    void whatIsNotKnownIsNotSaid() {
        Console console = console(Terminal.Errors.WRITTEN);
        try (ReadingProgress progress =
                new ReadingProgress(console, "the table", OptionalLong.empty(), OptionalLong::empty)) {
            progress.show();
        }
        assertThat(said()).isEqualTo("tacit: reading the table ...\n");
    }

    @Test
    void thePositionIsWhereReadingIs() throws IOException {
        assumeTrue(Files.isDirectory(Path.of("/proc/self/fdinfo")), "the system must say where files are read");
        Path file = Files.write(folder.resolve("people.csv"), new byte[5000]);
        assertThat(OpenFiles.position(file)).isEmpty();
        try (InputStream in = Files.newInputStream(file)) {
            assertThat(in.readNBytes(1234)).hasSize(1234);
            assertThat(OpenFiles.position(file)).hasValue(1234);
        }
        assertThat(OpenFiles.position(file)).isEmpty();
        assertThat(OpenFiles.position(folder.resolve("missing"))).isEmpty();
    }
}
