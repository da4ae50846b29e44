package dev.tacit.run.use;

import dev.tacit.json.JsonFieldException;
import dev.tacit.json.JsonFields;
import dev.tacit.model.network.NeuralNetwork;
import dev.tacit.model.network.NeuralNetworkDensity;
import dev.tacit.model.network.NeuralNetworkDensity.Head;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Neural networks. */
final class NetworkForms {
    private static final String COLUMNS = "columns";
    private static final String HIDDEN = "hiddenUnits";
    private static final String TARGET = "target";
    private static final String NUMBER = "number";
    private static final String BINARY = "binary";
    private static final String CLASSES = "classes";
    private static final String LOW = "targetLow";
    private static final String HIGH = "targetHigh";
    private static final String OUTPUT_PRECISION = "outputPrecision";

    static final List<ModelForm<?>> ALL = List.of(
            new ModelForm<>("network", NeuralNetwork.class, NetworkForms::write, NetworkForms::network),
            new ModelForm<>("network-density", NeuralNetworkDensity.class, NetworkForms::write, NetworkForms::density));

    private NetworkForms() {}

    private static void write(NeuralNetwork model, Map<String, Object> json) {
        NeuralNetwork.Design design = model.design();
        json.put(COLUMNS, model.columns());
        if (model.numericTarget()) {
            number(json, model.targetLow(), model.targetHigh());
        } else {
            json.put(TARGET, BINARY);
        }
        json.put(HIDDEN, design.hiddenUnits());
        json.put("hiddenPriorPrecision", design.hiddenPriorPrecision());
        json.put("outputPriorPrecision", design.outputPriorPrecision());
        json.put("hiddenPrecision", design.hiddenPrecision());
        json.put(OUTPUT_PRECISION, design.outputPrecision());
        json.put("outputWeight", design.outputWeight());
        json.put("startDeviation", design.startDeviation());
        json.put("scaleShare", design.scaleShare());
        json.put("noiseShare", design.noiseShare());
    }

    private static NeuralNetwork network(JsonFields json) {
        List<String> columns = ModelForm.texts(json, COLUMNS);
        NeuralNetwork.Design design = new NeuralNetwork.Design(
                Arrays.stream(ModelForm.numbers(json, HIDDEN))
                        .mapToObj(units -> (int) units)
                        .toList(),
                json.number("hiddenPriorPrecision"),
                json.number("outputPriorPrecision"),
                json.number("hiddenPrecision"),
                json.number(OUTPUT_PRECISION),
                json.number("outputWeight"),
                json.number("startDeviation"),
                json.number("scaleShare"),
                json.number("noiseShare"));
        return json.text(TARGET).equals(NUMBER)
                ? NeuralNetwork.regression(columns, json.number(LOW), json.number(HIGH), design)
                : NeuralNetwork.classification(columns, design);
    }

    private static void write(NeuralNetworkDensity model, Map<String, Object> json) {
        json.put(COLUMNS, model.columnNames());
        json.put(HIDDEN, model.hiddenUnits());
        if (model.head() instanceof Head.Numeric head) {
            number(json, head.low(), head.high());
        } else if (model.head() instanceof Head.Classes head) {
            json.put(TARGET, CLASSES);
            json.put(CLASSES, head.classes());
        } else {
            json.put(TARGET, BINARY);
        }
        json.put("activation", model.activation().name().toLowerCase(Locale.ROOT));
        json.put("inputPrecision", model.inputPrecision());
        json.put(OUTPUT_PRECISION, model.outputPrecision());
    }

    private static NeuralNetworkDensity density(JsonFields json) {
        Head head = switch (json.text(TARGET)) {
            case NUMBER -> new Head.Numeric(json.number(LOW), json.number(HIGH));
            case CLASSES -> new Head.Classes(ModelForm.texts(json, CLASSES));
            case BINARY -> new Head.Binary();
            default -> throw new JsonFieldException(json.pathOf(TARGET), "is not one that this version knows");
        };
        return new NeuralNetworkDensity(
                ModelForm.texts(json, COLUMNS),
                ModelForm.count(json, HIDDEN),
                head,
                NeuralNetworkDensity.Activation.valueOf(json.text("activation").toUpperCase(Locale.ROOT)),
                json.number("inputPrecision"),
                json.number(OUTPUT_PRECISION));
    }

    private static void number(Map<String, Object> json, double low, double high) {
        json.put(TARGET, NUMBER);
        json.put(LOW, low);
        json.put(HIGH, high);
    }
}
