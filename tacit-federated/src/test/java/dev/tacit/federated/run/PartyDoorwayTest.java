package dev.tacit.federated.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.data.schema.Schema;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.RunRequest;
import dev.tacit.federated.message.PartySet;
import dev.tacit.federated.protocol.OpenedSum;
import dev.tacit.federated.release.MethodSteps;
import dev.tacit.federated.release.PartyDoorway;
import dev.tacit.federated.release.StateRequest;
import dev.tacit.federated.study.Study;
import dev.tacit.federated.study.StudyFixture;
import dev.tacit.federated.study.StudyPlan;
import dev.tacit.fit.ledger.LedgerView;
import dev.tacit.fit.run.Preparations;
import dev.tacit.ledger.FileLedger;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.SealedFile;
import dev.tacit.noise.NoiseLayer;
import dev.tacit.noise.SecureNoise;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A party's door behind the protocol: one release for a round, the same after a crash, none that is not asked as planned. */
class PartyDoorwayTest {
    private static final List<NoiseLayer> NO_LAYERS = List.of();

    @TempDir
    Path folder;

    private final Study study = StudyFixture.study(3, 1, 0, Study.Noise.SHARES, Map.of("rounds", "3"));
    private final StudyPlan plan = StudyPlan.of(study);
    private final MethodSteps<?, ?> steps = MethodSteps.of(plan);
    private FileLedger ledger;
    private Path data;

    @BeforeEach
    void records() throws IOException {
        StringBuilder text = new StringBuilder("age,income,late\n");
        for (int row = 0; row < 40; row++) {
            text.append(18 + row).append(',').append(row).append(row % 3 == 0 ? ",yes\n" : ",no\n");
        }
        data = Files.writeString(folder.resolve("records.csv"), text.toString());
        ledger = FileLedger.create(
                folder.resolve("records.ledger"),
                LedgerTerms.withoutLimit(
                        study.fitted().schema().privacyUnit(), 1e-5, plan.event(), new RenyiAccountant()::divergence),
                LedgerView.accounting());
    }

    /** The door of one start of the program. */
    private final class Start implements AutoCloseable {
        private final SealedFile sealed = SealedFile.open(folder.resolve("releases"), study.run());
        private final PrivateDataset records;
        private final PartyDoorway door;

        Start() {
            Schema own = StudyFixture.schema(200);
            records = Preparations.open(data.toString(), own, 1);
            door = PartyDoorway.open(
                    plan,
                    sealed,
                    new PartyDoorway.Ledger() {
                        @Override
                        public String head() {
                            return ledger.head();
                        }

                        @Override
                        public boolean knows(String head) {
                            return ledger.<Boolean>exclusively(
                                    state -> state.hashes().contains(head));
                        }

                        @Override
                        public void outdateCopies(long rounds) {
                            // nobody copies a folder here
                        }

                        @Override
                        public long agreedRounds() {
                            return 0;
                        }

                        @Override
                        public long released() {
                            return ledger.entries().stream()
                                    .mapToLong(LedgerEntry::released)
                                    .max()
                                    .orElse(0);
                        }
                    },
                    layers -> {
                        try {
                            return records.open(
                                    RunRequest.of("study", plan.partyPlan())
                                            .named(study.run())
                                            .sealedIn(sealed),
                                    plan.partyMechanism(layers),
                                    ledger,
                                    SecureNoise.create());
                        } catch (BudgetExhausted e) {
                            throw new AssertionError(e);
                        }
                    });
        }

        @Override
        public void close() {
            sealed.close();
            records.close();
        }
    }

    private byte[] request(int release) {
        return request(steps, release).toBytes();
    }

    private static <M, S extends Record> StateRequest request(MethodSteps<M, S> steps, int release) {
        S state = steps.first();
        if (release == 0) {
            return steps.request(state, 0);
        }
        // any state after the first release will do
        StateRequest first = steps.request(state, 0);
        OpenedSum sum = new OpenedSum(
                0, new long[steps.asked(state, 0).query().dimension()], PartySet.first(3), PartySet.first(3), 1.5);
        return steps.request(steps.after(state, first, sum).state(), release);
    }

