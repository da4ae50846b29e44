package dev.tacit.federated.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.message.ProtocolRefusal.Reason;
import dev.tacit.federated.page.EventFeed;
import dev.tacit.federated.study.StudyFixture;
import dev.tacit.federated.study.StudyPlan;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What people are shown of a study that takes days: what happened, and not how often it was said. */
class PageWatcherTest {
    @Test
    void whatIsSaidAgainIsShownOnce() throws InterruptedException {
        EventFeed feed = new EventFeed("a");
        PageWatcher watcher = new PageWatcher(StudyPlan.of(StudyFixture.study(3, 1, 0)), feed, sentence -> {});
        watcher.begins(0, "sums");
        for (int turn = 0; turn < 1_000; turn++) {
            watcher.reached("party-0", "keys");
            watcher.reached("party-1", "vector");
            watcher.reached("party-1", "keys");
            watcher.waits(0, "waits for vectors", List.of("party-0"));
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
        List<String> said = new ArrayList<>();
        PageWatcher watcher = new PageWatcher(StudyPlan.of(StudyFixture.study(3, 1, 0)), new EventFeed("a"), said::add);
        for (int round = 0; round < 2; round++) {
            watcher.begins(round, "sums");
            for (int turn = 0; turn < 1_000; turn++) {
                watcher.refuses("party-0", new ProtocolRefusal(Reason.OUT_OF_ORDER, "not now, for the time " + turn));
                watcher.refuses("party-0", new ProtocolRefusal(Reason.TOO_FEW, "so few"));
                watcher.refusedMessage(new ProtocolRefusal(Reason.NOT_SIGNED, "nobody signed message " + turn));
            }
        }
        assertThat(said).hasSize(6).startsWith("party-0 refuses: not now, for the time 0.", "party-0 refuses: so few.");
    }
}
