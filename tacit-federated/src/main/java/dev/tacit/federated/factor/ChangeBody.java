package dev.tacit.federated.factor;

import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.json.Json;
import dev.tacit.json.JsonException;
import dev.tacit.json.JsonFieldException;
import dev.tacit.json.JsonFields;
import dev.tacit.partitioned.message.Message;
import dev.tacit.partitioned.message.MessageJson;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Body of CHANGE; its context is the hash of the STATE that it answers.
 *
 * @param ledgerHead the newest line of the party's ledger, in hexadecimal digits: a ledger that does not have it was put back
 * @param change what is released
 */
record ChangeBody(String ledgerHead, Message.FactorChange change) {
    /** 255 parties in a million rounds make less than 1e209 of it, and a mean is that over the precision of a prior. */
    private static final double LARGEST_NUMBER = 1e200;

    /** Its square is added up. */
    private static final double LARGEST_NOISE = 1e100;

    byte[] toBytes() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("ledger", ledgerHead);
        json.put("change", MessageJson.toValue(change));
        return Json.write(json).getBytes(StandardCharsets.UTF_8);
    }

    static ChangeBody read(Envelope envelope) throws ProtocolRefusal {
        try {
            JsonFields json = JsonFields.of(Json.read(new String(envelope.body(), StandardCharsets.UTF_8)), "message");
            String head = json.text("ledger");
            Message message = MessageJson.fromValue(json.value("change"), json.pathOf("change"));
            json.end();
            if (message instanceof Message.FactorChange change && change.round() == envelope.round()) {
                return new ChangeBody(head, change);
            }
        } catch (JsonException | JsonFieldException e) {
            throw Envelope.malformed();
        }
        throw Envelope.malformed();
    }

    /** Whether it is a change of a factor of so many numbers, whatever these are. */
    boolean fits(String party, int numbers) {
        return change.party().equals(party) && change.change().size() == numbers;
    }

    /** Whether an answer is a change that can be used. */
    static boolean isUsable(Envelope answer) throws ProtocolRefusal {
        return answer.kind() == MessageKind.CHANGE && isUsable(read(answer).change());
    }

    /**
     * Whether an approximation stays finite and proper however many such changes are added to it. The steps of a party lead nowhere near
     * the limits; what one party's numbers are does not depend on others, so everybody decides the same, in any order.
     */
    private static boolean isUsable(Message.FactorChange change) {
        return Arrays.stream(change.change().toArray()).allMatch(number -> Math.abs(number) <= LARGEST_NUMBER)
                && change.weightedMeanNoise() >= 0
                && change.weightedMeanNoise() <= LARGEST_NOISE;
    }
}
