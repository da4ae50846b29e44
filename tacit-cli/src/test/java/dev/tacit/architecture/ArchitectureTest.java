package dev.tacit.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.Predefined;
import com.tngtech.archunit.lang.ArchRule;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The direction of dependencies between modules and packages, and where randomness may come from. */
class ArchitectureTest {

    private static final JavaClasses TACIT = new ClassFileImporter()
            .withImportOption(Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.tacit");

    private static final ArchRule RANDOMNESS = noClasses()
            .that()
            .resideOutsideOfPackage("dev.tacit.privacy.noise..")
            .should()
            .dependOnClassesThat(belongToAnyOf(
                    Random.class,
                    SecureRandom.class,
                    ThreadLocalRandom.class,
                    SplittableRandom.class,
                    RandomGenerator.class,
                    RandomGeneratorFactory.class))
            .orShould()
            .callMethod(Math.class, "random")
            .orShould()
            .callMethod(StrictMath.class, "random")
            .orShould()
            .callMethod(Collections.class, "shuffle", List.class)
            .because("noise and batches are drawn in dev.tacit.privacy.noise, where a reviewer looks for them");

    @Test
    void everyModuleIsLookedAt() {
        for (String module : List.of(
                "dev.tacit.privacy.",
                "dev.tacit.testkit.",
                "dev.tacit.inference.",
                "dev.tacit.data.",
                "dev.tacit.report.",
                "dev.tacit.experiments.",
                "dev.tacit.cli.")) {
            assertThat(TACIT).as(module).anyMatch(type -> type.getName().startsWith(module));
        }
    }

    @Test
    void randomnessComesFromTheNoisePackage() {
        RANDOMNESS.check(TACIT);
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                UsesRandom.class,
                UsesSecureRandom.class,
                UsesThreadLocalRandom.class,
                UsesSplittableRandom.class,
                UsesRandomGenerator.class,
                UsesMathRandom.class,
                UsesStrictMathRandom.class,
                UsesShuffle.class
            })
    void randomnessFromElsewhereIsFound(Class<?> offender) {
        JavaClasses classes = new ClassFileImporter().importClasses(offender);
        assertThat(RANDOMNESS.evaluate(classes).hasViolation()).isTrue();
    }

    @Test
    void privacySeesNoOtherModule() {
        noClasses()
                .that(resideInAPackage("dev.tacit.privacy.."))
                .should()
                .dependOnClassesThat(tacitOutside("dev.tacit.privacy.."))
                .check(TACIT);
    }

