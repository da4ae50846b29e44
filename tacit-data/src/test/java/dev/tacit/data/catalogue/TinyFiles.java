package dev.tacit.data.catalogue;

import dev.tacit.data.schema.ColumnSchema.BinaryColumn;
import dev.tacit.data.schema.ColumnSchema.CategoryColumn;
import dev.tacit.data.schema.ColumnSchema.NumberColumn;
import dev.tacit.data.schema.MissingPolicy;
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
final class TinyFiles {
    private TinyFiles() {}

    /** The entry, with checksums of the hand-made contents in place of the published ones. */
    static DatasetEntry entry(DatasetEntry published, Preparation preparation, Path dataDir, String folder)
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
                preparation);
    }

    static void write(Path file, String text) throws IOException {
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

    static List<String> lines(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        if (file.toString().endsWith(".gz")) {
            try (var stream = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
                bytes = stream.readAllBytes();
            }
        }
        return new String(bytes, StandardCharsets.UTF_8).lines().toList();
    }

    static Schema schema(Path file) throws IOException {
        return SchemaYaml.read(file);
    }

    /** How many numbers a row has under the schema, counted by the rules of its documentation. */
    static int encodedColumns(Schema schema) {
        int columns = schema.encoding().intercept() ? 1 : 0;
        for (var feature : schema.features()) {
            int own = feature.missing() instanceof MissingPolicy.OwnColumn ? 1 : 0;
            if (feature instanceof NumberColumn number) {
                own += number.scale() ? 1 : 0;
                own += number.cuts().isEmpty() ? 0 : number.cuts().size() + 1;
            } else if (feature instanceof CategoryColumn category) {
                own += category.categories().size() + (category.other() ? 1 : 0);
            } else if (feature instanceof BinaryColumn) {
                own += 1;
            }
            columns += own;
        }
        return columns;
    }
}
