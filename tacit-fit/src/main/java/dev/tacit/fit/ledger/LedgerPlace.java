package dev.tacit.fit.ledger;

import dev.tacit.data.source.DataLocation;
import dev.tacit.fit.base.FitException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Where the ledger of a body of records lies if nobody says.
 *
 * <pre>
 *   people.csv, people.csv.gz, people.parquet   →  people.ledger in the same folder, also through a symbolic link
 *   a folder, people/                           →  people.ledger beside the folder
 *   a Postgres address, a pipe, hdfs://...      →  nowhere: --ledger must say
 * </pre>
 */
public final class LedgerPlace {
    static final String ENDING = ".ledger";

    private LedgerPlace() {}

    /** Whether an address of records is one that a cluster knows, and no path of this machine. */
    public static boolean isOfCluster(String data) {
        return data.startsWith("table:") || data.contains("://");
    }

    /** The ledger beside the data, or a sentence that asks for {@code --ledger}. */
    public static Path beside(String data) {
        if (DataLocation.of(data).kind() == DataLocation.Kind.POSTGRES) {
            throw new FitException(
                    FitException.Kind.USAGE,
                    "a database has no folder for a ledger beside it; name one for these records with --ledger, and use"
                            + " the same for all runs.");
        }
        if (isOfCluster(data)) {
            throw new FitException(
                    FitException.Kind.USAGE,
                    "a table of a cluster has no folder on this machine for a ledger beside it; name one for these records"
                            + " with --ledger, and use the same for all runs.");
        }
        Path real;
        try {
            real = Path.of(data).toRealPath();
        } catch (IOException | InvalidPathException e) {
            throw new FitException(
                    FitException.Kind.MISSING_INPUT, "there is no file " + data + "; check the path.", e);
        }
        if (real.getParent() == null || !(Files.isRegularFile(real) || Files.isDirectory(real))) {
            throw new FitException(
                    FitException.Kind.USAGE,
                    data + " is no file that a ledger could lie beside; name one with --ledger.");
        }
        String name = real.getFileName().toString();
        Path ledger = real.resolveSibling((Files.isDirectory(real) ? name : withoutEnding(name)) + ENDING);
        if (!Files.exists(ledger) && !Files.isWritable(real.getParent())) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION,
                    "cannot keep a ledger beside " + data + " because its folder may not be written; name a place for"
                            + " it with --ledger, and use the same for all runs.");
        }
        return shortest(ledger, data);
    }

    /** As the user would name it, where that leads to the same file. */
    private static Path shortest(Path ledger, String data) {
        Path parent = Path.of(data).getParent();
        Path named = parent == null ? ledger.getFileName() : parent.resolve(ledger.getFileName());
        try {
            return (parent == null ? Path.of("") : parent).toRealPath().equals(ledger.getParent()) ? named : ledger;
        } catch (IOException e) {
            return ledger;
        }
    }

    private static String withoutEnding(String name) {
        String plain = name.toLowerCase(Locale.ROOT).endsWith(".gz") ? name.substring(0, name.length() - 3) : name;
        int dot = plain.lastIndexOf('.');
        return dot > 0 ? plain.substring(0, dot) : plain;
    }
}
