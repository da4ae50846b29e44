package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A slice of the campaign of {@link MalformedInputs}, whose main method runs the whole. */
class MalformedInputsTest {
    @TempDir
    Path folder;

    @Test
    void noInputIsADefectShowsACellOrIsChargedForNothing() {
        MalformedInputs.Outcome outcome = new MalformedInputs(folder).run(1, 0.045);
        assertThat(outcome.inputs()).isBetween(60, 75);
        assertThat(outcome.findings()).isEmpty();
        assertThat(outcome.exitCodes().values())
                .as("some are refused, some are good after all")
                .anySatisfy(codes -> assertThat(codes.keySet()).contains(0));
    }
}
