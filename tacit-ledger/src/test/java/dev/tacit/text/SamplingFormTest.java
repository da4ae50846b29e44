package dev.tacit.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.door.sampling.SamplingScheme;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SamplingFormTest {
    @ParameterizedTest
    @ValueSource(strings = {"none", "poisson:0.01", "poisson:1.0E-7", "fixed:10/1000"})
    void aSchemeIsWrittenAsItIsRead(String text) {
        SamplingScheme scheme = SamplingForm.read(text).scheme();
        assertThat(SamplingForm.of(scheme).text()).isEqualTo(text);
        assertThat(SamplingForm.of(scheme)).isEqualTo(SamplingForm.read(text));
    }

    @Test
    void theSchemesAreTheOnesThatAreNamed() {
        assertThat(SamplingForm.read("full").scheme()).isEqualTo(new SamplingScheme.FullPass());
        assertThat(SamplingForm.read("poisson:.5").scheme()).isEqualTo(new SamplingScheme.PoissonSampling(0.5));
        assertThat(SamplingForm.read("fixed:1e2/1e6").scheme())
                .isEqualTo(new SamplingScheme.FixedSizeSampling(100, 1_000_000));
    }

    @Test
    void whatCannotBeDrawnHasNoScheme() {
        assertThatThrownBy(() -> SamplingForm.read("poisson:?").scheme()).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SamplingForm.read("poisson:1e-40").scheme())
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "all", "poisson:0x1p-3", "poisson:0", "poisson:NaN", "fixed:2/1", "fixed:1", "FULL"})
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> SamplingForm.read(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("(must be|needs) .*");
    }
}
