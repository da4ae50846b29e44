package dev.tacit.federated.factor;

import dev.tacit.federated.crypto.ContentHash;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.PartySet;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.json.Json;
import dev.tacit.json.JsonException;
import dev.tacit.json.JsonFieldException;
import dev.tacit.json.JsonFields;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Body of RESULT: a round is over, or all are, or the study was given up, which is said in the name of its last round.
 *
 * @param used whose changes of the round are in the approximation; whoever has given its last one if changes are used as they arrive
 * @param hash of the approximation that it led to, in hexadecimal digits
 * @param givenUp whether the study ends here because too few parties answer
 */
record ResultBody(PartySet used, String hash, boolean givenUp) {
    private static final String GIVEN_UP = "givenUp";

    static String hash(NaturalGaussian global) {
        double[] parameters = global.naturalParameters();
        ByteBuffer bytes = ByteBuffer.allocate(parameters.length * Double.BYTES);
        bytes.asDoubleBuffer().put(parameters);
        return HexFormat.of().formatHex(ContentHash.of("approximation", bytes.array()));
    }

    byte[] toBytes() {
        Map<String, Object> json = new LinkedHashMap<>();
        List<Object> places = new ArrayList<>();
        used.places().forEach(place -> places.add((long) place));
        json.put("used", places);
        json.put("hash", hash);
        if (givenUp) {
            json.put(GIVEN_UP, 1L);
        }
        return Json.write(json).getBytes(StandardCharsets.UTF_8);
    }

    static ResultBody read(Envelope envelope, int parties) throws ProtocolRefusal {
        try {
            JsonFields json = JsonFields.of(Json.read(new String(envelope.body(), StandardCharsets.UTF_8)), "message");
            List<Integer> places = new ArrayList<>();
            for (Object place : json.list("used")) {
                if (!(place instanceof Long number) || number < 0 || number >= parties) {
                    throw Envelope.malformed();
                }
                places.add(number.intValue());
            }
            String hash = json.text("hash");
            boolean givenUp = json.has(GIVEN_UP);
            if (givenUp && json.integer(GIVEN_UP) != 1) {
                throw Envelope.malformed();
            }
            ResultBody body = new ResultBody(PartySet.of(places), hash, givenUp);
            json.end();
            return body;
        } catch (JsonException | JsonFieldException e) {
            throw Envelope.malformed();
        }
    }
}
