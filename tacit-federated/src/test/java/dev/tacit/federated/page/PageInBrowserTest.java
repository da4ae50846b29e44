package dev.tacit.federated.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tacit.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
            "{\"type\":\"opened\",\"round\":0,\"label\":\"statistics\",\"present\":2,\"noise\":1.2}",
            "{\"type\":\"posterior\",\"round\":0,\"terms\":[{\"term\":\"age\",\"mean\":1.0,\"lower\":-1.0,\"upper\":3.0}]}",
            "{\"type\":\"waiting\",\"for\":[\"south\"],\"sentence\":\"Sum 2 of 3 waits for vectors: south.\"}");

    @SuppressWarnings("unchecked") // the events are objects
    private static EventFeed feed(String name) {
        EventFeed feed = new EventFeed(name);
        EVENTS.forEach(event -> feed.add((Map<String, Object>) Json.read(event)));
        return feed;
    }

    private static String chromium() {
        for (String path : List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")) {
            if (Files.isExecutable(Path.of(path))) {
                return path;
            }
        }
        return "";
    }

    private String seen(String address) throws IOException, InterruptedException {
        String chromium = chromium();
        assumeTrue(!chromium.isEmpty(), "Chromium is not installed");
        Path dom = folder.resolve("dom.html");
        List<String> command = new ArrayList<>(List.of(
                chromium,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--virtual-time-budget=4000",
                "--user-data-dir=" + folder.resolve("profile"),
                "--dump-dom",
                address));
        Process process = new ProcessBuilder(command)
                .redirectOutput(dom.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        boolean ended = process.waitFor(120, TimeUnit.SECONDS);
        process.destroyForcibly();
        assertThat(ended).as("Chromium ended").isTrue();
        return Files.readString(dom, StandardCharsets.UTF_8);
    }

    private static void requireWhole(String dom) {
        assertThat(dom)
                .contains("readmission")
                .contains("sea photo month")
                .contains("Sum 2 of 3 waits for vectors: south.")
                .contains("1 of 3 sums opened")
                .contains("epsilon alone")
                .contains("-1 to 3")
                .contains("2 of 2 there");
        assertThat(dom.split("dot done", -1))
                .as("north has joined, sent keys and a vector")
                .hasSize(4);
        assertThat(dom.split("dot wait", -1)).as("south is waited for").hasSize(2);
    }

    /** A page that was kept needs no server. */
    @Test
    void aKeptPageShowsTheStudy() throws Exception {
        Path page = Files.writeString(folder.resolve("page.html"), PageServer.still(feed("a")));
        requireWhole(seen(page.toUri().toString()));
    }

    /** A browser whose coordinator was started again shows the study of the new feed once, not twice. */
    @Test
    void aLivePageSurvivesTheRestartOfItsCoordinator() throws Exception {
        String script = """
                <script>
                window.EventSource = function () {
                  const stream = this;
                  const events = EVENTS;
                  setTimeout(() => {
                    stream.onopen();
                    for (const feed of ['a', 'b']) {
                      events.forEach((data, i) => stream.onmessage({lastEventId: feed + '-' + (i + 1), data}));
                      if (feed === 'a') { stream.onerror(); stream.onopen(); }
                    }
                  }, 10);
                };
                </script>
                """.replace("EVENTS", Json.write(new ArrayList<Object>(EVENTS)));
        String html;
        try (var file = PageServer.class.getResourceAsStream("page.html")) {
            html = new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
        Path page = Files.writeString(folder.resolve("live.html"), html.replace("<main>", script + "<main>"));
        String dom = seen(page.toUri().toString());
        requireWhole(dom);
        assertThat(dom).contains(">live</span>");
    }
}
