package dev.tacit.federated.page;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Serves the page and its events to browsers on this machine.
 *
 * <pre>
 *   GET /          the page                    GET /events    server-sent events, from Last-Event-ID on
 * </pre>
 *
 * It listens on the loopback address only, answers only if it was called by a name of that address, and takes nothing in.
 */
public final class PageServer implements AutoCloseable {
    private static final Set<String> NAMES = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final long HEARTBEAT_MILLIS = 5_000;

    /** Where a page that stands still has its events. */
    private static final String NOTHING_RECORDED = "/* recorded */ null";

    private final EventFeed feed;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "page");
        thread.setDaemon(true);
        return thread;
    });

    private PageServer(EventFeed feed, HttpServer server) {
        this.feed = feed;
        this.server = server;
    }

    /** Starts to serve; port 0 for any that is free. */
    public static PageServer start(EventFeed feed, int port) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 16);
        PageServer page = new PageServer(feed, server);
        server.setExecutor(page.threads);
        server.createContext("/", page::answer);
        server.start();
        return page;
    }

    /** Where the page is. */
    public String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            if (!calledByName(exchange.getRequestHeaders())
                    || !exchange.getRequestMethod().equals("GET")) {
                exchange.sendResponseHeaders(403, -1);
            } else if (path.equals("/")) {
                page(exchange);
            } else if (path.equals("/events")) {
                events(exchange);
            } else {
                exchange.sendResponseHeaders(404, -1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A page elsewhere that had its own name point here would be called by that name. */
    private static boolean calledByName(Headers headers) {
        String host = headers.getFirst("Host");
        return host != null && NAMES.contains(host.toLowerCase(Locale.ROOT).replaceFirst(":[0-9]+$", ""));
    }

    private static String html() throws IOException {
        try (InputStream file = PageServer.class.getResourceAsStream("page.html")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The page as it is now, in one file that needs no server. */
    public static String still(EventFeed feed) throws IOException, InterruptedException {
        StringBuilder events = new StringBuilder("[");
        for (EventFeed.Event event : feed.after(0, 0)) {
            events.append(events.length() == 1 ? "" : ",").append(event.json());
        }
        return html().replace(NOTHING_RECORDED, events.append(']').toString().replace("<", "\\u003c"));
    }

    private static void page(HttpExchange exchange) throws IOException {
        byte[] html = html().getBytes(StandardCharsets.UTF_8);
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", "text/html; charset=utf-8");
        headers.set(
                "Content-Security-Policy",
                "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Cache-Control", "no-store");
        exchange.sendResponseHeaders(200, html.length);
        exchange.getResponseBody().write(html);
    }

    private void events(HttpExchange exchange) throws IOException, InterruptedException {
        long seen = lastSeen(exchange.getRequestHeaders().getFirst("Last-Event-ID"));
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.sendResponseHeaders(200, 0);
        OutputStream body = exchange.getResponseBody();
        write(body, "retry: 500\n\n");
        while (!Thread.currentThread().isInterrupted()) {
            boolean last = feed.closed();
            StringBuilder text = new StringBuilder();
            for (EventFeed.Event event : feed.after(seen, last ? 0 : HEARTBEAT_MILLIS)) {
                text.append("id: ")
                        .append(feed.name())
                        .append('-')
                        .append(event.id())
                        .append("\ndata: ")
                        .append(event.json())
                        .append("\n\n");
                seen = event.id();
            }
            write(body, text.length() == 0 ? ": still here\n\n" : text.toString());
            if (last) {
                feed.after(seen, HEARTBEAT_MILLIS);
                Thread.sleep(HEARTBEAT_MILLIS);
            }
        }
    }

    /** The number of another feed, such as the one before a restart, says nothing: everything is sent. */
    private long lastSeen(String header) {
        String own = feed.name() + "-";
        try {
            return header != null && header.startsWith(own) ? Long.parseLong(header.substring(own.length())) : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static void write(OutputStream body, String text) throws IOException {
        body.write(text.getBytes(StandardCharsets.UTF_8));
        body.flush();
    }

    @Override
    public void close() {
        feed.close();
        server.stop(0);
        threads.shutdownNow();
    }
}
