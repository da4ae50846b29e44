package dev.tacit.cli;

import dev.tacit.privacy.event.EventJson;
import dev.tacit.privacy.event.EventJson.EventFormatException;
import dev.tacit.privacy.event.PrivacyEvent;
import dev.tacit.privacy.json.JsonException;

/** A file of event JSON. */
final class EventFile {
    private EventFile() {}

    static PrivacyEvent read(InputFile file, Console console) {
        String text = file.text(console);
        try {
            return EventJson.standard().read(text);
        } catch (JsonException | EventFormatException e) {
            throw new CommandFailure(ExitCode.BAD_DATA, file.label() + " is not an event: " + e.getMessage() + ".", e);
        }
    }
}
