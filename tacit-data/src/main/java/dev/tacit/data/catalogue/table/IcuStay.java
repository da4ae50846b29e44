package dev.tacit.data.catalogue.table;

import dev.tacit.data.catalogue.canonical.SchemaColumn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One ICU stay, summarised while its measurements are read. */
final class IcuStay {
    static final List<String> DESCRIPTORS = List.of("Age", "Gender", "Height", "ICUType");

    private static final int SERIES = ClinicalSeries.ALL.size();
    private static final Map<String, Integer> PLACES = places();

    private final String record;
    private final double[] descriptors = filled(DESCRIPTORS.size());
    private final double[] least = filled(SERIES);
    private final double[] greatest = filled(SERIES);
    private final double[] sum = new double[SERIES];
    private final int[] count = new int[SERIES];
    private final double[] last = filled(SERIES);
    private final int[] lastMinute = new int[SERIES];
    private boolean ventilated;

    IcuStay(String record) {
        this.record = record;
    }

    String record() {
        return record;
    }

    private static double[] filled(int length) {
        double[] values = new double[length];
        Arrays.fill(values, Double.NaN);
        return values;
    }

    private static Map<String, Integer> places() {
        Map<String, Integer> places = new HashMap<>();
        for (int i = 0; i < SERIES; i++) {
            places.put(ClinicalSeries.ALL.get(i).name(), i);
        }
        return Map.copyOf(places);
    }

    /**
     * Takes one line of the stay. A negative value is missing, as is a weight or height of 0; any other is moved into
     * its clinical range before it is summarised. Names that are not used (RecordID, or none at all) are passed over.
     */
    void add(int minute, String parameter, double value) {
        int descriptor = DESCRIPTORS.indexOf(parameter);
        Integer series = PLACES.get(parameter);
        boolean size = parameter.equals("Weight") || parameter.equals("Height");
        if (!(value >= 0) || (size && value == 0)) {
            return;
        }
        if (descriptor >= 0) {
            descriptors[descriptor] = value;
        } else if (parameter.equals("MechVent")) {
            ventilated = true;
        } else if (series != null) {
            measured(series, minute, ClinicalSeries.ALL.get(series).clamped(value));
        }
    }

    private void measured(int series, int minute, double value) {
        boolean first = count[series] == 0;
        least[series] = first ? value : Math.min(least[series], value);
        greatest[series] = first ? value : Math.max(greatest[series], value);
        sum[series] += value;
        count[series]++;
        if (first || minute >= lastMinute[series]) {
            last[series] = value;
            lastMinute[series] = minute;
        }
    }

    static List<String> header() {
        List<String> header = new ArrayList<>(List.of("RecordID"));
        header.addAll(DESCRIPTORS);
        header.add("MechVent");
        for (ClinicalSeries series : ClinicalSeries.ALL) {
            for (String summary : List.of("_min", "_max", "_mean", "_last", "_missing")) {
                header.add(series.name() + summary);
            }
        }
        header.add("death");
        return List.copyOf(header);
    }

    /** The canonical row, with empty cells for what was never measured. */
    List<String> row(String death) {
        List<String> cells = new ArrayList<>(List.of(record));
        for (double descriptor : descriptors) {
            cells.add(cell(descriptor));
        }
        cells.add(ventilated ? "1" : "0");
        for (int series = 0; series < SERIES; series++) {
            cells.add(cell(least[series]));
            cells.add(cell(greatest[series]));
            cells.add(cell(count[series] == 0 ? Double.NaN : sum[series] / count[series]));
            cells.add(cell(last[series]));
            cells.add(count[series] == 0 ? "1" : "0");
        }
        cells.add(death);
        return cells;
    }

    private static String cell(double value) {
        return Double.isNaN(value) ? "" : SchemaColumn.plain(value);
    }
}
