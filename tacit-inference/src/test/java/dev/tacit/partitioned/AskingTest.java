package dev.tacit.partitioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.inference.Runs;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.coordinator.Coordinator;
import dev.tacit.partitioned.coordinator.Patience;
import dev.tacit.partitioned.coordinator.Schedule;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.gaussian.Repair;
import dev.tacit.partitioned.message.JoinedLink;
import dev.tacit.partitioned.message.Message;
import dev.tacit.partitioned.party.FactorParty;
import dev.tacit.partitioned.update.VirtualClients;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that come in any order, late, or never. */
class AskingTest {
    private static final int ROUNDS = 5;
    private static final Patience SHORT = Patience.of(Duration.ofMillis(20));

    private final LogisticRegression model = new LogisticRegression(Runs.names(3), 1, 0.5);
    private final DenseBlock rows = Runs.logistic(90, new double[] {2, -1, 0.5}, RandomStream.ofSeed(8));
    private final NaturalGaussian prior = NaturalGaussian.centred(GaussianFamily.MEAN_FIELD, 3, 0.5);

    private List<FactorParty> parties() {
        return Parties.notPrivate(
                Parties.split(rows, 40, 30, 20),
                new VirtualClients(model, new VirtualClients.Settings(1, 2)),
                prior,
                0.3,
                ROUNDS);
    }

    private Coordinator coordinator(Schedule schedule) {
        return new Coordinator(
                prior, new Coordinator.Settings(ROUNDS, schedule, 0.3, Repair.floor()), Optional.empty());
    }

    /** Holds answers back until all parties were asked, and then hands them out in another order. */
    private static final class Post {
        private final List<Runnable> waiting = new ArrayList<>();
        private final int parties;
        private final boolean lastFirst;

        Post(int parties, boolean lastFirst) {
            this.parties = parties;
            this.lastFirst = lastFirst;
        }

        JoinedLink link(JoinedLink party) {
            return Links.through(party, message -> hold(party, message));
        }

        private CompletionStage<Message> hold(JoinedLink party, Message message) {
            CompletableFuture<Message> answer = new CompletableFuture<>();
            waiting.add(() -> party.answer(message).thenAccept(answer::complete));
            if (waiting.size() == parties) {
                for (int i = 0; i < parties; i++) {
                    waiting.get(lastFirst ? parties - 1 - i : i).run();
                }
                waiting.clear();
            }
            return answer;
        }
    }

    /** A coordinator that waited for one party before it asked the next would wait for ever. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void allAreAskedBeforeOneIsWaitedForAndTheOrderOfAnswersDoesNotMatter(boolean lastFirst) {
        double[] atOnce = coordinator(new Schedule.Synchronous())
                .run(parties(), Coordinator.Listener.NONE)
                .global()
                .naturalParameters();
        Post post = new Post(3, lastFirst);
        Coordinator.Outcome outcome = coordinator(new Schedule.Synchronous())
                .run(
                        parties().stream().map(post::link).toList(),
                        Patience.of(Duration.ofMinutes(5)),
                        Coordinator.Listener.NONE);
        assertThat(outcome.notes()).allMatch(note -> note.absences().isEmpty());
        assertThat(outcome.global().naturalParameters()).isEqualTo(atOnce);
    }

    /** Never answers in one round, whether or not it got the message. */
    private static JoinedLink silent(JoinedLink party, int round, boolean releases) {
        return Links.through(party, message -> {
            if (message.round() != round) {
                return party.answer(message);
            }
            if (releases) {
                party.answer(message);
            }
            return new CompletableFuture<>();
        });
    }

    /**
     * Whoever is not there in time cannot be reached, and the others go on. What it released is not used: it is told so, so that its
     * factor and the coordinator's approximation go on together. Only the release is lost.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoDoesNotAnswerInTimeIsUnreachable(boolean releases) {
        for (Schedule schedule : List.of(new Schedule.Synchronous(), new Schedule.Sequential())) {
            List<FactorParty> parties = parties();
            Coordinator.Outcome outcome = coordinator(schedule)
                    .run(
                            List.of(parties.get(0), silent(parties.get(1), 2, releases), parties.get(2)),
                            SHORT,
                            Coordinator.Listener.NONE);
            assertThat(outcome.notes().get(2).absences())
                    .extracting(Message.Absence::party, Message.Absence::reason)
                    .containsExactly(tuple("party 2", Message.Reason.UNREACHABLE));
            assertThat(outcome.notes().stream().mapToInt(Coordinator.RoundNote::answered))
                    .containsExactly(3, 3, 2, 3, 3);
            assertThat(parties.stream().map(FactorParty::roundsAnswered)).containsExactly(5, releases ? 5 : 4, 5);
            assertThat(outcome.global().naturalParameters()).isEqualTo(withoutOneAnswer(schedule));
        }
    }

    /** The same run, in which the line was dead. */
    private double[] withoutOneAnswer(Schedule schedule) {
        List<FactorParty> parties = parties();
        return coordinator(schedule)
                .run(
                        List.of(
                                parties.get(0),
                                Links.lossy(parties.get(1), message -> message.round() == 2),
                                parties.get(2)),
                        Coordinator.Listener.NONE)
                .global()
                .naturalParameters();
    }

    @Test
    void anAnswerToAnotherRoundStopsTheRun() {
        FactorParty party = parties().get(0);
        JoinedLink confused = Links.through(
                party,
                message -> CompletableFuture.completedFuture(
                        new Message.Absence(party.name(), message.round() + 1, Message.Reason.BUDGET_SPENT)));
        assertThatThrownBy(
                        () -> coordinator(new Schedule.Synchronous()).run(List.of(confused), Coordinator.Listener.NONE))
                .hasMessageContaining("another kind of message");
    }
}
