package dev.tacit.data.catalogue;

import dev.tacit.data.catalogue.corpus.WordCounts;
import dev.tacit.data.catalogue.entry.DatasetEntry;
import dev.tacit.data.catalogue.entry.DatasetException;
import dev.tacit.data.catalogue.image.MnistDigits;
import dev.tacit.data.catalogue.table.Adult;
import dev.tacit.data.catalogue.table.Diabetes130;
import dev.tacit.data.catalogue.table.Physionet2012;
import dev.tacit.data.catalogue.table.RegressionSets;
import dev.tacit.data.catalogue.table.YearPrediction;
import dev.tacit.text.Spelling;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The data sets that are known by name. */
public final class Catalogue {
    private static final List<DatasetEntry> ENTRIES = entries();

    private Catalogue() {}

    private static List<DatasetEntry> entries() {
        List<DatasetEntry> entries = new ArrayList<>();
        entries.add(Adult.entry());
        entries.addAll(RegressionSets.entries());
        entries.add(YearPrediction.entry());
        entries.add(MnistDigits.entry());
        entries.addAll(WordCounts.entries());
        entries.add(Diabetes130.entry());
        entries.add(Physionet2012.entry());
        return List.copyOf(entries);
    }

    /** All of them, in the order of the documentation. */
    public static List<DatasetEntry> list() {
        return ENTRIES;
    }

    /** The data set of this name, whatever its case; the names of its folders in public collections do as well. */
    public static DatasetEntry find(String name) throws DatasetException {
        String wanted = name.toLowerCase(Locale.ROOT);
        for (DatasetEntry entry : ENTRIES) {
            if (entry.name().equals(wanted)
                    || entry.otherNames().stream()
                            .anyMatch(other -> other.toLowerCase(Locale.ROOT).equals(wanted))) {
                return entry;
            }
        }
        List<String> names = ENTRIES.stream().map(DatasetEntry::name).toList();
        Optional<String> meant = Spelling.nearest(wanted, names);
        throw new DatasetException(
                DatasetException.Kind.UNKNOWN_NAME,
                "no data set is called \"" + name + "\"; "
                        + meant.map(other -> "did you mean " + other + "?")
                                .orElse("there are " + String.join(", ", names) + "."));
    }
}
