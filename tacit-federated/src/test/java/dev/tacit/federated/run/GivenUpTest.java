package dev.tacit.federated.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.federated.protocol.CoordinatorPhase;
import dev.tacit.federated.protocol.OpenedSum;
import dev.tacit.federated.study.StudyFixture;
import dev.tacit.federated.study.StudyPlan;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.fit.formula.FitHeader;
import dev.tacit.posterior.Posterior;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** More parties are gone for good than may be missing: people can give up what cannot be opened, and keep what was. */
class GivenUpTest {
    private static final Waiting ONE_HOUR = new Waiting(Duration.ofHours(1), true);

    @TempDir
    Path folder;

    /** Ends a party's program when so many sums are opened, and remembers what was given up. */
    private static final class Leaving extends PlayedParties.Silent {
        private final int after;
        private final Future<?> party;
        /** An hour goes by whenever nobody but the party that left is waited for, and not before. */
        private final MovedClock clock = new MovedClock(Duration.ZERO);

        private final List<Integer> givenUp = new ArrayList<>();

        Leaving(int after, Future<?> party) {
            this.after = after;
            this.party = party;
        }

        @Override
        public void waits(int round, CoordinatorPhase phase, List<String> parties) {
            if (round >= after && parties.equals(List.of("party-2"))) {
                clock.move(ONE_HOUR.time());
            }
        }

        @Override
        public void opened(OpenedSum sum, String label, Supplier<Posterior> posterior) {
            if (sum.round() + 1 == after) {
                party.cancel(true);
            }
        }

        @Override
        public void givenUp(int round, String label) {
            givenUp.add(round);
        }
    }

    private PlayedParties played(Map<String, String> settings) throws IOException {
        PlayedParties played = new PlayedParties(
                folder,
                StudyFixture.schema(300),
                PlayedParties.wish("logistic-regression", settings),
                new PrivacyBudget(30, 1e-5),
                3,
                0,
                100);
        played.names.forEach(played::approve);
        return played;
    }

