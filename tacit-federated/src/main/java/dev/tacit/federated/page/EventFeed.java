package dev.tacit.federated.page;

import dev.tacit.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What happened in a study, in order, for whoever watches: public and released values only.
 *
 * <p>Everything is kept, so whoever comes late or comes back sees all of it. An event of a kind and key that replaces earlier ones, such as
 * who is waited for, is kept once.
 */
public final class EventFeed {
    /**
     * An event.
     *
     * @param id counted from 1
     * @param json one line
     */
    public record Event(long id, String json) {}

    private final String name;
    private final List<Event> events = new ArrayList<>();
    private final List<String> keys = new ArrayList<>();
    private long last;
    private boolean closed;

    /** @param name tells this feed from the one before a restart, whose numbers mean something else */
    public EventFeed(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    /** Adds an event that stays. */
    public void add(Map<String, Object> event) {
        add("", event);
    }

    /** Adds an event in place of all earlier ones under a key. */
    public synchronized void replace(String key, Map<String, Object> event) {
        for (int i = keys.size() - 1; i >= 0; i--) {
            if (keys.get(i).equals(key)) {
                keys.remove(i);
                events.remove(i);
            }
        }
        add(key, event);
    }

    private synchronized void add(String key, Map<String, Object> event) {
        last++;
        events.add(new Event(last, Json.write(event)));
        keys.add(key);
        notifyAll();
    }

    /** The events after one, at once if there are any; waits for them otherwise, and returns nothing if none come in time. */
    public synchronized List<Event> after(long id, long millis) throws InterruptedException {
        long end = System.nanoTime() + millis * 1_000_000;
        while (last <= id && !closed) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return List.of();
            }
            wait(left);
        }
        return events.stream().filter(event -> event.id > id).toList();
    }

    /** Nothing more will happen. */
    public synchronized void close() {
        closed = true;
        notifyAll();
    }

    synchronized boolean closed() {
        return closed;
    }
}