    private LedgerEntry entry() {
        assertThat(ledger.entries()).hasSize(1);
        return ledger.entries().get(0);
    }

    /** Noise cannot be replayed here, so equal integers are one draw. */
    @Test
    void afterACrashTheSameIntegersLeave() {
        long[] first;
        try (Start start = new Start()) {
            first = start.door.release(0, 0, request(0), NO_LAYERS).orElseThrow();
        }
        try (Start start = new Start()) {
            assertThat(start.door.release(0, 0, request(0), NO_LAYERS)).get().isEqualTo(first);
            start.door.kept(0);
            long[] second = start.door.release(1, 1, request(1), NO_LAYERS).orElseThrow();
            assertThat(second).hasSize(plan.plan().phaseOf(1).dimension());
        }
        assertThat(entry().released()).isEqualTo(2);
    }

    /** What the ledger knows and nobody kept is lost, and never drawn again. */
    @Test
    void aReleaseWhoseValueIsGoneIsLost() throws IOException {
        try (Start start = new Start()) {
            assertThat(start.door.release(0, 0, request(0), NO_LAYERS)).isPresent();
        }
        Files.delete(folder.resolve("releases"));
        try (Start start = new Start()) {
            assertThat(start.door.release(0, 0, request(0), NO_LAYERS)).isEmpty();
            assertThat(start.door.release(1, 1, request(1), NO_LAYERS)).isPresent();
        }
        assertThat(entry().released()).isEqualTo(2);
    }

    /** A party that missed the first round has the noise and the dimension of the later one, and has spent both. */
    @Test
    void aMissedRoundIsSpentAndTheNextFits() {
        try (Start start = new Start()) {
            long[] sum = start.door.release(0, 2, request(2), NO_LAYERS).orElseThrow();
            assertThat(sum).hasSize(plan.plan().phaseOf(2).dimension());
            assertThat(start.door.released()).isEqualTo(3);
        }
        assertThat(entry().released()).isEqualTo(3);
    }

    /** A release that was sealed for a round that went on without the party is passed over, whatever its bound was. */
    @Test
    void whatWasSealedForARoundThatIsOverIsPassedOver() {
        try (Start start = new Start()) {
            assertThat(start.door.release(0, 0, request(0), NO_LAYERS)).isPresent();
        }
        try (Start start = new Start()) {
            assertThat(start.door.release(0, 1, request(1), NO_LAYERS)).isPresent();
        }
        assertThat(entry().released()).isEqualTo(2);
    }

    @Test
    void whatThePlanHasNextIsAnswered() {
        try (Start start = new Start()) {
            assertThat(start.door.refusal(0, request(0))).isEmpty();
            assertThat(start.door.refusal(1, request(1))).isEmpty();
            assertThat(start.door.knowsLedgerHead(start.door.ledgerHead())).isTrue();
            assertThat(start.door.knowsLedgerHead(new byte[32])).isFalse();
        }
        assertThat(entry().released()).isZero();
    }

    /** Nothing is summed, drawn or announced for what the study does not plan. */
    @ParameterizedTest
    @ValueSource(strings = {"bound", "release", "state", "garbage", "beyond"})
    void anythingElseIsRefusedInASentence(String change) {
        StateRequest asked = request(steps, 1);
        byte[] request = switch (change) {
            case "bound" -> new StateRequest(1, asked.l2Bound() * 1.5, asked.state()).toBytes();
            case "release" -> new StateRequest(0, asked.l2Bound(), asked.state()).toBytes();
            case "state" -> new StateRequest(1, asked.l2Bound(), Map.of("a", 1L)).toBytes();
            case "garbage" -> "{".getBytes(StandardCharsets.UTF_8);
            default -> asked.toBytes();
        };
        try (Start start = new Start()) {
            Optional<String> refusal = start.door.refusal(change.equals("beyond") ? 4 : 1, request);
            assertThat(refusal).isPresent();
            assertThat(refusal.get()).doesNotContain("\n");
        }
        assertThat(entry().released()).isZero();
    }
}
