package dev.tacit.federated.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The page at the level of its protocol; {@link PageInBrowserTest} looks at it. */
class PageServerTest {
    private final EventFeed feed = new EventFeed("a1");
    private PageServer server;

    @BeforeEach
    void start() throws IOException {
        server = PageServer.start(feed, 0);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    static Map<String, Object> event(String type, String key, Object value) {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("type", type);
        event.put(key, value);
        return event;
    }

    private List<String> events(String lastSeen, int count) throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create(server.address() + "events").toURL().openConnection();
        if (lastSeen != null) {
            connection.setRequestProperty("Last-Event-ID", lastSeen);
        }
        List<String> found = new ArrayList<>();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
            while (found.size() < count) {
                String line = lines.readLine();
                if (line.startsWith("id: ") || line.startsWith("data: ")) {
                    found.add(line);
                }
            }
        }
        return found;
    }

    @Test
    void whoeverComesLateSeesEverything() throws IOException {
        feed.add(event("study", "name", "x"));
        feed.add(event("round", "round", 0L));
        assertThat(events(null, 4))
                .containsExactly(
                        "id: a1-1",
                        "data: {\"type\":\"study\",\"name\":\"x\"}",
                        "id: a1-2",
                        "data: {\"type\":\"round\",\"round\":0}");
    }

    @Test
    void whoeverComesBackSeesTheRest() throws IOException {
        feed.add(event("study", "name", "x"));
        feed.add(event("round", "round", 0L));
        assertThat(events("a1-1", 2)).containsExactly("id: a1-2", "data: {\"type\":\"round\",\"round\":0}");
    }

    /** After a restart the numbers are those of another feed, and everything is told anew. */
    @Test
    void anotherFeedBeginsAnew() throws IOException {
        feed.add(event("study", "name", "x"));
        assertThat(events("b7-1", 2)).first().isEqualTo("id: a1-1");
    }

    @Test
    void whatIsReplacedIsToldOnce() throws IOException {
        feed.add(event("study", "name", "x"));
        feed.replace("waiting", event("waiting", "sentence", "a"));
        feed.replace("waiting", event("waiting", "sentence", "b"));
        assertThat(events(null, 4)).last().isEqualTo("data: {\"type\":\"waiting\",\"sentence\":\"b\"}");
    }

    @Test
    void onlyThisMachineByItsOwnNameIsAnswered() throws IOException {
        assertThat(status("127.0.0.1", "GET /")).contains(" 200 ");
        assertThat(status("localhost:1", "GET /")).contains(" 200 ");
        assertThat(status("evil.example", "GET /")).contains(" 403 ");
        assertThat(status("127.0.0.1", "POST /")).contains(" 403 ");
        assertThat(status("127.0.0.1", "GET /etc/passwd")).contains(" 404 ");
    }

    private String status(String host, String request) throws IOException {
        URI address = URI.create(server.address());
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            socket.getOutputStream()
                    .write((request + " HTTP/1.1\r\nHost: " + host
                                    + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
        }
    }

    /** A page that stands still holds its events, and none of them can end the script. */
    @Test
    void aPageCanBeKept() throws Exception {
        feed.add(event("study", "name", "</script><b>"));
        String page = PageServer.still(feed);
        assertThat(page)
                .contains("\\u003c/script>\\u003cb>")
                .doesNotContain("</script><b>")
                .doesNotContain("/* recorded */ null");
    }
}
