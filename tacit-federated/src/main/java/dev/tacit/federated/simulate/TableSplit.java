package dev.tacit.federated.simulate;

import dev.tacit.data.schema.Schema;
import dev.tacit.federated.study.StudyException;
import dev.tacit.fit.base.FitException;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/** Deals the lines of a text file out to parties by a hash of each line, for a simulation: one process sees all of them. */
final class TableSplit {
    private TableSplit() {}

    /** Writes one file for each party; the header, if there is one, goes to all. */
    static void write(Path table, Schema schema, List<Path> parts) {
        if (schema.unit().idColumn().isPresent()) {
            throw new StudyException(
                    "a simulation deals records out one by one, and a person's may not be parted; use a"
                            + " schema whose unit is a record");
        }
        List<BufferedWriter> writers = new ArrayList<>();
        try (BufferedReader lines = Files.newBufferedReader(table, StandardCharsets.ISO_8859_1)) {
            for (Path part : parts) {
                writers.add(Files.newBufferedWriter(part, StandardCharsets.ISO_8859_1));
            }
            String line = lines.readLine();
            if (schema.format().header() && line != null) {
                for (BufferedWriter writer : writers) {
                    writer.write(line + "\n");
                }
                line = lines.readLine();
            }
            while (line != null) {
                CRC32C hash = new CRC32C();
                hash.update(line.getBytes(StandardCharsets.ISO_8859_1));
                writers.get((int) (hash.getValue() % writers.size())).write(line + "\n");
                line = lines.readLine();
            }
        } catch (NoSuchFileException e) {
            throw new FitException(FitException.Kind.MISSING_INPUT, "there is no file " + table + ".", e);
        } catch (IOException e) {
            throw new StudyException("cannot deal out " + table + "; a simulation reads text files", e);
        } finally {
            writers.forEach(TableSplit::close);
        }
    }

    private static void close(BufferedWriter writer) {
        try {
            writer.close();
        } catch (IOException e) {
            throw new StudyException("cannot write the records of a party; check that the disk has room", e);
        }
    }
}
