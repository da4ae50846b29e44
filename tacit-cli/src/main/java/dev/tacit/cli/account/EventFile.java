package dev.tacit.cli.account;

import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.InputFile;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.json.EventJson;
import dev.tacit.json.EventJson.EventFormatException;
import dev.tacit.json.JsonException;

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
