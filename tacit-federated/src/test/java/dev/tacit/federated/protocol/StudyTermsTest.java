package dev.tacit.federated.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.federated.message.StudyTerms;
import org.junit.jupiter.api.Test;

/** Which numbers of parties, colluders and absences the protocol takes. */
class StudyTermsTest {
    @Test
    void twoOpeningsOfARoundAreImpossibleForAllShapesThatAreTaken() {
        for (int parties = 2; parties <= 255; parties++) {
            for (int colluders = 0; colluders < parties; colluders++) {
                int dropouts = (parties - colluders - 1) / 2;
                int threshold = (parties + colluders) / 2 + 1;
                assertThat(2 * threshold).isGreaterThan(parties + colluders);
                if (2 * dropouts + colluders < parties) {
                    assertThat(threshold).isLessThanOrEqualTo(parties - dropouts);
                }
            }
        }
        assertThat(new Federation(10, 2, 3, true, 1, 1).terms.threshold()).isEqualTo(7);
        assertThat(new Federation(10, 2, 3, true, 1, 1).terms.least()).isEqualTo(7);
    }

    @Test
    void shapesThatPromiseNothingAreRefusedInWords() {
        assertThatThrownBy(() -> StudyTerms.requireShape(10, 2, 4)).hasMessageContaining("twice the first");
        assertThatThrownBy(() -> StudyTerms.requireShape(1, 0, 0)).hasMessageContaining("2 to 255 parties");
        assertThatThrownBy(() -> StudyTerms.requireShape(256, 0, 0)).hasMessageContaining("the study has 256");
        assertThatThrownBy(() -> StudyTerms.requireShape(3, 2, 0)).hasMessageContaining("there must be two");
        StudyTerms.requireShape(255, 84, 85);
    }

    @Test
    void everyTermIsInTheHash() {
        Federation federation = new Federation(5, 1, 1, true, 3, 9);
        StudyTerms terms = federation.terms;
        byte[] hash = terms.binding();
        assertThat(hash).isEqualTo(new Federation(5, 1, 1, true, 3, 9).terms.binding());
        assertThat(hash).isNotEqualTo(new Federation(5, 0, 1, true, 3, 9).terms.binding());
        assertThat(hash).isNotEqualTo(new Federation(5, 1, 0, true, 3, 9).terms.binding());
        assertThat(hash).isNotEqualTo(new Federation(5, 1, 1, false, 3, 9).terms.binding());
        assertThat(hash).isNotEqualTo(new Federation(5, 1, 1, true, 4, 9).terms.binding());
        assertThat(hash).isNotEqualTo(new Federation(5, 1, 1, true, 3, 10).terms.binding());
    }
}
