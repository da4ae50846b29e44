package dev.tacit.data.source.table;

import dev.tacit.data.source.DataLocation;
import dev.tacit.data.source.ReadingOptions;
import dev.tacit.data.source.RowLayout;
import dev.tacit.data.source.TableSource;
import dev.tacit.data.source.csv.CsvTable;
import dev.tacit.data.source.database.DuckDbTable;
import dev.tacit.data.source.json.JsonTable;

/** Opens tables of every kind. */
public final class Tables {
    private Tables() {}

    /** Opens a table and checks its form, not its records. */
    public static TableSource open(DataLocation location, RowLayout layout, ReadingOptions options) {
        return switch (location.kind()) {
            case CSV -> CsvTable.open(location, layout, options);
            case JSON -> JsonTable.open(location, layout, options);
            case PARQUET, POSTGRES -> {
                DuckDbLibrary.requireFor(location);
                yield DuckDbTable.open(location, layout, options);
            }
        };
    }
}
