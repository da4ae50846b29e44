package dev.tacit.fit.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.door.noise.Provenance;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.fit.artefact.ReleaseRecord;
import dev.tacit.fit.artefact.StudyRecord;
import dev.tacit.report.PrivacyStatement;
import dev.tacit.run.ReleaseNote;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is promised to the people of several parties, and what is not. */
class StudyStatementTest {
    private static StudyRecord study(boolean masked, long lost) {
        return new StudyRecord(
                "loans",
                "00",
                "eight words",
                List.of(new StudyRecord.Member("north", 300, 7), new StudyRecord.Member("south", 300, 7)),
                masked,
                1,
                0,
                1.75001,
                1.2247448,
                lost,
                Optional.empty(),
                true);
    }

    private static String statement(StudyRecord study, long gradients) {
        List<ReleaseNote> notes = new ArrayList<>(List.of(new ReleaseNote("moments", 3, 1, 0.1)));
        for (int place = 0; place < gradients; place++) {
            notes.add(new ReleaseNote("gradients", 5, 1, 0.1));
        }
        ReleaseRecord release = new ReleaseRecord(
                "two parties",
                PrivacyUnit.record(Neighbours.ADD_REMOVE),
                600,
                new ReleasePlan(List.of(
                        new ReleasePlan.Phase("moments", 1, 3, new SamplingScheme.FullPass(), 1),
                        new ReleasePlan.Phase("gradients", 9, 5, new SamplingScheme.FullPass(), 1))),
                0,
                Optional.empty(),
                Optional.empty(),
                Optional.of(study),
                Optional.of(new ReleaseRecord.Privacy(
                        new PrivacyBudget(1, 1e-5), 20, 0.99, "exact", Optional.empty(), Optional.empty())),
                notes,
                Provenance.RELEASABLE,
                "2026-01-01T00:00:00Z",
                Map.of("tacit", "0"));
        return PrivacyStatement.of(FitWriting.facts(release)).text().replaceAll("\\s+", " ");
    }

    @Test
    void sumsThatWereGivenUpWereNotReleased() {
        assertThat(statement(study(true, 3), 6))
                .contains("7 of 10 planned sums were opened; the other 3 were given up and stay charged.")
                .contains("- one noisy sum of 3 numbers: moments")
                .contains("- 6 of 9 planned noisy sums of 5 numbers: gradients");
        assertThat(study(true, 3).brief(10))
                .isEqualTo("2 with their own records, study loans; only sums were seen, noise 1.22 times that of one"
                        + " trusted curator; 7 of 10 planned sums were opened; the other 3 were given up and stay"
                        + " charged");
        assertThat(statement(study(true, 0), 9))
                .contains("- one noisy sum of 3 numbers: moments")
                .contains("- 9 noisy sums of 5 numbers: gradients")
                .doesNotContain("planned");
    }

    /** Masks hold for as long as cryptography does, and noise against everybody. */
    @Test
    void masksArePromisedAgainstLessThanNoise() {
        assertThat(statement(study(true, 0), 9))
                .contains("an attacker who reads the sums that were opened, knows the code")
                .contains("held only to what one party's own noise promises, epsilon 1.751.")
                .contains("It is assumed that all records of a person are at one party");
        assertThat(statement(study(false, 0), 9))
                .contains("an attacker who knows the code")
                .doesNotContain("cryptography");
    }
}
