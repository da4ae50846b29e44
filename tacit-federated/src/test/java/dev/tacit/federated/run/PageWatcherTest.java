package dev.tacit.federated.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.federated.message.PartySet;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.message.ProtocolRefusal.Reason;
import dev.tacit.federated.page.EventFeed;
import dev.tacit.federated.protocol.CoordinatorPhase;
import dev.tacit.federated.protocol.OpenedSum;
import dev.tacit.federated.protocol.PartyPhase;
import dev.tacit.federated.study.Study;
import dev.tacit.federated.study.StudyFixture;
import dev.tacit.federated.study.StudyPlan;
import dev.tacit.posterior.Posterior;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What people are shown of a study that takes days: what happened, and not how often it was said. */
class PageWatcherTest {
    private static final String SINCE = " since (\\d{4}-\\d\\d-\\d\\d )?\\d\\d:\\d\\d ";

    private final MovedClock clock = new MovedClock(Duration.ZERO);
    private final List<String> said = new ArrayList<>();

    private PageWatcher watcher(Study study, EventFeed feed) {
        return new PageWatcher(StudyPlan.of(study), feed, said::add, MovedClock.times(clock));
    }

    private static Posterior notYet() {
        throw new IllegalStateException("no posterior before the last release");
    }

    private PageWatcher watcher() {
        return watcher(StudyFixture.study(3, 1, 0), new EventFeed("a"));
    }

    @Test
    void whatIsSaidAgainIsShownOnce() throws InterruptedException {
        EventFeed feed = new EventFeed("a");
        PageWatcher watcher = watcher(StudyFixture.study(3, 1, 0), feed);
        watcher.begins(0, "sums");
        for (int turn = 0; turn < 1_000; turn++) {
            watcher.reached("party-0", "keys");
            watcher.reached("party-1", "vector");
            watcher.reached("party-1", "keys");
            watcher.waits(0, CoordinatorPhase.ASKED, List.of("party-0"));
        }
        assertThat(feed.after(0, 0))
                .hasSize(5)
                .anyMatch(event -> event.json().contains("\"party-1\",\"phase\":\"vector\""))
                .noneMatch(event -> event.json().contains("\"party-1\",\"phase\":\"keys\""));
        watcher.begins(1, "sums");
        watcher.reached("party-1", "keys");
        assertThat(feed.after(0, 0)).anyMatch(event -> event.json().contains("\"party-1\",\"phase\":\"keys\""));
    }

    /** One party could fill a disk otherwise. */
    @Test
    void whoRefusesAgainAndAgainIsHeardOnceARound() {
        PageWatcher watcher = watcher();
        for (int round = 0; round < 2; round++) {
            watcher.begins(round, "sums");
            for (int turn = 0; turn < 1_000; turn++) {
                watcher.refuses("party-0", new ProtocolRefusal(Reason.OUT_OF_ORDER, "not now, for the time " + turn));
                watcher.refuses("party-0", new ProtocolRefusal(Reason.TOO_FEW, "so few"));
                watcher.refusedMessage(new ProtocolRefusal(Reason.NOT_SIGNED, "nobody signed message " + turn));
            }
        }
        assertThat(said)
                .hasSize(8)
                .startsWith(
                        "Sum 1 of 3 is under way.",
                        "party-0 refuses: not now, for the time 0.",
                        "party-0 refuses: so few.");
    }

    /** Ten sums between ten parties are hundreds of waits of milliseconds. */
    @Test
    void aSumThatGoesOnIsOneLine() throws InterruptedException {
        EventFeed feed = new EventFeed("a");
        PageWatcher watcher = watcher(StudyFixture.study(3, 1, 0), feed);
        for (int round = 0; round < 3; round++) {
            watcher.begins(round, "sums");
            for (CoordinatorPhase phase : CoordinatorPhase.values()) {
                watcher.waits(round, phase, List.of("party-0", "party-1"));
                clock.move(Duration.ofSeconds(2));
                watcher.waits(round, phase, List.of("party-1"));
                clock.move(Duration.ofSeconds(2));
            }
        }
        assertThat(said)
                .containsExactly("Sum 1 of 3 is under way.", "Sum 2 of 3 is under way.", "Sum 3 of 3 is under way.");
        watcher.waits(2, CoordinatorPhase.OPENING, List.of("party-2"));
        assertThat(feed.after(0, 0))
                .as("the page shows a wait at once, and machines read its phase there")
                .last()
                .matches(event -> event.json().contains("\"phase\":\"OPENING\",\"for\":[\"party-2\"]"))
                .matches(event -> event.json().contains("Sum 3 of 3 waits for party-2 (keys to open the sum)."));
    }

