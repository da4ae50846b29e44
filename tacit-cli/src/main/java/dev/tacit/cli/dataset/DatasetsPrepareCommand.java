package dev.tacit.cli.dataset;

import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.KeyValues;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.shell.Version;
import dev.tacit.data.catalogue.Catalogue;
import dev.tacit.data.catalogue.entry.DatasetEntry;
import dev.tacit.data.catalogue.entry.DatasetException;
import dev.tacit.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tacit datasets prepare}: from a publisher's raw files to tables and schemas that {@code fit} reads. */
@Command(
        name = "prepare",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        description = "Checks the raw files of a data set and writes train and test tables with public schemas.")
final class DatasetsPrepareCommand implements Verb {
    @Parameters(paramLabel = "NAME", description = "the data set")
    private String name;

    @Option(names = "--data-dir", paramLabel = "DIR", description = "where raw files are; TACIT_DATA if left out")
    private String dataDirectory;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "where to write; a folder of the data set's name if left out")
    private String out;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "an option of the data set; may be repeated")
    private List<String> options = new ArrayList<>();

    @Option(names = "--json", description = "print one JSON object")
    private boolean json;

    @Override
    public ExitCode run(Console console) {
        try {
            DatasetEntry entry = Catalogue.find(name);
            Map<String, String> chosen = KeyValues.of(options);
            Path folder = Path.of(out == null ? entry.name() : out);
            List<Path> written = entry.prepare(Datasets.folder(dataDirectory), folder, chosen);
            if (json) {
                Map<String, Object> object = new LinkedHashMap<>();
                object.put("name", entry.name());
                object.put(
                        "files",
                        new ArrayList<Object>(
                                written.stream().map(Path::toString).toList()));
                console.line(Json.write(object));
            } else {
                written.forEach(file -> console.line("wrote " + file));
            }
            return ExitCode.OK;
        } catch (DatasetException e) {
            throw Datasets.failure(e);
        }
    }
}
