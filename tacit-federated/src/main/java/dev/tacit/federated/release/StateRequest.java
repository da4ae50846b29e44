package dev.tacit.federated.release;

import dev.tacit.json.Json;
import dev.tacit.json.JsonException;
import dev.tacit.json.JsonFieldException;
import dev.tacit.json.JsonFields;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a coordinator asks all parties for, in the same bytes, which go into every mask key: a release of the plan, its bound, and the state of
 * the method, from which every party makes the query itself.
 *
 * <p>A state holds released and public numbers only, exactly. The bound is named because the grid of the sum follows from it: parties whose
 * last bits of arithmetic differ use one grid all the same.
 *
 * @param release of the plan, from 0
 * @param l2Bound at which one unit's contribution is clipped
 * @param state of the method
 */
public record StateRequest(int release, double l2Bound, Object state) {
    /** The bytes; two requests are the same if these are. */
    public byte[] toBytes() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("release", (long) release);
        json.put("l2Bound", l2Bound);
        json.put("state", state);
        return Json.write(json).getBytes(StandardCharsets.UTF_8);
    }

    /** Reads {@link #toBytes} back. */
    public static StateRequest read(byte[] bytes) {
        try {
            JsonFields json = JsonFields.of(Json.read(new String(bytes, StandardCharsets.UTF_8)), "request");
            StateRequest request = new StateRequest(
                    Math.toIntExact(json.integer("release")), json.number("l2Bound"), json.value("state"));
            json.end();
            if (!(request.l2Bound > 0) || Double.isInfinite(request.l2Bound)) {
                throw new IllegalArgumentException("the bound of a request is a positive number");
            }
            return request;
        } catch (JsonException | JsonFieldException | ArithmeticException e) {
            throw new IllegalArgumentException("a request is not written as this version writes it", e);
        }
    }
}
