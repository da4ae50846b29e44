package dev.tacit.federated.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.federated.page.EventFeed;
import dev.tacit.federated.study.StudyFixture;
import dev.tacit.federated.study.StudyPlan;
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
}
