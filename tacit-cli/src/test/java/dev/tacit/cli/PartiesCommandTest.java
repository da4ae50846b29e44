package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.shell.ExitCode;
import dev.tacit.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The verbs of several parties, up to the moment at which something would be charged. */
class PartiesCommandTest {
    private static final List<String> NAMES = List.of("north", "south", "east");

    @TempDir
    Path folder;

    private Path schema;
    private Path study;

    @BeforeEach
    void draft() throws IOException {
        schema = Files.writeString(folder.resolve("schema.yaml"), """
                unit: record
                neighbours: add-remove
                size: 900
                target: late
                columns:
                  age: {type: number, bounds: [18, 90]}
                  late: {type: binary, positive: ["yes"], negative: ["no"]}
                """);
        study = folder.resolve("study.yaml");
        CliRun.of("keys", "init", "--study", "loans", "--out", at("keys")).succeeded();
        for (String name : NAMES) {
            CliRun.of("keys", "party", name, "--out", at(name)).succeeded();
            CliRun.of("keys", "sign", at(name) + "/request.pem", "--authority", at("keys"))
                    .succeeded();
            Files.writeString(folder.resolve(name + ".csv"), "age,late\n40,yes\n");
        }
        CliRun.of(drafted("1")).succeeded();
    }

    private String at(String name) {
        return folder.resolve(name).toString();
    }

    private String[] drafted(String epsilon, String... more) {
        return Stream.concat(
                        Stream.of(
                                "study",
                                "draft",
                                "--name",
                                "loans",
                                "--schema",
                                schema.toString(),
                                "--formula",
                                "late ~ age",
                                "--epsilon",
                                epsilon,
                                "--delta",
                                "1e-5",
                                "--authority",
                                at("keys"),
                                "--out",
                                study.toString(),
                                "--party",
                                "north:300:" + at("north") + "/request.pem",
                                "--party",
                                "south:300:" + at("south") + "/request.pem",
                                "--party",
                                "east:300:" + at("east") + "/request.pem"),
                        Stream.of(more))
                .toArray(String[]::new);
    }

    private static Map<?, ?> json(CliRun run) {
        return (Map<?, ?>) Json.read(run.succeeded().output());
    }

    private CliRun approve(String... more) {
        return CliRun.of(Stream.concat(
                        Stream.of(
                                "party",
                                "approve",
                                study.toString(),
                                "--data",
                                at("north.csv"),
                                "--keys",
                                at("north"),
                                "--at",
                                "localhost:7443",
                                "--out",
                                at("north-study")),
                        Stream.of(more))
                .toArray(String[]::new));
    }

    @Test
    void aStudySaysWhatItCostsAndAgainstWhom() {
        Map<?, ?> shown = json(CliRun.of("study", "check", study.toString(), "--json"));
        assertThat((Double) shown.get("epsilon")).isLessThanOrEqualTo(1);
        assertThat((Double) shown.get("epsilonAlone")).isGreaterThan(1.2);
        assertThat(((String) shown.get("words")).split(" ", -1)).hasSize(8);
        assertThat(CliRun.of("study", "show", study.toString()).succeeded().output())
                .contains((String) shown.get("words"))
                .contains("if all other parties do");
        assertThat(json(CliRun.of("keys", "show", at("north"), "--json")).get("name"))
                .isEqualTo("north");
    }

    /** Whoever is asked for records sees what for, and one figure where there is only one. */
    @Test
    void aStudySaysWhatItFitsAndWhatItReads() throws IOException {
        assertThat(CliRun.of("study", "show", study.toString()).succeeded().output())
                .contains("  fits       late ~ age, bernoulli (logit)\n")
                .contains("  reads      age, late\n")
                .contains("  missing    nobody may be missing from a sum; 3 agree to open one\n")
                .contains("  noise      1.22 times that of one trusted curator\n");
        assertThat((Object) json(CliRun.of("study", "check", study.toString(), "--json")))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("formula", "late ~ age")
                .containsEntry("target", "late")
                .containsEntry("reads", List.of("age", "late"));
        assertThat(approve("--words", (String) json(CliRun.of("study", "show", study.toString(), "--json"))
                                .get("words"))
                        .succeeded()
                        .output())
                .contains("late ~ age");
        Files.delete(study);
        String[] named = drafted("1");
        for (int place = 0; place < named.length; place++) {
            named[place] = named[place].equals("--formula")
                    ? "--model"
                    : named[place].equals("late ~ age") ? "logistic-regression" : named[place];
        }
        assertThat(CliRun.of(named).succeeded().output())
                .contains("  fits       logistic-regression of late, with all declared columns\n")
                .contains("  reads      age, late\n");
    }

