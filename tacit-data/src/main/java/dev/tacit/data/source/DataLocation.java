package dev.tacit.data.source;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Where a table is and, by its name alone, what kind of table it is.
 *
 * @param kind how it is read
 * @param address a path, or a URL for Postgres
 */
public record DataLocation(Kind kind, String address) {
    /** How a table is read. */
    public enum Kind {
        CSV,
        PARQUET,
        JSON,
        POSTGRES
    }

    private static final List<String> POSTGRES = List.of("postgres:", "postgresql:");

    /** A path, or a URL that begins with {@code postgres:}. */
    public static DataLocation of(String pathOrUrl) {
        if (POSTGRES.stream().anyMatch(pathOrUrl::startsWith)) {
            return new DataLocation(Kind.POSTGRES, pathOrUrl);
        }
        String plain = withoutGz(pathOrUrl);
        if (plain.endsWith(".parquet") || plain.endsWith(".pq")) {
            return new DataLocation(Kind.PARQUET, pathOrUrl);
        }
        boolean json = plain.endsWith(".json") || plain.endsWith(".ndjson") || plain.endsWith(".jsonl");
        return new DataLocation(json ? Kind.JSON : Kind.CSV, pathOrUrl);
    }

    /** A file. */
    public static DataLocation of(Path file) {
        return of(file.toString());
    }

    /** How messages call the table: the name of the file, and of a URL only what cannot hold a password. */
    public String name() {
        if (kind == Kind.POSTGRES) {
            return "the Postgres table";
        }
        Path name = Path.of(address).getFileName();
        return name == null ? address : name.toString();
    }

    /** The file, if there is one. */
    public Path file() {
        Path file = Path.of(address);
        if (!Files.exists(file)) {
            throw new NoInputException("there is no file " + address);
        }
        if (Files.isDirectory(file)) {
            throw new NoInputException(address + " is a folder, and a file is needed");
        }
        if (!Files.isRegularFile(file)) {
            throw new NoInputException(address + " is not a regular file; write the table to a file");
        }
        if (!Files.isReadable(file)) {
            throw new NoInputException(address + " may not be read by this user");
        }
        return file;
    }

    /** Whether the file is compressed with gzip. */
    public boolean compressed() {
        return address.toLowerCase(Locale.ROOT).endsWith(".gz");
    }

    /** What stands between cells if the schema does not say. */
    public char defaultDelimiter() {
        String plain = withoutGz(address);
        return plain.endsWith(".tsv") || plain.endsWith(".tab") ? '\t' : ',';
    }

    private static String withoutGz(String address) {
        String lower = address.toLowerCase(Locale.ROOT);
        return lower.endsWith(".gz") ? lower.substring(0, lower.length() - 3) : lower;
    }
}
