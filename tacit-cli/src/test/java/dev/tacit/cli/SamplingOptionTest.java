package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.cli.account.SamplingOption;
import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.text.SamplingForm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SamplingOptionTest {
    private static SamplingForm parse(String text) {
        return SamplingOption.parse(text, "--sampling", ExitCode.USAGE);
    }

    @Test
    void theThreeSpellingsAreRead() {
        PrivacyEvent release = PrivacyEvent.gaussian(1);
        assertThat(parse("none").around(release)).isEqualTo(release);
        assertThat(parse("poisson:0.01").around(release)).isEqualTo(release.poissonSampled(0.01));
        assertThat(parse("poisson:1").around(release)).isEqualTo(release.poissonSampled(1));
        assertThat(parse("fixed:10/1000").around(release)).isEqualTo(release.fixedSizeSampled(10, 1000));
        assertThat(parse("fixed:1e2/1e6")).isEqualTo(new SamplingForm.Fixed(100, 1_000_000));
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "poisson:0.01", "poisson:1.0E-7", "fixed:10/1000", "poisson:?"})
    void whatIsWrittenReadsBack(String text) {
        assertThat(parse(text).text()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "all",
                "poisson",
                "poisson:",
                "poisson:0",
                "poisson:-0.1",
                "poisson:1.0001",
                "poisson:NaN",
                "poisson:1e-400",
                "poisson:0x1p-3",
                "poisson:0.1d",
                "fixed:",
                "fixed:10",
                "fixed:0/10",
                "fixed:11/10",
                "fixed:1.5/10",
                "fixed:-1/10",
                "fixed:1/1e30",
                "fixed:1/",
                "Poisson:0.1",
                " none"
            })
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> parse(text)).isInstanceOf(CommandFailure.class).hasMessageStartingWith("--sampling ");
    }
}
