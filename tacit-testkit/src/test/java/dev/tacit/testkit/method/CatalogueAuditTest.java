package dev.tacit.testkit.method;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CatalogueAuditTest {
    @Test
    void whatWasNotSeenIsNoZeroAndBoundsAreRoundedDown() {
        assertThat(CatalogueAudit.seen(0, 0)).isEqualTo("too few runs");
        assertThat(CatalogueAudit.seen(0.0099, 0.0099)).isEqualTo("too few runs");
        assertThat(CatalogueAudit.seen(0, 0.129)).isEqualTo("too few runs / 0.12");
        assertThat(CatalogueAudit.seen(1.239, 1.2599)).isEqualTo("1.23 / 1.25");
    }
}
