package dev.tacit.testkit;

import dev.tacit.testkit.accountant.AccountantCatalogue;
import dev.tacit.testkit.accountant.AccountantConformance;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every accountant of the catalogue does what every accountant must do. */
class AccountantConformanceTest {
    @TestFactory
    Stream<DynamicTest> everyAccountant() {
        return AccountantCatalogue.all().stream()
                .flatMap(accountant -> AccountantConformance.of(accountant).tests());
    }
}
