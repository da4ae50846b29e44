package dev.tacit.federated.transport;

import dev.tacit.federated.message.Envelope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What waits for each party, numbered in the order in which it was posted: one step of {@link PostOffice} for those in memory. */
final class Outboxes {
    /** A message and its number, from 1. */
    record Numbered(long number, Envelope envelope) {}

    private final Map<String, List<Numbered>> waiting = new HashMap<>();
    private final Map<String, Long> counts = new LinkedHashMap<>();

    /** Posts; nothing happens if the same message waits already. */
    synchronized void post(String party, Envelope envelope) {
        List<Numbered> list = waiting.computeIfAbsent(party, unused -> new ArrayList<>());
        if (list.stream().anyMatch(each -> each.envelope.equals(envelope))) {
            return;
        }
        list.removeIf(each -> each.envelope.round() < envelope.round());
        Optional<Numbered> newer = list.stream()
                .filter(each -> each.envelope.round() > envelope.round())
                .findFirst();
        if (newer.isEmpty()) {
            list.add(new Numbered(counts.merge(party, 1L, Long::sum), envelope));
        }
    }

    /** What waits for a party after a number. */
    synchronized List<Numbered> after(String party, long number) {
        return waiting.getOrDefault(party, List.of()).stream()
                .filter(each -> each.number > number)
                .toList();
    }
}
