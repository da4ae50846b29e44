package dev.tacit.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.door.noise.Provenance;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.sampling.SamplingScheme.FixedSizeSampling;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.sampling.SamplingScheme.PoissonSampling;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PrivacyStatementTest {
    private static StatementFacts facts(
            PrivacyUnit unit, double epsilon, double delta, List<SamplingScheme> sampling, List<String> released) {
        return new StatementFacts(
                Provenance.RELEASABLE,
                unit,
                1000,
                epsilon,
                delta,
                "exact",
                OptionalDouble.empty(),
                sampling,
                OptionalDouble.empty(),
                "discrete Gaussian",
                released,
                Optional.empty(),
                List.of());
    }

    private static String flat(StatementFacts facts) {
        return PrivacyStatement.of(facts).text().replaceAll("\\s+", " ");
    }

    @ParameterizedTest
    @EnumSource(Provenance.class)
    void itFitsOnAPageAndSaysWhatCounts(Provenance provenance) {
        String text = PrivacyStatement.of(SampleReport.facts(provenance)).text();
        assertThat(text.lines().count()).isLessThanOrEqualTo(66);
        assertThat(text.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(88));
        assertThat(text.replaceAll("\\s+", " "))
                .contains(
                        provenance == Provenance.NOT_PRIVATE
                                ? List.of("Nobody", "32561")
                                : List.of("One person, with up to 3 records together", "add or remove one", "32561"))
                .contains("What is not covered", "How long the program ran", "outside the ledger", "columns, bounds")
                .contains("1000 noisy sums of 32 numbers", "together at most epsilon 1.831 at delta 2e-5");
    }

    @Test
    void thePromiseIsRoundedUpAndNamesItsAccountant() {
        StatementFacts facts = facts(
                PrivacyUnit.record(Neighbours.ADD_REMOVE),
                1.00001,
                1e-5,
                List.of(new PoissonSampling(0.01)),
                List.of());
        assertThat(flat(facts))
                .contains("Epsilon 1.001 at delta 1e-5", "accountant \"exact\"")
                .contains("at most 73.2% of the time")
                .contains("in a batch with probability 0.01", "fresh, random and secret")
                .contains("Somebody with several records is protected less");
    }

    @Test
    void thePromiseSaysWhichTwoEnginesAnswered() {
        StatementFacts sample = SampleReport.facts(Provenance.RELEASABLE);
        StatementFacts facts = new StatementFacts(
                sample.provenance(),
                sample.unit(),
                sample.publicSize(),
                sample.epsilon(),
                sample.delta(),
                sample.accountant(),
                "Two engines that share no code answered, and their certified intervals meet: one, and another.",
                sample.deltaAtEpsilonZero(),
                sample.sampling(),
                sample.epsilonWithoutSampling(),
                sample.noise(),
                sample.released(),
                sample.ledger(),
                sample.notCovered(),
                sample.parties(),
                sample.epsilonBeyondMasks(),
                sample.origin(),
                sample.usableUnits());
        assertThat(flat(facts))
                .contains(
                        "\"exact\" for the code that ran. Two engines that share no code answered, and their certified"
                                + " intervals meet: one, and another.");
        assertThat(PrivacyStatement.of(facts).text().lines().count()).isLessThanOrEqualTo(66);
        assertThat(flat(sample)).doesNotContain("engines");
    }

    /** What rests on cryptography is not promised against unlimited computers. */
    @Test
    void whoBreaksTheMasksIsHeldToLess() {
        StatementFacts sample = SampleReport.facts(Provenance.RELEASABLE);
        StatementFacts masked = new StatementFacts(
                sample.provenance(),
                sample.unit(),
                sample.publicSize(),
                sample.epsilon(),
                sample.delta(),
                sample.accountant(),
                sample.engines(),
                sample.deltaAtEpsilonZero(),
                sample.sampling(),
                sample.epsilonWithoutSampling(),
                sample.noise(),
                sample.released(),
                sample.ledger(),
                sample.notCovered(),
                "Records are at 3 parties.",
                OptionalDouble.of(1.50001),
                sample.origin(),
                sample.usableUnits());
        assertThat(flat(masked))
                .contains("Imagine an attacker who reads the sums that were opened, knows the code")
                .contains("can break their cryptography, is held only to what one party's own noise promises,"
                        + " epsilon 1.501.");
        assertThat(flat(sample))
                .contains("Imagine an attacker who knows the code")
                .doesNotContain("cryptography");
    }

    @Test
    void whatIsNotForReleaseSaysSoFirst() {
        assertThat(PrivacyStatement.of(SampleReport.facts(Provenance.RELEASABLE))
                        .text())
                .doesNotContain("***");
        assertThat(PrivacyStatement.of(SampleReport.facts(Provenance.SIMULATED_NOT_FOR_RELEASE))
                        .text())
                .contains("*** SIMULATED, NOT FOR RELEASE ***", "Epsilon 1 at delta");
        assertThat(PrivacyStatement.of(SampleReport.facts(Provenance.NOT_PRIVATE))
                        .text())
                .contains("*** NOT PRIVATE, NOT FOR RELEASE ***")
                .doesNotContain("Epsilon 1 at", "of the time");
    }

    @Test
    void samplingAndNeighboursAreSpelledOut() {
        PrivacyUnit unit = new PrivacyUnit("patient", 1, Neighbours.REPLACE_ONE);
        assertThat(flat(facts(unit, 2, 1e-6, List.of(new FixedSizeSampling(10, 1000)), List.of())))
                .contains("fixed size, 10 of 1000 units", "replace one", "two candidates for a certain patient")
                .contains("One patient, with at most one record.");
        assertThat(flat(facts(unit, 2, 1e-6, List.of(new FullPass(), new PoissonSampling(1)), List.of())))
                .contains("Sampling: none")
                .doesNotContain("secret;");
    }

    @Test
    void aHugeEpsilonIsNotSoldAsProtection() {
        PrivacyUnit unit = PrivacyUnit.record(Neighbours.ADD_REMOVE);
        assertThat(flat(facts(unit, 20, 1e-6, List.of(new FullPass()), List.of())))
                .contains("Epsilon 20 at delta 1e-6", "sets no useful limit")
                .doesNotContain("100%");
        assertThat(flat(facts(unit, Double.POSITIVE_INFINITY, 1e-6, List.of(), List.of())))
                .contains("no finite epsilon holds", "Nothing was released from the records.")
                .doesNotContain("Infinity", "NaN", "of the time");
    }

    @Test
    void hostileTextStaysOnePrintablePage() {
        PrivacyUnit unit = new PrivacyUnit("p\u202E\u001B[31m\nerson".repeat(100), 1, Neighbours.ADD_REMOVE);
        String text = PrivacyStatement.of(
                        facts(unit, 1, 1e-6, List.of(), Collections.nCopies(100, "x\u0000<b>\n".repeat(500))))
                .text();
        assertThat(text).doesNotContain("\u202E", "\u001B", "\u0000").contains("and 88 more.");
        assertThat(text.lines().count()).isLessThan(120);
    }

    @Test
    void factsThatCannotBeAreRefused() {
        PrivacyUnit unit = PrivacyUnit.record(Neighbours.ADD_REMOVE);
        assertThatThrownBy(() -> facts(unit, Double.NaN, 1e-6, List.of(), List.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> facts(unit, -1, 1e-6, List.of(), List.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> facts(unit, 1, 2, List.of(), List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
