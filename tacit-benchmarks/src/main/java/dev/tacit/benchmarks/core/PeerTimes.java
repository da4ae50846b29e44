package dev.tacit.benchmarks.core;

import dev.tacit.json.Json;
import dev.tacit.json.JsonFields;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The recorded times of other libraries, from {@code peers.json}.
 *
 * @param provenance where and how they were measured
 * @param questions what was asked, by name
 */
record PeerTimes(String provenance, Map<String, Question> questions) {

    /** One question with the true answer, where it is recorded, and the times of peers. */
    record Question(String name, String truth, List<Peer> peers) {}

    /** One library's seconds and answer; {@code timeout} if it was stopped after these seconds. */
    record Peer(String name, double seconds, OptionalDouble answer, boolean timeout) {}

    static PeerTimes read() throws IOException {
        try (InputStream stream = PeerTimes.class.getResourceAsStream("peers.json")) {
            JsonFields file = JsonFields.of(Json.read(new String(stream.readAllBytes(), StandardCharsets.UTF_8)), "");
            Map<String, Question> questions = new LinkedHashMap<>();
            for (Object value : file.list("questions")) {
                JsonFields question = JsonFields.of(value, "questions");
                List<Peer> peers = new ArrayList<>();
                for (Object peer : question.list("peers")) {
                    peers.add(peer(JsonFields.of(peer, "peers")));
                }
                String truth = question.has("truth") ? question.text("truth") : "";
                questions.put(question.text("id"), new Question(question.text("name"), truth, peers));
            }
            return new PeerTimes(file.text("provenance"), questions);
        }
    }

    private static Peer peer(JsonFields fields) {
        return new Peer(
                fields.text("name"),
                fields.number("seconds"),
                fields.has("answer") ? OptionalDouble.of(fields.number("answer")) : OptionalDouble.empty(),
                fields.has("timeout"));
    }
}
