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
import com.tngtech.archunit.lang.CompositeArchRule;
import dev.tacit.door.noise.NoiseSource;
import dev.tacit.door.noise.Provenance;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleaseView;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The direction of dependencies between modules and packages, and where randomness may come from. */
class ArchitectureTest {
    /** About twenty: what fits on a screen. */
    private static final long LARGEST_PACKAGE = 21;

    private static final JavaClasses TACIT = new ClassFileImporter()
            .withImportOption(Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.tacit");

    private static final ArchRule RANDOMNESS = noClasses()
            .that()
            .resideOutsideOfPackage("dev.tacit.noise..")
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
            .because("noise and batches are drawn in dev.tacit.noise, where a reviewer looks for them");

    /** Below the certified interval, the lattice shares nothing with the contour, the jumps or the Rényi accountant. */
    private static final ArchRule ENGINES_APART = CompositeArchRule.of(apart(
                    "dev.tacit.accounting.exact.grid..",
                    "dev.tacit.accounting.exact.contour..",
                    "dev.tacit.accounting.exact.jumps..",
                    "dev.tacit.accounting.exact.closed..",
                    "dev.tacit.accounting.renyi..",
                    "dev.tacit.accounting.classic..",
                    "dev.tacit.accounting.curve..",
                    "dev.tacit.accounting.numerics.."))
            .and(apart(
                    "dev.tacit.accounting.exact.contour..",
                    "dev.tacit.accounting.exact.grid..",
                    "dev.tacit.accounting.exact.closed..",
                    "dev.tacit.accounting.renyi..",
                    "dev.tacit.accounting.classic..",
                    "dev.tacit.accounting.pair.."))
            .and(apart(
                    "dev.tacit.accounting.renyi..",
                    "dev.tacit.accounting.exact..",
                    "dev.tacit.accounting.classic..",
                    "dev.tacit.accounting.confirm.."));

    private static ArchRule apart(String engine, String... others) {
        return noClasses()
                .that(resideInAPackage(engine))
                .should()
                .dependOnClassesThat(resideInAnyPackage(others))
                .because("two engines can only confirm each other if they share no code below the interval");
    }

    @Test
    void everyModuleIsLookedAt() {
        for (String module : List.of(
                "dev.tacit.door.",
                "dev.tacit.noise.",
                "dev.tacit.query.",
                "dev.tacit.engine.",
                "dev.tacit.accounting.",
                "dev.tacit.ledger.",
                "dev.tacit.json.",
                "dev.tacit.file.",
                "dev.tacit.text.",
                "dev.tacit.audit.",
                "dev.tacit.testkit.",
                "dev.tacit.inference.",
                "dev.tacit.data.",
                "dev.tacit.report.",
                "dev.tacit.fit.",
                "dev.tacit.experiments.",
                "dev.tacit.federated.",
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
    void theDoorDependsOnTheJavaRuntimeOnly() {
        classes()
                .that(resideInAPackage("dev.tacit.door.."))
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("dev.tacit.door..", "java..")
                .because("the trusted core must be small enough to read in an evening")
                .check(TACIT);
    }

    /** Of what a session can be asked, only a release is computed from records; all else is declared, planned or counted. */
    @Test
    void onlyReleaseReturnsWhatRecordsSay() {
        assertThat(Arrays.stream(PrivateSession.class.getMethods()).map(Method::getName))
                .containsExactlyInAnyOrder(
                        "release",
                        "plan",
                        "event",
                        "provenance",
                        "released",
                        "lostReleases",
                        "position",
                        "publicSize",
                        "unit");
        assertThat(Arrays.stream(PrivateDataset.class.getDeclaredMethods())
                        .filter(method -> Modifier.isPublic(method.getModifiers()))
                        .map(Method::getName))
                .containsExactlyInAnyOrder(
                        "of",
                        "withRowNorm",
                        "unit",
                        "publicSize",
                        "columns",
                        "largestRowNorm",
                        "open",
                        "openNotPrivate",
                        "close");
    }

    @Test
    void noiseSeesTheDoorOnly() {
        classes()
                .that(resideInAPackage("dev.tacit.noise.."))
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("dev.tacit.noise..", "dev.tacit.door.noise..", "java..", "javax.crypto..")
                .check(TACIT);
    }

    /** There is no third source of noise, and nobody else vouches for a sum that another door released. */
    @Test
    void noiseAndReceivedSumsAreMadeInTheirPlaces() {
        classes()
                .that()
                .implement(NoiseSource.class)
                .should()
                .resideInAPackage("dev.tacit.noise..")
                .check(TACIT);
        noClasses()
                .that(not(resideInAnyPackage("dev.tacit.partitioned..", "dev.tacit.federated.release..")))
                .should()
                .callMethod(NoisySum.class, "received", double[].class, double.class, double.class, Provenance.class)
                .check(TACIT);
        classes()
                .that()
                .implement(ReleaseView.class)
                .should()
                .resideInAPackage("dev.tacit.partitioned..")
                .because("a view is as trusted as the door: these are proved and tested on neighbours")
                .check(TACIT);
    }

    @Test
    void accountingSeesEventsOnly() {
        classes()
                .that(resideInAPackage("dev.tacit.accounting.."))
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.tacit.accounting..",
                        "dev.tacit.door.event..",
                        "dev.tacit.door.unit..",
                        "java..",
                        "org.apache.commons.numbers..",
                        "org.jtransforms..",
                        "org.visnow.jlargearrays..")
                .because("an accountant computes on plans: it neither spends nor draws, and never needs data")
                .check(TACIT);
    }

    @Test
    void theLedgerIsGivenAnAccountantAndNamesNone() {
        classes()
                .that(resideInAnyPackage(
                        "dev.tacit.ledger..", "dev.tacit.json..", "dev.tacit.file..", "dev.tacit.text.."))
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.tacit.ledger..",
                        "dev.tacit.json..",
                        "dev.tacit.file..",
                        "dev.tacit.text..",
                        "dev.tacit.door..",
                        "dev.tacit.accounting",
                        "java..")
                .check(TACIT);
    }

    @Test
    void secondOpinionsShareNoCode() {
        ENGINES_APART.check(TACIT);
    }

    /** The rule is not empty: the jumps are built on the contour, so a rule that holds them apart as well must fail. */
    @Test
    void enginesThatShareCodeAreFound() {
        assertThat(apart("dev.tacit.accounting.exact.jumps..", "dev.tacit.accounting.exact.contour..")
                        .evaluate(TACIT)
                        .hasViolation())
                .isTrue();
    }

    @Test
    void theCoreNeverPrints() {
        noClasses()
                .that(resideInAnyPackage(
                        "dev.tacit.door..",
                        "dev.tacit.accounting..",
                        "dev.tacit.ledger..",
                        "dev.tacit.json..",
                        "dev.tacit.file..",
                        "dev.tacit.text.."))
                .should(ACCESS_STANDARD_STREAMS)
                .check(TACIT);
    }

    @Test
    void testkitSeesNeitherDataNorReports() {
        noClasses()
                .that(resideInAPackage("dev.tacit.testkit.."))
                .should()
                .dependOnClassesThat(tacitOutside(
                        "dev.tacit.testkit..",
                        "dev.tacit.audit..",
                        "dev.tacit.door..",
                        "dev.tacit.noise..",
                        "dev.tacit.accounting..",
                        "dev.tacit.ledger..",
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

    /** An audit is of what runs, so nothing that runs may know that it is audited. */
    @Test
    void auditsAreSeenByTestsAndTheCommandLineOnly() {
        noClasses()
                .that(not(resideInAnyPackage("dev.tacit.audit..", "dev.tacit.testkit..", "dev.tacit.cli..")))
                .should()
                .dependOnClassesThat(resideInAPackage("dev.tacit.audit.."))
                .check(TACIT);
        noClasses()
                .that(resideInAPackage("dev.tacit.audit.."))
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                        "dev.tacit.testkit..", "dev.tacit.report..", "dev.tacit.experiments..", "dev.tacit.cli.."))
                .orShould(ACCESS_STANDARD_STREAMS)
                .check(TACIT);
    }

    @Test
    void queriesAndEnginesSeeTheDoorOnly() {
        noClasses()
                .that(resideInAnyPackage("dev.tacit.query..", "dev.tacit.engine.."))
                .should()
                .dependOnClassesThat(tacitOutside("dev.tacit.query..", "dev.tacit.engine..", "dev.tacit.door.."))
                .check(TACIT);
    }

    @Test
    void reportsSeeTheDoorOnly() {
        noClasses()
                .that(resideInAPackage("dev.tacit.report.."))
                .should()
                .dependOnClassesThat(tacitOutside("dev.tacit.report..", "dev.tacit.door.."))
                .because("a report is drawn from plain records, so that every method can fill them")
                .check(TACIT);
    }

    @Test
    void reportsNeverTouchRecords() {
        noClasses()
                .that(resideInAPackage("dev.tacit.report.."))
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                        "dev.tacit.door.record..", "dev.tacit.door.sum..", "dev.tacit.door.session.."))
                .orShould(ACCESS_STANDARD_STREAMS)
                .check(TACIT);
    }

    @Test
    void sectionsOfReportsDoNotKnowThePage() {
        noClasses()
                .that(resideInAPackage("dev.tacit.report.*.."))
                .should()
                .dependOnClassesThat(resideInAPackage("dev.tacit.report"))
                .check(TACIT);
    }

    @Test
    void inferenceSeesTheCoreAndQueriesOnly() {
        String[] inference = {
            "dev.tacit.inference..",
            "dev.tacit.glm..",
            "dev.tacit.model..",
            "dev.tacit.posterior..",
            "dev.tacit.run..",
            "dev.tacit.optimizer..",
            "dev.tacit.diagnostics..",
            "dev.tacit.transform..",
            "dev.tacit.numerics..",
            "dev.tacit.partitioned.."
        };
        String[] below = {
            "dev.tacit.door..",
            "dev.tacit.noise..",
            "dev.tacit.query..",
            "dev.tacit.engine..",
            "dev.tacit.accounting..",
            "dev.tacit.ledger..",
            "dev.tacit.json..",
            "dev.tacit.file..",
            "dev.tacit.text.."
        };
        String[] allowed =
                Stream.concat(Arrays.stream(inference), Arrays.stream(below)).toArray(String[]::new);
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
                        "dev.tacit.noise..",
                        "dev.tacit.door.mechanism..",
                        "dev.tacit.door.ledger..",
                        "dev.tacit.ledger..",
                        "dev.tacit.accounting.."))
                .because("an algorithm reads like its paper; noise, clipping and accounting stay behind the door")
                .check(TACIT);
    }

    @Test
    void dataSeeTheDoorQueriesAndWrittenFormsOnly() {
        noClasses()
                .that(resideInAPackage("dev.tacit.data.."))
                .should()
                .dependOnClassesThat(tacitOutside(
                        "dev.tacit.data..",
                        "dev.tacit.door..",
                        "dev.tacit.query..",
                        "dev.tacit.engine..",
                        "dev.tacit.json..",
                        "dev.tacit.text.."))
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

    /** What a program gets with it: everything but the command line, experiments and tests. */
    @Test
    void fitSeesNeitherTheCommandLineNorExperimentsNorTests() {
        noClasses()
                .that(resideInAPackage("dev.tacit.fit.."))
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                        "dev.tacit.cli..",
                        "dev.tacit.experiments..",
                        "dev.tacit.testkit..",
                        "picocli..",
                        "me.tongfei.progressbar.."))
                .check(TACIT);
    }

    @Test
    void fitIsSilentAndNeverEndsTheProcess() {
        noClasses()
                .that(resideInAPackage("dev.tacit.fit.."))
                .should(ACCESS_STANDARD_STREAMS)
                .orShould()
                .callMethod(System.class, "exit", int.class)
                .orShould()
                .callMethod(Runtime.class, "exit", int.class)
                .orShould()
                .callMethod(Runtime.class, "halt", int.class)
                .check(TACIT);
    }

    @Test
    void onlyStudiesAndTheCommandLineDependOnFit() {
        noClasses()
                .that(not(resideInAnyPackage("dev.tacit.fit..", "dev.tacit.federated..", "dev.tacit.cli..")))
                .should()
                .dependOnClassesThat(resideInAPackage("dev.tacit.fit.."))
                .because("what it is built on must not know it")
                .check(TACIT);
    }

    /** It has libraries of its own, which are on the class path only if somebody asked for it. */
    @Test
    void nothingDependsOnModulesThatAreBuiltOnDemand() {
        noClasses()
                .that(not(resideInAPackage("dev.tacit.federated..")))
                .should()
                .dependOnClassesThat(resideInAnyPackage("dev.tacit.federated..", "io.grpc..", "org.bouncycastle.."))
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

    /** In every module: who reads a package needs to know only what lies below it. */
    @Test
    void packagesHaveNoCycles() {
        slices().matching("dev.tacit.(**)").should().beFreeOfCycles().check(TACIT);
    }

    @Test
    void packagesAreSmall() {
        Map<String, Long> files = TACIT.stream()
                .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
        assertThat(files).allSatisfy((name, count) -> assertThat(count).as(name).isLessThanOrEqualTo(LARGEST_PACKAGE));
    }

    /** The same word means one thing in the whole tree, so that a name in a sentence needs no package. */
    @Test
    void simpleNamesAreUsedOnce() {
        Map<String, Long> uses = TACIT.stream()
                .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(JavaClass::getSimpleName, Collectors.counting()));
        uses.values().removeIf(count -> count == 1);
        assertThat(uses.keySet()).isEmpty();
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