    /** A number outside its limits is refused in one sentence, whichever side it is on. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--parties -3|--parties must be a whole number from 2 to 255.",
                "--parties 1|--parties must be a whole number from 2 to 255.",
                "--parties 256|--parties must be a whole number from 2 to 255.",
                "--colluders 0|--colluders must be a whole number from 1 to 254.",
                "--missing 255|--missing must be a whole number from 0 to 254.",
                "--epsilon 0|--epsilon is 0, which pays for nothing; give a positive number."
            })
    void limitsAreSaidAsTheyAre(String option, String sentence) {
        String budget = option.startsWith("--epsilon") ? "" : " --epsilon 1";
        assertThat(CliRun.typed("parties simulate nothing.csv --schema nothing.yaml --delta 1e-6 --out " + at("x")
                                + budget + " " + option)
                        .failed(ExitCode.USAGE)
                        .errors())
                .isEqualTo("tacit: " + sentence + "\n");
    }

    @Test
    void anEpsilonOfZeroPaysForNoStudy() throws IOException {
        Files.delete(study);
        assertThat(CliRun.of(drafted("0")).failed(ExitCode.USAGE).errors())
                .isEqualTo("tacit: --epsilon is 0, which pays for nothing; give a positive number.\n");
        assertThat(study).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({"parties, simulate", "federate, audit"})
    void aVerbWithOnePartNamesIt(String verb, String part) {
        assertThat(CliRun.typed(verb).failed(ExitCode.USAGE).errors())
                .isEqualTo("tacit: say what tacit " + verb + " shall do: " + part + "; tacit " + verb
                        + " --help explains it.\n");
    }

    @Test
    void aPartyApprovesByWordsOrByPolicyAndNothingIsCharged() throws IOException {
        assertThat(approve().failed(ExitCode.USAGE).errors())
                .contains("--words")
                .contains("--policy");
        assertThat(approve("--words", "one two three four five six seven eight")
                        .failed(ExitCode.CONFIG)
                        .errors())
                .contains("not those of this study");
        Path policy = Files.writeString(folder.resolve("policy.yaml"), "epsilon-alone-at-most: 1.1\n");
        assertThat(approve("--policy", policy.toString())
                        .failed(ExitCode.CONFIG)
                        .errors())
                .contains("The policy refuses this study");
        assertThat(folder.resolve("north-study")).doesNotExist();
        String words = (String)
                json(CliRun.of("study", "show", study.toString(), "--json")).get("words");
        approve("--words", words).succeeded();
        assertThat(json(CliRun.of("party", "status", at("north-study"), "--json"))
                        .get("sent"))
                .isEqualTo(0L);
        assertThat(CliRun.of("party", "statement", at("north-study"))
                        .succeeded()
                        .output())
                .contains("Against everybody")
                .contains("own noise alone promises");
        assertThat(folder.resolve("north.ledger")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "study show nothing.yaml",
                "keys show nothing",
                "keys sign nothing.pem",
                "party run nothing",
                "party status nothing",
                "coordinator status nothing",
                "coordinator run nothing.yaml --at localhost:1 --out nothing"
            })
    void whatIsNotThereIsSaidInOneSentence(String typed) {
        String errors = CliRun.typed(typed).failed(ExitCode.NO_INPUT).errors();
        assertThat(errors.strip().lines()).hasSize(1);
    }

    /** A certificate is signed anew for the same names, or for those that are given if it is lost. */
    @Test
    void aCoordinatorsCertificateIsRenewed() throws IOException {
        CliRun.of("keys", "renew", at("keys")).succeeded();
        Files.delete(folder.resolve("keys/coordinator/certificate.pem"));
        assertThat(CliRun.of("keys", "renew", at("keys"))
                        .failed(ExitCode.CONFIG)
                        .errors())
                .contains("--host");
        CliRun.of("keys", "renew", at("keys"), "--host", "localhost").succeeded();
        assertThat(folder.resolve("keys/coordinator/certificate.pem")).exists();
    }

    @Test
    void badRequestsAreRefusedBeforeAnythingIsWritten() throws IOException {
        Files.delete(study);
        assertThat(CliRun.of(drafted("1", "--missing", "1"))
                        .failed(ExitCode.CONFIG)
                        .errors())
                .contains("may be missing");
        assertThat(CliRun.of(drafted("x")).failed(ExitCode.USAGE).errors()).contains("--epsilon");
        assertThat(CliRun.of(drafted("1", "--party", "west:1"))
                        .failed(ExitCode.USAGE)
                        .errors())
                .contains("NAME:UNITS:REQUEST");
        assertThat(study).doesNotExist();
        assertThat(CliRun.typed("study draft --name x --schema " + schema
                                + " --formula late~age --epsilon 1 --delta 1e-5" + " --authority " + at("keys")
                                + " --out " + study)
                        .failed(ExitCode.USAGE)
                        .errors())
                .contains("NAME:UNITS:REQUEST");
        assertThat(CliRun.typed("study draft --name x --schema " + schema
                                + " --formula late~age --epsilon 1 --delta 1e-5" + " --authority " + at("keys")
                                + " --out " + study + " --party north:300:" + at("north") + "/request.pem")
                        .failed(ExitCode.CONFIG)
                        .errors())
                .contains("a study with masks has 3 to 255 parties, and this one has 1");
        CliRun.of(drafted("1", "--set", "rounds=many")).failed(ExitCode.CONFIG);
        assertThat(study).doesNotExist();
        CliRun.of("keys", "party", "coordinator", "--out", at("c")).failed(ExitCode.CONFIG);
        CliRun.of("keys", "init", "--study", "x", "--host", "300.1.1.1", "--out", at("k"))
                .failed(ExitCode.CONFIG);
        assertThat(folder.resolve("c")).doesNotExist();
        assertThat(folder.resolve("k")).doesNotExist();
        CliRun.typed("federate audit nothing.log").failed(ExitCode.NO_INPUT);
        CliRun.typed("parties simulate nothing.csv --schema nothing.yaml --epsilon 1 --delta 1e-6 --out " + at("x"))
                .failed(ExitCode.NO_INPUT);
        assertThat(CliRun.typed("parties simulate " + at("north.csv") + " --schema " + schema
                                + " --formula late~age --parties 2 --epsilon 1 --delta 1e-6 --out " + at("x"))
                        .failed(ExitCode.CONFIG)
                        .errors())
                .contains("take a third party, or a study without masks");
        assertThat(folder.resolve("x")).doesNotExist();
        CliRun.typed("parties simulate nothing.csv --epsilon 1 --delta 1e-6 --out x")
                .failed(ExitCode.USAGE);
    }
}
