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
import dev.tacit.posterior.Posterior;
import java.io.IOException;
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
                assertThat(each.get(60, TimeUnit.SECONDS).releases()).isEqualTo(releases);
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

    @Test
    void withoutMasksThereIsNothingToGiveUp() throws Exception {
        PlayedParties played = played(Map.of("way", "dp-optimisation", "rounds", "2"));
        assertThatThrownBy(() -> played.coordinatorVerb(1, true))
                .isInstanceOf(FitException.class)
                .hasMessageContaining("leave --give-up out");
        assertThat(played.folder.resolve("fit")).doesNotExist();
    }
}