    @Test
    void whoIsWaitedForForLongIsNamedWithSinceWhen() {
        PageWatcher watcher = watcher();
        watcher.begins(2, "sums");
        for (int second = 0; second <= 900; second++) {
            watcher.waits(2, CoordinatorPhase.ASKED, second < 60 ? List.of("party-0", "party-1") : List.of("party-1"));
            clock.move(Duration.ofSeconds(1));
        }
        assertThat(said).hasSize(5);
        assertThat(said.get(1)).matches("Sum 3 of 3 waits for party-0, party-1" + SINCE + "\\(masked sums\\)\\.");
        assertThat(said.subList(2, 5))
                .allMatch(line -> line.matches("Sum 3 of 3 waits for party-1" + SINCE + "\\(masked sums\\)\\."));
    }

    @Test
    void withoutMasksRoundsWaitForChanges() {
        Study study = StudyFixture.study(3, 2, 0, Study.Noise.OWN, Map.of("way", "dp-optimisation", "rounds", "4"));
        PageWatcher watcher = watcher(study, new EventFeed("a"));
        watcher.begins(0, "changes of factors");
        watcher.waitsForChanges(0, List.of("party-1"));
        clock.move(Duration.ofSeconds(6));
        watcher.waitsForChanges(0, List.of("party-1"));
        assertThat(said).first().isEqualTo("Round 1 of 4 is under way.");
        assertThat(said).last().asString().matches("Round 1 of 4 waits for party-1" + SINCE + "\\(changes\\)\\.");
    }

    /** A party tries again for days, and each try begins with where it stands. */
    @Test
    void aCoordinatorThatCannotBeReachedIsOneLine() {
        PatientVoice voice = new PatientVoice(said::add, MovedClock.times(clock));
        for (int outage = 0; outage < 2; outage++) {
            for (int attempt = 0; attempt < 100; attempt++) {
                voice.stands("Sum 1.");
                voice.waits("Sum 1", since -> "Sum 1 waits.");
                voice.away("Nobody answers.");
                clock.move(Duration.ofSeconds(30));
            }
            voice.back();
        }
        assertThat(said).containsExactly("Sum 1.", "Nobody answers.", "Sum 1.", "Sum 1 waits.", "Nobody answers.");
    }

    /** Whoever runs a program in a hospital has not read the protocol, and "survivors" is a frightening word there. */
    @Test
    void phasesAreSaidInWordsForPeople() {
        assertThat(Stream.concat(
                        Arrays.stream(PartyPhase.values()).map(PartyPhase::words),
                        Arrays.stream(CoordinatorPhase.values()).map(CoordinatorPhase::words)))
                .noneMatch(words -> words.matches(".*(round|survivor|vector|seed|share|quorum).*"));
    }

    /** Who missed sums is told apart from who was in all of them. */
    @Test
    void thePageCountsInHowManySumsAPartyIs() throws InterruptedException {
        EventFeed feed = new EventFeed("a");
        PageWatcher watcher = watcher(StudyFixture.study(5, 1, 1), feed);
        PartySet without = PartySet.of(List.of(0, 1, 2, 4));
        watcher.opened(new OpenedSum(0, new long[0], PartySet.first(5), without, 1), "sums", PageWatcherTest::notYet);
        assertThat(said).as("what is told from the log is no news").isEmpty();
        watcher.begins(1, "sums");
        watcher.opened(new OpenedSum(1, new long[0], PartySet.first(5), without, 1), "sums", PageWatcherTest::notYet);
        watcher.begins(2, "sums");
        watcher.opened(
                new OpenedSum(2, new long[0], PartySet.first(5), PartySet.first(5), 1),
                "sums",
                PageWatcherTest::notYet);
        assertThat(said)
                .containsExactly(
                        "Sum 2 of 3 is under way.",
                        "Sum 2 of 3 was opened without party-3.",
                        "Sum 3 of 3 is under way.");
        assertThat(feed.after(0, 0)).anyMatch(event -> event.json().contains("\"counts\":[3,3,3,1,3]"));
    }

    /** Numbers without a scale cannot be read, and intervals without the noise are too narrow. */
    @Test
    void thePageKnowsWhatItsNumbersAre() throws InterruptedException {
        EventFeed masked = new EventFeed("a");
        watcher(StudyFixture.study(3, 1, 0), masked);
        assertThat(masked.after(0, 0).get(0).json())
                .contains("\"noiseCounted\":true")
                .contains("\"scale\":\"logarithms of an odds ratio\"");
        EventFeed own = new EventFeed("a");
        watcher(StudyFixture.study(3, 2, 0, Study.Noise.OWN, Map.of("way", "dp-optimisation", "rounds", "4")), own);
        assertThat(own.after(0, 0).get(0).json()).contains("\"noiseCounted\":false");
    }
}
