package dev.tacit.run;

import dev.tacit.door.ledger.RunPosition;
import dev.tacit.json.Json;
import dev.tacit.json.JsonFieldException;
import dev.tacit.json.JsonFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where a run stands: everything needed to go on, and nothing that was not released.
 *
 * @param configuration a text that is the same for the same run; a checkpoint of another run is refused
 * @param released how many releases the state contains
 * @param position where that is in the ledger; empty for a run that is not private
 * @param state the kernel's state
 * @param notes what the report will say about each release
 */
public record Checkpoint(
        String configuration,
        long released,
        Optional<RunPosition> position,
        Map<String, Object> state,
        List<ReleaseNote> notes) {
    private static final String FORMAT = "tacit-checkpoint/2";

    /** Keeps the newest checkpoint. */
    public interface Store {
        /** Keeps nothing: the run cannot be resumed. */
        Store NONE = new Store() {
            @Override
            public void save(Checkpoint checkpoint) {}

            @Override
            public Optional<Checkpoint> load() {
                return Optional.empty();
            }
        };

        /** Replaces the checkpoint; when this returns, it survives a crash. */
        void save(Checkpoint checkpoint);

        /** The newest checkpoint, if there is one. */
        Optional<Checkpoint> load();
    }

    /** As one line of JSON; doubles come back bit by bit. */
    public String toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("format", FORMAT);
        json.put("configuration", configuration);
        json.put("released", released);
        position.ifPresent(at -> {
            json.put("ledgerSequence", at.sequence());
            json.put("ledgerHash", at.hash());
        });
        json.put("state", state);
        json.put("notes", notes.stream().map(note -> (Object) note.toJson()).toList());
        return Json.write(json);
    }

    /** Reads {@link #toJson} back. */
    @SuppressWarnings("unchecked")
    public static Checkpoint fromJson(String text) {
        JsonFields json = JsonFields.of(Json.read(text), "checkpoint");
        if (!json.text("format").equals(FORMAT)) {
            throw new JsonFieldException(json.pathOf("format"), "is not one that this version writes");
        }
        long released = json.integer("released");
        Optional<RunPosition> position = Optional.empty();
        if (json.has("ledgerSequence")) {
            position = Optional.of(new RunPosition(json.integer("ledgerSequence"), json.text("ledgerHash"), released));
        }
        List<ReleaseNote> notes = new ArrayList<>();
        for (Object note : json.list("notes")) {
            notes.add(ReleaseNote.fromJson(JsonFields.of(note, json.pathOf("notes"))));
        }
        Checkpoint checkpoint = new Checkpoint(
                json.text("configuration"),
                released,
                position,
                (Map<String, Object>) json.value("state"),
                List.copyOf(notes));
        json.end();
        return checkpoint;
    }
}
