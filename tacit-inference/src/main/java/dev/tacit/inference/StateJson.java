package dev.tacit.inference;

import dev.tacit.privacy.json.JsonFieldException;
import dev.tacit.privacy.json.JsonFields;
import java.util.ArrayList;
import java.util.List;

/** Arrays of numbers in the JSON of states. */
final class StateJson {
    private StateJson() {}

    static List<Object> write(double[] numbers) {
        List<Object> list = new ArrayList<>(numbers.length);
        for (double number : numbers) {
            list.add(number);
        }
        return list;
    }

    static double[] numbers(JsonFields json, String name) {
        List<?> list = json.list(name);
        double[] numbers = new double[list.size()];
        for (int i = 0; i < numbers.length; i++) {
            if (!(list.get(i) instanceof Number number)) {
                throw new JsonFieldException(json.pathOf(name), "holds something that is not a number");
            }
            numbers[i] = number.doubleValue();
        }
        return numbers;
    }
}
