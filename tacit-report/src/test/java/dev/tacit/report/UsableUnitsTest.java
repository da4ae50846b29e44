package dev.tacit.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import org.junit.jupiter.api.Test;

class UsableUnitsTest {
    private static final PrivacyUnit RECORD = PrivacyUnit.record(Neighbours.ADD_REMOVE);
    private static final PrivacyUnit PATIENT = new PrivacyUnit("patient", 3, Neighbours.ADD_REMOVE);

    @Test
    void aCountIsSaidWithItsNoise() {
        assertThat(new UsableUnits(3990.2, 5.9).sentence(RECORD, 4000))
                .isEqualTo("about 3,990 of 4,000 declared records were usable (give or take 12)");
        assertThat(new UsableUnits(-7.5, 40).sentence(PATIENT, 900))
                .isEqualTo("about 0 of 900 declared units were usable (give or take 80)");
    }

    @Test
    void onlyACountThatIsClearlyBelowHalfWarns() {
        assertThat(new UsableUnits(379, 40).warning(RECORD, 1000))
                .hasValueSatisfying(
                        warning -> assertThat(warning).contains("about 379 of 1,000", "tacit schema check"));
        assertThat(new UsableUnits(380, 40).warning(RECORD, 1000)).isEmpty();
        assertThat(new UsableUnits(0, 40).warning(RECORD, 240)).isEmpty();
    }

    @Test
    void aCountHasNoise() {
        assertThatThrownBy(() -> new UsableUnits(10, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new UsableUnits(Double.NaN, 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
