package dev.tacit.federated.factor;

import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.json.Json;
import dev.tacit.json.JsonException;
import dev.tacit.json.JsonFieldException;
import dev.tacit.json.JsonFields;
import dev.tacit.partitioned.message.Message;
import dev.tacit.partitioned.message.MessageJson;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Body of STATE; its context is the hash of the newest CHANGE that the coordinator has of the party, so that a party that was put back
 * from an older copy finds out.
 *
 * @param party for whom, by its place
 * @param state what it is sent
 */
record StateBody(int party, Message.GlobalState state) {
    byte[] toBytes() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("party", (long) party);
        json.put("state", MessageJson.toValue(state));
        return Json.write(json).getBytes(StandardCharsets.UTF_8);
    }

    static StateBody read(Envelope envelope) throws ProtocolRefusal {
        try {
            JsonFields json = JsonFields.of(Json.read(new String(envelope.body(), StandardCharsets.UTF_8)), "message");
            int party = MessageJson.count(json, "party");
            Message message = MessageJson.fromValue(json.value("state"), json.pathOf("state"));
            json.end();
            if (message instanceof Message.GlobalState state && state.round() == envelope.round()) {
                return new StateBody(party, state);
            }
        } catch (JsonException | JsonFieldException e) {
            throw Envelope.malformed();
        }
        throw Envelope.malformed();
    }
}
