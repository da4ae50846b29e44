package clinic;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tacit.data.schema.Schema;
import dev.tacit.fit.Fit;
import dev.tacit.fit.FitListener;
import dev.tacit.fit.FittedModel;
import dev.tacit.fit.base.FitException;
import dev.tacit.run.ReleaseNote;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/**
 * A service that fits what it is asked to, until a year's budget is spent.
 *
 * <pre>
 *   POST /fits                   a formula            the name of the fit, and its summary
 *   POST /fits/NAME/predictions  a table as CSV       one line for each record
 * </pre>
 *
 * <p>Analysts see what was released. They never see the table, and no answer, error or status depends on what a record says. The
 * ledger beside the table is the only state that has to survive: it refuses a fit that would exceed the limit, also after a restart
 * and also if another process spends from it.
 */
public final class FitService {
    private static final double EPSILON_OF_A_FIT = 0.5;
    private static final double EPSILON_OF_THE_YEAR = 0.8;
    private static final double DELTA = 1e-6;

    private final Path folder;
    private final Schema schema;
    private final Map<String, FittedModel> fits = new ConcurrentHashMap<>();

    private FitService(Path folder) throws IOException {
        this.folder = folder;
        this.schema = Schema.read(folder.resolve("visits.schema.yaml"));
    }

    private String fit(String formula, String analyst) {
        String name = "fit-" + (fits.size() + 1);
        FittedModel model = Fit.of(folder.resolve("visits.csv"), schema)
                .formula(formula)
                .epsilon(EPSILON_OF_A_FIT)
                .delta(DELTA)
                .ledgerLimit(EPSILON_OF_THE_YEAR) // of the ledger that the first fit creates; later ones cannot raise it
                .analyst(analyst)
                .label(formula)
                .listener(new FitListener() {
                    @Override
                    public void released(ReleaseNote note, long released, long planned) {
                        if (released == planned) {
                            System.out.println("  log: " + name + " made its " + planned + " releases");
                        }
                    }
                })
                .build()
                .run(folder.resolve(name));
        fits.put(name, model);
        return name + "\n" + model.summary(0.95).stream().map(each -> each + "\n").collect(Collectors.joining());
    }

    private String predict(String name, String table) throws IOException {
        FittedModel model = fits.get(name);
        if (model == null) {
            throw new FitException(FitException.Kind.MISSING_INPUT, "there is no fit of that name.");
        }
        Path file = Files.createTempFile("records", ".csv");
        try {
            Files.writeString(file, table);
            return model.predict(file, 0.9).stream().map(each -> each + "\n").collect(Collectors.joining());
        } finally {
            Files.delete(file);
        }
    }

    /** A failure is a sentence and a kind. The kind says whose turn it is: the analyst's, the data owner's, or ours. */
    private static int status(FitException.Kind kind) {
        return switch (kind) {
            case USAGE -> 400;
            case MISSING_INPUT -> 404;
            case BAD_DATA -> 422;
            case BUDGET_EXHAUSTED -> 429;
            case UNREACHABLE -> 503;
            case CONFIGURATION, DEFECT -> 500;
        };
    }

    private void handle(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String[] path = exchange.getRequestURI().getPath().split("/");
        int status = 200;
        String answer;
        try {
            // A real service knows who asks.
            answer = path.length == 4 ? predict(path[2], body) : fit(body, "analyst");
        } catch (FitException e) {
            status = status(e.kind());
            answer = e.getMessage() + "\n";
        }
        byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    /** @param args the folder in which {@code visits.csv} lies */
    public static void main(String[] args) throws Exception {
        FitService service = new FitService(Path.of(args[0]));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        // One thread: fits wait for each other. They would at the ledger, too.
        ExecutorService thread = Executors.newSingleThreadExecutor();
        server.setExecutor(thread);
        server.createContext("/fits", service::handle);
        server.start();
        try {
            URI fits = URI.create("http://localhost:" + server.getAddress().getPort() + "/fits");
            ask(fits, "readmitted ~ age");
            ask(fits, "readmitted ~ age + smokng"); // refused, and free
            ask(fits, "readmitted ~ age + smoking");
            ask(URI.create(fits + "/fit-2/predictions"), "age,smoking,site\n30,never,hill\n80,current,hill\n");
            ask(fits, "readmitted ~ age + site"); // the year's budget does not pay for a third fit
        } finally {
            server.stop(0);
            thread.shutdown();
        }
    }

    private static void ask(URI where, String body) throws Exception {
        System.out.println("POST " + where.getPath() + ": " + body.lines().findFirst().orElseThrow());
        HttpRequest request = HttpRequest.newBuilder(where)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        var response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        System.out.println(response.statusCode() + " " + response.body());
    }
}