    @Test
    void whatWasOpenedBeforeAPartyLeftIsAFit() throws Exception {
        PlayedParties played = played(Map.of("rounds", "5"));
        int releases = StudyPlan.of(played.study).releases();
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Future<PartyStatement> leaving = threads.submit(() -> played.party("party-2"));
            List<Future<PartyStatement>> staying = List.of(
                    threads.submit(() -> played.party("party-0")), threads.submit(() -> played.party("party-1")));
            Leaving watcher = new Leaving(3, leaving);
            FitOutcome outcome = played.coordinator(ONE_HOUR, watcher, MovedClock.times(watcher.clock));
            assertThat(outcome.release().study().orElseThrow().releasesLost()).isEqualTo(watcher.givenUp.size());
            assertThat(watcher.givenUp).isNotEmpty().allMatch(round -> round >= 3);
            for (Future<PartyStatement> each : staying) {
                // they are told, and do not wait for sums that will never be
                PartyStatement statement = each.get(60, TimeUnit.SECONDS);
                assertThat(statement.releases()).isEqualTo(releases);
                assertThat(statement.text())
                        .contains("given up, because too few answered")
                        .doesNotContain("went on without", "to come");
            }
        } finally {
            threads.shutdownNow();
        }
        FitOutcome read = new FitFolder(folder.resolve("fit")).outcome();
        double[] mean = read.fitted().posterior().mean();
        assertThat(mean).doesNotContain(Double.NaN);
        List<Path> logs = new ArrayList<>(List.of(folder.resolve("fit")));
        played.names.forEach(name -> logs.add(played.partyFolder(name)));
        long opened = releases - read.release().study().orElseThrow().releasesLost();
        assertThat(Files.readString(folder.resolve("fit/privacy-statement.txt")).replaceAll("\\s+", " "))
                .contains(opened - 1 + " of " + (releases - 1) + " planned noisy sums of ")
                .contains(opened + " of " + releases + " planned sums were opened; the other " + (releases - opened)
                        + " were given up and stay charged.");
        assertThat(String.join(" ", FitHeader.lines(read)).replaceAll("\\s+", " "))
                .contains("; " + opened + " of " + releases + " planned sums were opened; the other ");
        assertThat(CoordinatorWork.audit(logs).json())
                .containsEntry("sums", opened)
                .containsEntry("clean", true);
    }

    /** Everybody is told the same, also if nothing can be made of what was opened; what was charged stays spent. */
    @Test
    void aStudyThatCannotGoOnEndsForAll() throws Exception {
        PlayedParties played = played(Map.of("rounds", "5"));
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<PartyStatement>> staying = List.of(
                    threads.submit(() -> played.party("party-0")), threads.submit(() -> played.party("party-1")));
            Leaving watcher = new Leaving(0, CompletableFuture.completedFuture(null));
            assertThatThrownBy(() -> played.coordinator(ONE_HOUR, watcher, MovedClock.times(watcher.clock)))
                    .isInstanceOf(FitException.class)
                    .hasMessageContaining("was given up, and dp-pvi cannot go on without it");
            for (Future<PartyStatement> each : staying) {
                assertThat(each.get(60, TimeUnit.SECONDS).opened()).isZero();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(folder.resolve("fit/posterior.json")).doesNotExist();
        assertThatThrownBy(() -> played.party("party-2")).hasMessageContaining("nothing was charged");
    }

    /** Somebody sets the clock by hours while nobody is late. */
    @Test
    void aClockThatIsSetGivesNothingUp() throws Exception {
        PlayedParties played = played(Map.of("rounds", "2"));
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<PartyStatement>> parties = new ArrayList<>();
            played.names.forEach(name -> parties.add(threads.submit(() -> played.party(name))));
            FitOutcome outcome = played.coordinator(
                    ONE_HOUR, new PlayedParties.Silent(), Times.of(new MovedClock(Duration.ofHours(2))));
            assertThat(outcome.release().study().orElseThrow().releasesLost()).isZero();
            for (Future<PartyStatement> each : parties) {
                assertThat(each.get(60, TimeUnit.SECONDS).sent())
                        .isEqualTo(each.get().releases());
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** One of three parties leaves after the first round, and none may be missing: what came until then is the fit. */
    @ParameterizedTest
    @ValueSource(strings = {"synchronous", "asynchronous"})
    void withoutMasksTheStudyEndsWithWhatCame(String schedule) throws Exception {
        int steps = 2;
        PlayedParties played = played(Map.of(
                "way",
                "dp-optimisation",
                "rounds",
                "3",
                "localSteps",
                Integer.toString(steps),
                "sampling",
                "full",
                "schedule",
                schedule));
        ExecutorService threads = Executors.newCachedThreadPool();
        Future<PartyStatement> leaving = threads.submit(() -> played.party("party-2"));
        List<String> given = new ArrayList<>();
        MovedClock clock = new MovedClock(Duration.ZERO);
        RoundWatcher watcher = new PlayedParties.Silent() {
            @Override
            public void moved(int round, List<Long> used, Supplier<Posterior> posterior) {
                leaving.cancel(true);
            }

            @Override
            public void waitsForChanges(int roundsDone, List<String> parties) {
                if (leaving.isDone() && parties.equals(List.of("party-2"))) {
                    clock.move(ONE_HOUR.time());
                }
            }

            @Override
            public void givenUp(int round, String label) {
                given.add(round + " " + label);
            }
        };
        try {
            List<Future<PartyStatement>> staying = List.of(
                    threads.submit(() -> played.party("party-0")), threads.submit(() -> played.party("party-1")));
            FitOutcome outcome = played.coordinator(ONE_HOUR, watcher, MovedClock.times(clock));
            assertThat(outcome.release().study().orElseThrow().releasesLost()).isPositive();
            assertThat(given).hasSize(1);
            for (Future<PartyStatement> each : staying) {
                PartyStatement statement = each.get(60, TimeUnit.SECONDS);
                assertThat(statement.sent()).isGreaterThanOrEqualTo(2L * steps);
                assertThat(statement.text()).contains("The study was given up before its end");
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(new FitFolder(folder.resolve("fit"))
                        .outcome()
                        .fitted()
                        .posterior()
                        .mean())
                .doesNotContain(Double.NaN);
        List<Path> logs = new ArrayList<>(List.of(folder.resolve("fit")));
        played.names.forEach(name -> logs.add(played.partyFolder(name)));
        assertThat(CoordinatorWork.audit(logs).json()).containsEntry("clean", true);
    }

    /** Nobody came: there is no fit, and whoever comes later hears of it before anything is charged. */
    @Test
    void withoutMasksAndWithoutAChangeThereIsNoFit() throws Exception {
        PlayedParties played = played(Map.of("way", "dp-optimisation", "rounds", "2", "sampling", "full"));
        assertThatThrownBy(() -> played.coordinatorVerb(1, true))
                .isInstanceOf(FitException.class)
                .hasMessageContaining("no party gave a change that can be used");
        assertThat(folder.resolve("fit/posterior.json")).doesNotExist();
        assertThatThrownBy(() -> played.party("party-2")).hasMessageContaining("nothing was charged");
    }
}
