package dev.tacit.data.catalogue;

import dev.tacit.data.catalogue.entry.DataFolder;
import dev.tacit.data.catalogue.entry.DatasetEntry;
import dev.tacit.data.catalogue.entry.Digest;
import dev.tacit.data.catalogue.entry.LocatedFile;
import dev.tacit.data.catalogue.entry.RawFile;
import dev.tacit.data.catalogue.entry.Recipe;
import dev.tacit.data.prepare.EncodedTable;
import dev.tacit.data.prepare.FeatureEncoder;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaYaml;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Hand-made raw files with the quirks of the published ones, and entries that take them for the originals. */
public final class TinyFiles {
    private TinyFiles() {}

    /** The entry, with checksums of the hand-made contents in place of the published ones. */
    public static DatasetEntry entry(DatasetEntry published, Recipe recipe, Path dataDir, String folder)
            throws IOException {
        List<RawFile> files = new ArrayList<>();
        for (RawFile file : published.files()) {
            Optional<LocatedFile> found = DataFolder.find(file, dataDir, List.of(folder));
            Optional<String> digest = Optional.empty();
            if (found.isPresent()) {
                try (var stream = found.get().open()) {
                    digest = Optional.of(Digest.sha256(stream));
                }
            }
            files.add(
                    new RawFile(file.role(), file.name(), 0, digest, file.required(), file.archives(), file.folder()));
        }
        return new DatasetEntry(
                published.name(),
                published.kind(),
                published.facts(),
                List.of(folder),
                files,
                published.options(),
                recipe);
    }

    public static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (!file.toString().endsWith(".gz")) {
            Files.write(file, bytes);
            return;
        }
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(bytes);
        }
    }

    public static List<String> lines(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        if (file.toString().endsWith(".gz")) {
            try (var stream = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
                bytes = stream.readAllBytes();
            }
        }
        return new String(bytes, StandardCharsets.UTF_8).lines().toList();
    }

    public static Schema schema(Path file) throws IOException {
        return SchemaYaml.read(file);
    }

    /** How many numbers a row has under the schema. */
    public static int encodedColumns(Schema schema) {
        return FeatureEncoder.of(schema).columns();
    }

    /** Encodes all rows of a canonical table, which is an error if a cell is missing or not listed; says how many. */
    public static long encodedRows(Path table, Path schema) throws IOException {
        return EncodedTable.read(table, schema(schema), true).rows();
    }
}
