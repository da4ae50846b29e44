package dev.tacit.federated.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tacit.json.Json;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page as Chromium without a window shows it; left out where Chromium is not installed. */
class PageInBrowserTest {
    @TempDir
    Path folder;

    private static final List<String> EVENTS = List.of(
            "{\"type\":\"study\",\"name\":\"readmission\",\"words\":\"sea photo month\",\"parties\":[{\"name\":\"north\",\"units\":300},"
                    + "{\"name\":\"south\",\"units\":200}],\"releases\":3,\"epsilon\":\"1\",\"epsilonAlone\":\"1.4\",\"delta\":\"1e-6\","
                    + "\"colluders\":1,\"missing\":0,\"threshold\":2,\"noisePlanned\":1.2,\"noiseMost\":1.2}",
            "{\"type\":\"round\",\"round\":0,\"label\":\"statistics\"}",
            "{\"type\":\"phase\",\"party\":\"north\",\"phase\":\"vector\"}",
            "{\"type\":\"opened\",\"round\":0,\"label\":\"statistics\",\"present\":2,\"noise\":1.2,\"counts\":[1,0]}",
            "{\"type\":\"posterior\",\"round\":0,\"terms\":[{\"term\":\"age\",\"mean\":1.0,\"lower\":-1.0,\"upper\":3.0}]}",
            "{\"type\":\"waiting\",\"for\":[\"south\"],\"sentence\":\"Sum 2 of 3 waits for south (masked sums).\"}");

    private static void add(EventFeed feed, List<String> events) {
        for (String event : events) {
            Map<String, Object> fields = new LinkedHashMap<>();
            ((Map<?, ?>) Json.read(event)).forEach((name, value) -> fields.put((String) name, value));
            feed.add(fields);
        }
    }

    private Browser browser(String address) throws Exception {
        assumeTrue(Browser.installed().isPresent(), "Chromium is not installed");
        return Browser.open(address, folder.resolve("profile"));
    }

    private static void requireWhole(String shown) {
        assertThat(shown)
                .contains("readmission")
                .contains("sea photo month")
                .contains("Sum 2 of 3 waits for south (masked sums).")
                .contains("1 of 3 sums opened")
                .contains("epsilon alone")
                .contains("-1 to 3")
                .contains("They include the privacy noise.")
                .contains("<td class=\"number\">1 of 1</td>")
                .contains("<td class=\"number few\">0 of 1</td>")
                .contains("2 of 2 there");
        assertThat(shown.split("dot done", -1))
                .as("north has sent keys and a masked sum")
                .hasSize(3);
        assertThat(shown.split("dot wait", -1)).as("south is waited for").hasSize(2);
    }

    /** A page that was kept needs no server. */
    @Test
    void aKeptPageShowsTheStudy() throws Exception {
        EventFeed feed = new EventFeed("a");
        add(feed, EVENTS);
        Path page = Files.writeString(folder.resolve("page.html"), PageServer.still(feed));
        try (Browser browser = browser(page.toUri().toString())) {
            requireWhole(browser.until("the kept page is drawn", shown -> shown.contains(">as it was</span>")));
        }
    }

    /** A study that is under way must not look as if it had not begun. */
    @Test
    void beforeTheFirstEventThePageSaysThatItConnects() throws Exception {
        EventFeed feed = new EventFeed("a");
        try (PageServer server = PageServer.start(feed, 0);
                Browser browser = browser(server.address())) {
            browser.until("it connects", shown -> shown.contains(">Connecting ...<") && live(shown));
            add(feed, EVENTS.subList(0, 1));
            assertThat(browser.until("it heard of the study", shown -> shown.contains("Nobody is waited for.")))
                    .doesNotContain("Connecting")
                    .containsPattern("id=\"narrowing\" hidden");
        }
    }

    /** Whoever keeps the page must be able to read it alone: what its intervals leave out, and which party was missing. */
    @Test
    void withoutMasksIntervalsAreSaidToBeTooNarrow() throws Exception {
        EventFeed feed = new EventFeed("a");
        String name = "marital-status: Married-civ-spouse-of-somebody";
        add(
                feed,
                List.of(
                        EVENTS.get(0)
                                .replace(
                                        "\"releases\":3",
                                        "\"releases\":3,\"masked\":false,\"noiseCounted\":false,"
                                                + "\"scale\":\"logarithms of an odds ratio\""),
                        EVENTS.get(3),
                        EVENTS.get(4).replace("age", name),
                        "{\"type\":\"done\",\"sentence\":\"The study is over.\"}"));
        Path page = Files.writeString(folder.resolve("page.html"), PageServer.still(feed));
        try (Browser browser = browser(page.toUri().toString())) {
            assertThat(browser.until("the kept page is drawn", shown -> shown.contains(">over</span>")))
                    .contains("They are too narrow: they do not count the privacy noise")
                    .contains("Values are logarithms of an odds ratio.")
                    .contains(">" + name + "<")
                    .contains("<td class=\"number few\">0 of 3</td>")
                    .doesNotContain("dot done");
        }
    }

    /** A browser hears what happens, says when nobody is there, and finds a coordinator that was started again: it then shows all of it once. */
    @Test
    void aLivePageSurvivesTheRestartOfItsCoordinator() throws Exception {
        EventFeed before = new EventFeed("a");
        add(before, EVENTS.subList(0, 3));
        PageServer first = PageServer.start(before, 0);
        int port = URI.create(first.address()).getPort();
        try (Browser browser = browser(first.address())) {
            try (first) {
                browser.until("it is live", shown -> shown.contains("0 of 3 sums opened") && live(shown));
                add(before, EVENTS.subList(3, 4));
                browser.until("a sum is opened while it looks", shown -> shown.contains("1 of 3 sums opened"));
            }
            browser.until("nobody is there", shown -> shown.contains("not connected; trying again"));
            EventFeed after = new EventFeed("b");
            add(after, EVENTS);
            try (PageServer second = PageServer.start(after, port)) {
                assertThat(second.address()).isEqualTo(first.address());
                requireWhole(
                        browser.until("it found the coordinator", shown -> shown.contains("-1 to 3") && live(shown)));
            }
        }
    }

    private static boolean live(String shown) {
        return shown.contains(">live</span>");
    }
}
