package dev.tacit.cli.dataset;

import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.shell.Version;
import dev.tacit.data.catalogue.Catalogue;
import dev.tacit.data.catalogue.entry.DatasetEntry;
import dev.tacit.data.catalogue.entry.DatasetException;
import dev.tacit.data.catalogue.entry.FileCheck;
import dev.tacit.fit.text.TextTable;
import dev.tacit.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tacit datasets path}: where a data set's raw files are, and whether they are the published ones. */
@Command(
        name = "path",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        description = "Says where the raw files of a data set are, and compares them with the published checksums.")
final class DatasetsPathCommand implements Verb {
    @Parameters(paramLabel = "NAME", description = "the data set")
    private String name;

    @Option(names = "--data-dir", paramLabel = "DIR", description = "where raw files are; TACIT_DATA if left out")
    private String dataDirectory;

    @Option(names = "--json", description = "print one JSON object")
    private boolean json;

    @Override
    public ExitCode run(Console console) {
        try {
            DatasetEntry entry = Catalogue.find(name);
            Path folder = Datasets.folder(dataDirectory);
            entry.locate(folder);
            List<Object> files = new ArrayList<>();
            TextTable table = new TextTable(List.of(false, false, false));
            for (FileCheck check : entry.verify(folder)) {
                String path = check.path().map(Path::toString).orElse("-");
                String status = check.status().name().toLowerCase(Locale.ROOT).replace('_', ' ');
                Map<String, Object> object = new LinkedHashMap<>();
                object.put("file", check.file().name());
                object.put("path", path);
                object.put("status", status);
                files.add(object);
                table.row(check.file().name(), status, path);
            }
            if (json) {
                console.line(Json.write(Map.of("name", entry.name(), "files", files)));
            } else {
                table.lines().forEach(console::line);
            }
            return ExitCode.OK;
        } catch (DatasetException e) {
            throw Datasets.failure(e);
        }
    }
}
