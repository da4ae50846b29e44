package dev.tacit.cli;

import dev.tacit.data.prepare.Preparation;
import dev.tacit.data.prepare.PreparationOptions;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.source.ReadingOptions;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.fit.artefact.DataShapes;
import dev.tacit.run.method.FitMethod;
import dev.tacit.run.method.MethodCatalogue;
import dev.tacit.run.method.SettingValues;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Small tables and fits across parties, for tests of what leaves the door. */
final class PartyFits {
    private PartyFits() {}

    /** Writes a table and opens it. */
    static PrivateDataset open(Path folder, Schema schema, String header, List<String> rows) {
        try {
            Path file = folder.resolve("table" + rows.size() + ".csv");
            Files.writeString(file, header + "\n" + String.join("\n", rows) + "\n");
            return Preparation.open(
                    file, schema, new PreparationOptions(1 << 20, folder, new ReadingOptions(1, 1 << 26)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Logistic regression across parties, with settings as on the command line, between blanks. */
    static FitMethod<?, ?> method(Schema schema, String settings) {
        Map<String, String> values = new TreeMap<>();
        for (String setting : settings.split(" ", -1)) {
            values.put(setting.split("=", -1)[0], setting.split("=", -1)[1]);
        }
        return MethodCatalogue.find(
                "logistic-regression", "dp-pvi", DataShapes.of(schema), new SettingValues(values), true);
    }

    /** All releases of a fit. */
    static <M, S extends Record> ReleasePlan plan(FitMethod<M, S> method, Schema schema) {
        return method.kernel().plan(method.model(), schema.size());
    }
}
