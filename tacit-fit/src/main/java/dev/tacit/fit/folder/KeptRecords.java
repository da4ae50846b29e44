package dev.tacit.fit.folder;

import dev.tacit.data.prepare.RecordSketch;
import dev.tacit.data.source.DataLocation;
import dev.tacit.data.source.SketchKey;
import dev.tacit.json.Json;
import dev.tacit.json.JsonFieldException;
import dev.tacit.json.JsonFields;
import dev.tacit.noise.SecureNoise;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which records a run was begun on: a secret of this run and what the records are under it. It stays in
 * {@code sealed/}, where it tells whether a resumed run sees the same records, and whether records that a fit is to be
 * scored on are those it came from.
 *
 * @param secret the key
 * @param sketch the records under it
 */
public record KeptRecords(byte[] secret, RecordSketch sketch) {
    /** A new secret. */
    public static byte[] newSecret() {
        SecureNoise random = SecureNoise.create();
        ByteBuffer bytes = ByteBuffer.allocate(SketchKey.BYTES);
        while (bytes.hasRemaining()) {
            bytes.putLong(random.nextLong());
        }
        return bytes.array();
    }

    /** The key under which other records are to be compared with these. */
    public SketchKey key() {
        return new SketchKey(secret);
    }

    /** Whether records are these; a database may hand them out in another order. */
    public boolean same(RecordSketch other, String data) {
        return DataLocation.of(data).kind() == DataLocation.Kind.POSTGRES
                ? sketch.hashes().equals(other.hashes())
                : sketch.sameRecords(other);
    }

    public String toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("key", HexFormat.of().formatHex(secret));
        json.put("records", sketch.toJson());
        return Json.write(json);
    }

    /** Reads {@link #toJson} back. */
    public static KeptRecords fromJson(String text, String path) {
        JsonFields json = JsonFields.of(Json.read(text), path);
        byte[] secret;
        try {
            secret = HexFormat.of().parseHex(json.text("key"));
            if (secret.length != SketchKey.BYTES) {
                throw new IllegalArgumentException("another length");
            }
        } catch (IllegalArgumentException e) {
            throw new JsonFieldException(json.pathOf("key"), "is not a key");
        }
        RecordSketch sketch = RecordSketch.fromJson(json.value("records"), json.pathOf("records"));
        json.end();
        return new KeptRecords(secret, sketch);
    }
}
