package dev.tacit.federated.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaException;
import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.federated.draft.StudyWork;
import dev.tacit.federated.message.PartySet;
import dev.tacit.federated.protocol.OpenedSum;
import dev.tacit.federated.release.MethodSteps;
import dev.tacit.federated.release.StateRequest;
import dev.tacit.federated.study.Study;
import dev.tacit.federated.study.StudyException;
import dev.tacit.federated.study.StudyFixture;
import dev.tacit.federated.study.StudyPlan;
import dev.tacit.numerics.RandomStream;
import dev.tacit.run.method.MethodCatalogue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A party refuses messages that are longer than a study needs, so what every method asks for has to fit, however many columns there are:
 * a study is charged before anybody is asked.
 */
class RequestSizeTest {
    private static final int PARTIES = 3;
    private static final int COLUMNS = 40;
    private static final int MOST_RELEASES = 25;

    @TempDir
    Path folder;

    private Map<String, Schema> shapes;

    @BeforeEach
    void shapes() throws IOException {
        String columns = IntStream.range(0, COLUMNS)
                .mapToObj(column -> "  c" + column + ": {type: number, bounds: [0, 1]}\n")
                .collect(Collectors.joining());
        String head = "unit: record\nneighbours: add-remove\nsize: 6000\n";
        String named =
                IntStream.range(0, COLUMNS).mapToObj(column -> "c" + column).collect(Collectors.joining(" + "));
        String late = "  late: {type: binary, positive: [\"yes\"], negative: [\"no\"]}\n";
        Path words = Files.writeString(
                folder.resolve("vocabulary.txt"),
                IntStream.range(0, 300).mapToObj(word -> "word" + word + "\n").collect(Collectors.joining()));
        shapes = Map.of(
                "binary", SchemaYaml.read(head + "target: late\ncolumns:\n" + columns + late),
                "number",
                        SchemaYaml.read(head + "target: late\ncolumns:\n" + columns
                                + "  late: {type: number, bounds: [0, 1]}\n"),
                "formula",
                        SchemaYaml.read(head + "target: late\nencoding: {formula: \"late ~ " + named + "\"}\ncolumns:\n"
                                + columns + late),
                "words", SchemaYaml.read(head + "corpus: {format: lda-c, vocabulary: " + words + "}\n"));
    }

    @Test
    void whatEveryMethodAsksForFitsIntoAMessage() {
        Set<String> measured = new TreeSet<>();
        for (MethodCatalogue.Entry entry : MethodCatalogue.entries()) {
            shapes.forEach((name, schema) -> plan(schema, entry.model(), entry.method())
                    .ifPresent(plan -> {
                        measured.add(entry.method());
                        requestsFit(plan, MethodSteps.of(plan), entry.model() + " by " + entry.method() + ", " + name);
                    }));
        }
        assertThat(measured)
                .contains("residual-newton", "dp-pvi", "dpvi", "dp-sep", "private-vb", "private-likelihood");
    }

    /** The plan of a study of that, unless the method is not for such a table or for parties. */
    private static Optional<StudyPlan> plan(Schema schema, String model, String method) {
        Study.Fitted fitted = new Study.Fitted(schema, model, method, Map.of());
        PrivacyBudget budget = new PrivacyBudget(1, 1e-5);
        try {
            Study drawn = StudyFixture.study(PARTIES, 1, 0);
            return Optional.of(StudyPlan.of(new Study(
                    "test",
                    new Study.Fitted(StudyWork.sized(schema, 200L * PARTIES), model, method, fitted.settings()),
                    budget,
                    2.0,
                    1,
                    0,
                    Study.Noise.LAYERS,
                    7,
                    drawn.coordinator(),
                    drawn.members())));
        } catch (StudyException | SchemaException notForIt) {
            return Optional.empty();
        }
    }

    private static <M, S extends Record> void requestsFit(StudyPlan plan, MethodSteps<M, S> steps, String name) {
        RandomStream random = RandomStream.ofSeed(3);
        long numbers = plan.terms().mostNumbers();
        S state = steps.first();
        for (int release = 0; release < Math.min(plan.releases(), MOST_RELEASES); release++) {
            StateRequest request = steps.request(state, release);
            // what mostBytesOfTheCoordinator allows, with what is said once instead of its 64 MiB
            assertThat((long) request.toBytes().length)
                    .as(name + ", release " + release)
                    .isLessThanOrEqualTo(128 * numbers + 32L * release * numbers + (1 << 14));
            state = steps.after(state, request, noise(plan, request, random)).state();
        }
    }

    private static OpenedSum noise(StudyPlan plan, StateRequest request, RandomStream random) {
        ReleasePlan.Phase phase = plan.plan().phaseOf(request.release());
        double steps = plan.publicNoise(phase).wholeSteps(request.l2Bound(), phase.dimension());
        long[] sum = new long[phase.dimension()];
        for (int i = 0; i < sum.length; i++) {
            sum[i] = Math.round(steps * random.normal());
        }
        return new OpenedSum(request.release(), sum, PartySet.first(PARTIES), PartySet.first(PARTIES), 1.5);
    }
}
