package dev.tacit.fit.ledger;

import dev.tacit.data.prepare.RecordSketch;
import dev.tacit.data.source.SketchKey;
import dev.tacit.file.DurableFile;
import dev.tacit.fit.base.FitException;
import dev.tacit.json.Json;
import dev.tacit.json.JsonFields;
import dev.tacit.noise.SecureNoise;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the holder of the records keeps beside a ledger, in a file that only they may read: the secret under which records
 * are hashed, a sketch of the records that were charged for, and what shows that ledger or folder is not an older copy.
 *
 * @param ledger the name of the ledger
 * @param secret the key of the sketch
 * @param sketch of all records that were charged for
 * @param head the ledger's last hash when this was written; a ledger without it is an older copy
 * @param runs the newest token of each run; a folder without it is an older copy
 */
public record LedgerKey(String ledger, byte[] secret, RecordSketch sketch, String head, Map<String, String> runs) {
    private static final String FORMAT = "tacit-ledger-key";

    public LedgerKey {
        runs = new LinkedHashMap<>(runs);
    }

    /** The file that belongs to a ledger, whatever link leads to it. */
    public static Path beside(Path ledger) {
        Path real = ledger;
        try {
            real = ledger.toRealPath();
        } catch (IOException e) {
            // it is not there yet
        }
        return real.resolveSibling(real.getFileName() + ".key");
    }

    /** A new name for a ledger or a run's state. */
    public static String newName() {
        SecureNoise random = SecureNoise.create();
        return String.format("%016x%016x", random.nextLong(), random.nextLong());
    }

    /** Reads the file, if there is one. */
    public static Optional<LedgerKey> read(Path file) {
        try {
            JsonFields json = JsonFields.of(Json.read(Files.readString(file, StandardCharsets.UTF_8)), "");
            if (json.integer(FORMAT) != 1) {
                throw unreadable(file, null);
            }
            Map<String, String> runs = new LinkedHashMap<>();
            if (json.value("runs") instanceof Map<?, ?> map) {
                map.forEach((run, token) -> runs.put(run.toString(), token.toString()));
            }
            byte[] secret = HexFormat.of().parseHex(json.text("key"));
            if (secret.length != SketchKey.BYTES) {
                throw unreadable(file, null);
            }
            LedgerKey read = new LedgerKey(
                    json.text("ledger"),
                    secret,
                    RecordSketch.fromJson(json.value("sketch"), "sketch"),
                    json.text("head"),
                    runs);
            json.end();
            return Optional.of(read);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            throw unreadable(file, e);
        }
    }

    /** Whether a file has a token, of which no two are the same; it is asked before every release, so the sketch is not read. */
    public static boolean has(Path file, String token) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8).contains(token);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private static FitException unreadable(Path file, Exception cause) {
        return new FitException(
                FitException.Kind.CONFIGURATION,
                file + " is not the key of a ledger, or may not be read by this user; restore it, or remove it and say"
                        + " --same-people if you know that the ledger is that of these records.",
                cause);
    }

    /** Writes the file whole or not at all, for its owner only. */
    public void write(Path file) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put(FORMAT, 1L);
        json.put("ledger", ledger);
        json.put("key", HexFormat.of().formatHex(secret));
        json.put("head", head);
        json.put("runs", runs);
        json.put("sketch", sketch.toJson());
        try {
            DurableFile.write(
                    file, (Json.write(json) + "\n").getBytes(StandardCharsets.UTF_8), DurableFile.Access.OWNER);
        } catch (IOException e) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION,
                    "cannot write " + file
                            + ", which belongs beside the ledger; check the rights of the folder and that"
                            + " the disk has room.",
                    e);
        }
    }
}
