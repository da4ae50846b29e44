package dev.tacit.inference;

import dev.tacit.json.JsonFields;
import dev.tacit.json.PackedNumbers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes the state of a kernel, a public record of numbers and arrays of numbers, field by field under its own names, exactly. */
public final class StateJson {
    private StateJson() {}

    /** All fields in their order. */
    public static Map<String, Object> write(Record state) {
        Map<String, Object> json = new LinkedHashMap<>();
        for (RecordComponent field : state.getClass().getRecordComponents()) {
            try {
                Object value = field.getAccessor().invoke(state);
                json.put(field.getName(), value instanceof double[] numbers ? PackedNumbers.write(numbers) : value);
            } catch (IllegalAccessException | InvocationTargetException e) {
                throw new IllegalStateException(e);
            }
        }
        return json;
    }

    /** Reads {@link #write} back, and nothing else. */
    public static <S extends Record> S read(Class<S> type, JsonFields json) {
        RecordComponent[] fields = type.getRecordComponents();
        Object[] values = Arrays.stream(fields).map(field -> value(field, json)).toArray();
        json.end();
        Class<?>[] types = Arrays.stream(fields).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            return type.getConstructor(types).newInstance(values);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof RuntimeException refusal ? refusal : new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object value(RecordComponent field, JsonFields json) {
        String name = field.getName();
        Class<?> type = field.getType();
        if (type == double[].class) {
            return PackedNumbers.read(json, name);
        } else if (type == double.class) {
            return json.number(name);
        } else if (type == long.class) {
            return json.integer(name);
        } else if (type == int.class) {
            return Math.toIntExact(json.integer(name));
        }
        throw new IllegalArgumentException("a state has no field of " + type);
    }
}
