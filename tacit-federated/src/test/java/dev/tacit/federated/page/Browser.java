package dev.tacit.federated.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Chromium without a window, asked through its DevTools protocol what it shows. */
public final class Browser implements AutoCloseable {
    /** So long is waited for what a page must come to show; a machine may be busy. */
    private static final Duration MOST = Duration.ofMinutes(2);

    private static final long PAUSE_MILLIS = 50;

    private final Process process;
    private final Path profile;
    private final HttpClient http = HttpClient.newHttpClient();
    private WebSocket tab;
    private volatile CompletableFuture<String> answer = new CompletableFuture<>();

    private Browser(Process process, Path profile) {
        this.process = process;
        this.profile = profile;
    }

    /** Where Chromium is, if it is installed. */
    public static Optional<String> installed() {
        return List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome").stream()
                .filter(path -> Files.isExecutable(Path.of(path)))
                .findFirst();
    }

    /** Opens a page. */
    public static Browser open(String address, Path profile) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        installed().orElseThrow(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--no-first-run",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Browser browser = new Browser(process, profile);
        try {
            browser.connect(address);
            return browser;
        } catch (IOException | InterruptedException | RuntimeException | AssertionError e) {
            browser.close();
            throw e;
        }
    }

    private void connect(String address) throws IOException, InterruptedException {
        Path port = profile.resolve("DevToolsActivePort");
        String first = "";
        for (long end = end(); first.isEmpty(); Thread.sleep(PAUSE_MILLIS)) {
            assertThat(System.nanoTime() - end).as("Chromium started").isNegative();
            first = Files.exists(port)
                    ? Files.readString(port).lines().findFirst().orElse("")
                    : "";
        }
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + first + "/json/new?" + address))
                .PUT(HttpRequest.BodyPublishers.noBody())
                .build();
        Map<?, ?> opened = (Map<?, ?>)
                Json.read(http.send(request, BodyHandlers.ofString()).body());
        tab = http.newWebSocketBuilder()
                .buildAsync(URI.create((String) opened.get("webSocketDebuggerUrl")), new Listener())
                .join();
    }

    private static long end() {
        return System.nanoTime() + MOST.toNanos();
    }

    /** Waits until what is shown, as it was made and not as it was sent, is as it must be; returns it. */
    public String until(String what, Predicate<String> shown) throws InterruptedException {
        String html = "";
        for (long end = end(); !shown.test(html); Thread.sleep(PAUSE_MILLIS)) {
            assertThat(System.nanoTime() - end)
                    .as("%s, but the page shows %s", what, html)
                    .isNegative();
            html = html();
        }
        return html;
    }

    private String html() {
        answer = new CompletableFuture<>();
        Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("expression", "document.querySelector('main')?.outerHTML ?? ''");
        parameters.put("returnByValue", true);
        Map<String, Object> call = new LinkedHashMap<>();
        call.put("id", 1L);
        call.put("method", "Runtime.evaluate");
        call.put("params", parameters);
        tab.sendText(Json.write(call), true).join();
        Map<?, ?> said = (Map<?, ?>)
                Json.read(answer.orTimeout(MOST.toSeconds(), TimeUnit.SECONDS).join());
        Map<?, ?> result = (Map<?, ?>) ((Map<?, ?>) said.get("result")).get("result");
        return (String) result.get("value");
    }

    /** Puts the pieces of an answer together. */
    private final class Listener implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                answer.complete(text.toString());
                text.setLength(0);
            }
            socket.request(1);
            return null;
        }
    }

    @Override
    public void close() {
        if (tab != null) {
            tab.abort();
        }
        // none of them may still write its profile when the folder is deleted
        List<ProcessHandle> all = Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .toList();
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(each -> each.onExit().join());
    }
}