    @Test
    void privacyDependsOnAlmostNothing() {
        classes()
                .that(resideInAPackage("dev.tacit.privacy.."))
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.tacit.privacy..",
                        "java..",
                        "javax.crypto..",
                        "org.apache.commons.numbers..",
                        "org.jtransforms..",
                        "org.visnow.jlargearrays..")
                .because("the trusted core must be small enough to read")
                .check(TACIT);
    }

    @Test
    void privacyNeverPrints() {
        noClasses()
                .that(resideInAPackage("dev.tacit.privacy.."))
                .should(ACCESS_STANDARD_STREAMS)
                .check(TACIT);
    }

    @Test
    void testkitSeesPrivacyQueriesAndInferenceOnly() {
        noClasses()
                .that(resideInAPackage("dev.tacit.testkit.."))
                .should()
                .dependOnClassesThat(tacitOutside(
                        "dev.tacit.testkit..",
                        "dev.tacit.privacy..",
                        "dev.tacit.query..",
                        "dev.tacit.engine..",
                        "dev.tacit.glm..",
                        "dev.tacit.inference..",
                        "dev.tacit.model..",
                        "dev.tacit.numerics..",
                        "dev.tacit.partitioned..",
                        "dev.tacit.posterior..",
                        "dev.tacit.run..",
                        "dev.tacit.transform.."))
                .check(TACIT);
    }

    @Test
    void queriesAndEnginesSeePrivacyOnly() {
        noClasses()
                .that(resideInAnyPackage("dev.tacit.query..", "dev.tacit.engine.."))
                .should()
                .dependOnClassesThat(tacitOutside("dev.tacit.query..", "dev.tacit.engine..", "dev.tacit.privacy.."))
                .check(TACIT);
    }

    @Test
    void reportsSeePrivacyOnly() {
        noClasses()
                .that(resideInAPackage("dev.tacit.report.."))
                .should()
                .dependOnClassesThat(tacitOutside("dev.tacit.report..", "dev.tacit.privacy.."))
                .because("a report is drawn from plain records, so that every method can fill them")
                .check(TACIT);
    }

    @Test
    void reportsNeverTouchRecords() {
        noClasses()
                .that(resideInAPackage("dev.tacit.report.."))
                .should()
                .dependOnClassesThat(resideInAPackage("dev.tacit.privacy.data.."))
                .orShould(ACCESS_STANDARD_STREAMS)
                .check(TACIT);
    }

    @Test
    void packagesOfReportsHaveNoCycles() {
        slices().matching("dev.tacit.report.(*)..").should().beFreeOfCycles().check(TACIT);
        noClasses()
                .that(resideInAPackage("dev.tacit.report.*.."))
                .should()
                .dependOnClassesThat(resideInAPackage("dev.tacit.report"))
                .check(TACIT);
    }

    @Test
    void inferenceSeesPrivacyAndQueriesOnly() {
        String[] inference = {
            "dev.tacit.inference..",
            "dev.tacit.glm..",
            "dev.tacit.model..",
            "dev.tacit.posterior..",
            "dev.tacit.run..",
            "dev.tacit.optimizer..",
            "dev.tacit.diagnostics..",
            "dev.tacit.mcmc..",
            "dev.tacit.transform..",
            "dev.tacit.numerics..",
            "dev.tacit.partitioned.."
        };
        String[] allowed = Arrays.copyOf(inference, inference.length + 3);
        allowed[inference.length] = "dev.tacit.privacy..";
        allowed[inference.length + 1] = "dev.tacit.query..";
        allowed[inference.length + 2] = "dev.tacit.engine..";
        noClasses()
                .that(resideInAnyPackage(inference))
                .should()
                .dependOnClassesThat(tacitOutside(allowed))
                .check(TACIT);
    }

    @Test
    void algorithmsNeitherDrawNoiseNorSpend() {
        noClasses()
                .that(resideInAnyPackage(
                        "dev.tacit.inference..", "dev.tacit.glm..", "dev.tacit.model..", "dev.tacit.posterior.."))
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                        "dev.tacit.privacy.noise..",
                        "dev.tacit.privacy.mechanism..",
                        "dev.tacit.privacy.ledger..",
                        "dev.tacit.privacy.accountant..",
                        "dev.tacit.privacy.calibration.."))
                .because("an algorithm reads like its paper; noise, clipping and accounting stay behind the door")
                .check(TACIT);
    }

    @Test
    void dataSeePrivacyAndQueriesOnly() {
        noClasses()
                .that(resideInAPackage("dev.tacit.data.."))
                .should()
                .dependOnClassesThat(tacitOutside(
                        "dev.tacit.data..", "dev.tacit.privacy..", "dev.tacit.query..", "dev.tacit.engine.."))
                .check(TACIT);
    }

    @Test
    void nothingButTheCommandLineDependsOnExperiments() {
        noClasses()
                .that(not(resideInAnyPackage("dev.tacit.experiments..", "dev.tacit.cli..")))
                .should()
                .dependOnClassesThat(resideInAPackage("dev.tacit.experiments.."))
                .check(TACIT);
    }

    @Test
    void nothingDependsOnTheCommandLine() {
        noClasses()
                .that(not(resideInAPackage("dev.tacit.cli..")))
                .should()
                .dependOnClassesThat(resideInAPackage("dev.tacit.cli.."))
                .check(TACIT);
    }

    @Test
    void packagesOfPrivacyHaveNoCycles() {
        slices().matching("dev.tacit.privacy.(*)..").should().beFreeOfCycles().check(TACIT);
    }

    @Test
    void eventsDoNotKnowWhoCountsThem() {
        noClasses()
                .that(resideInAPackage("dev.tacit.privacy.event.."))
                .should()
                .dependOnClassesThat(resideInAPackage("dev.tacit.privacy.accountant.."))
                .check(TACIT);
    }

    @Test
    void accountantsNeitherSpendNorDraw() {
        noClasses()
                .that(resideInAPackage("dev.tacit.privacy.accountant.."))
                .should()
                .dependOnClassesThat(resideInAPackage("dev.tacit.privacy.ledger..")
                        .or(resideInAPackage("dev.tacit.privacy.noise..")))
                .check(TACIT);
    }

    private static DescribedPredicate<JavaClass> tacitOutside(String... allowed) {
        DescribedPredicate<JavaClass> outside = resideInAPackage("dev.tacit..");
        for (String inside : allowed) {
            outside = outside.and(not(resideInAPackage(inside)));
        }
        return outside;
    }

    // Each of these breaks the rule on randomness in its own way.

    static final class UsesRandom {
        double draw() {
            return new Random().nextDouble();
        }
    }

    static final class UsesSecureRandom {
        double draw() {
            return new SecureRandom().nextDouble();
        }
    }

    static final class UsesThreadLocalRandom {
        double draw() {
            return ThreadLocalRandom.current().nextDouble();
        }
    }

    static final class UsesSplittableRandom {
        double draw() {
            return new SplittableRandom().nextDouble();
        }
    }

    static final class UsesRandomGenerator {
        double draw() {
            return RandomGenerator.getDefault().nextDouble();
        }
    }

    static final class UsesMathRandom {
        DoubleSupplier draw() {
            return () -> Math.random();
        }
    }

    static final class UsesStrictMathRandom {
        double draw() {
            return StrictMath.random();
        }
    }

    static final class UsesShuffle {
        void draw(List<String> names) {
            Collections.shuffle(names);
        }
    }
}
