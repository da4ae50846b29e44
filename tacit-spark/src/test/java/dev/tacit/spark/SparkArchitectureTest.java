package dev.tacit.spark;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.Predefined;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Rules about this module, which the command line's tests cannot see, because the command line does not know it. */
class SparkArchitectureTest {
    private static final JavaClasses TACIT = new ClassFileImporter()
            .withImportOption(Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.tacit");

    @Test
    void noSparkTypeIsUsedElsewhere() {
        noClasses()
                .that(not(resideInAPackage("dev.tacit.spark..")))
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.apache.spark..", "org.apache.hadoop..", "scala.."))
                .check(TACIT);
        assertThat(TACIT).anyMatch(type -> type.getPackageName().equals("dev.tacit.spark"));
    }

    @Test
    void theEngineDrawsNothingAndSpendsNothing() {
        noClasses()
                .that(resideInAPackage("dev.tacit.spark.."))
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                        "dev.tacit.noise..",
                        "dev.tacit.ledger..",
                        "dev.tacit.door.ledger..",
                        "dev.tacit.door.event..",
                        "dev.tacit.accounting..",
                        "dev.tacit.fit..",
                        "dev.tacit.cli.."))
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("dev.tacit.door.noise.NoiseSource")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("org.apache.spark.util.AccumulatorV2")
                .orShould(ACCESS_STANDARD_STREAMS)
                .because(
                        "noise is drawn and budgets are spent in the driver, behind the door; retried tasks must do neither")
                .check(TACIT);
    }

    @Test
    void simpleNamesAreUsedOnce() {
        Map<String, Long> uses = TACIT.stream()
                .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(JavaClass::getSimpleName, Collectors.counting()));
        assertThat(uses).allSatisfy((name, count) -> assertThat(count).as(name).isEqualTo(1));
    }
}
