package dev.tacit.cli.dataset;

import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.shell.Version;
import dev.tacit.data.catalogue.Catalogue;
import dev.tacit.data.catalogue.entry.DataFolder;
import dev.tacit.data.catalogue.entry.DatasetEntry;
import dev.tacit.data.catalogue.entry.DatasetException;
import dev.tacit.fit.text.Remark;
import dev.tacit.fit.text.TextTable;
import dev.tacit.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tacit datasets list}: what there is, and whether its raw files are here. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        description = "Lists the data sets, their sources and whether their raw files are found.")
final class DatasetsListCommand implements Verb {
    @Option(names = "--data-dir", paramLabel = "DIR", description = "where raw files are; TACIT_DATA if left out")
    private String dataDirectory;

    @Option(names = "--json", description = "print one JSON object")
    private boolean json;

    @Override
    public ExitCode run(Console console) {
        List<Object> objects = new ArrayList<>();
        TextTable table = new TextTable(List.of(false, true, true, false, false));
        table.row("name", "rows", "columns", "raw files", "what");
        for (DatasetEntry entry : Catalogue.list()) {
            String state = state(entry);
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("name", entry.name());
            object.put("title", entry.facts().title());
            object.put("rows", entry.facts().rows());
            object.put("columns", entry.facts().columns());
            object.put("task", entry.facts().task());
            object.put("licence", entry.facts().licence());
            object.put("source", entry.facts().source());
            object.put("rawFiles", state);
            objects.add(object);
            table.row(
                    entry.name(),
                    Long.toString(entry.facts().rows()),
                    Integer.toString(entry.facts().columns()),
                    state,
                    entry.facts().title());
        }
        if (json) {
            console.line(Json.write(Map.of("datasets", objects)));
        } else {
            table.lines().forEach(console::line);
            console.line("");
            new Remark(
                            "raw files",
                            "are looked for under --data-dir or TACIT_DATA; docs/datasets.md says where to get"
                                    + " them.")
                    .lines()
                    .forEach(console::line);
        }
        return ExitCode.OK;
    }

    private String state(DatasetEntry entry) {
        try {
            Path folder = DataFolder.choose(dataDirectory == null ? null : Path.of(dataDirectory), System.getenv());
            entry.locate(folder);
            return "found";
        } catch (DatasetException e) {
            return "not found";
        }
    }
}
