package dev.tacit.spark.read;

import dev.tacit.data.prepare.EngineException;
import dev.tacit.data.source.NoInputException;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

/**
 * The files of a table in their order: by name. The list is made once, when the table is opened.
 *
 * @param files with their sizes
 * @param format of all of them
 */
public record TableFiles(List<FileStatus> files, Format format) {
    /** How files are read. */
    public enum Format {
        PARQUET,
        ORC,
        TEXT
    }

    public TableFiles {
        files = List.copyOf(files);
    }

    /** A file, a folder of files, or a pattern; without a scheme on this machine's file system. */
    public static TableFiles of(String data, Configuration configuration) {
        Path pattern = new Path(qualified(data));
        try {
            FileStatus[] found = pattern.getFileSystem(configuration).globStatus(pattern);
            if (found == null || found.length == 0) {
                throw new NoInputException("there is no file " + data);
            }
            List<FileStatus> files = new ArrayList<>();
            for (FileStatus each : found) {
                if (each.isDirectory()) {
                    addFolder(each, files, configuration);
                } else {
                    files.add(each);
                }
            }
            return of(files, data);
        } catch (IOException | IllegalArgumentException e) {
            throw new NoInputException(data + " cannot be listed; check the address, and that this user may read it");
        }
    }

    private static TableFiles of(List<FileStatus> files, String data) {
        if (files.isEmpty()) {
            throw new NoInputException(data + " holds no file");
        }
        List<FileStatus> sorted = files.stream()
                .sorted(Comparator.comparing(file -> file.getPath().toString()))
                .toList();
        Format format = formatOf(sorted.get(0));
        for (FileStatus file : sorted) {
            if (formatOf(file) != format) {
                throw EngineException.refused(
                        data + " holds files of several formats; stage the table as Parquet alone");
            }
        }
        return new TableFiles(sorted, format);
    }

    private static void addFolder(FileStatus folder, List<FileStatus> files, Configuration configuration)
            throws IOException {
        FileStatus[] inside = folder.getPath().getFileSystem(configuration).listStatus(folder.getPath());
        Arrays.sort(inside, Comparator.comparing(FileStatus::getPath));
        for (FileStatus each : inside) {
            String name = each.getPath().getName();
            if (name.startsWith("_") || name.startsWith(".") || name.endsWith(".ledger") || name.endsWith(".key")) {
                continue;
            }
            if (each.isDirectory()) {
                throw EngineException.refused(folder.getPath().getName()
                        + " holds folders, whose names may be columns; stage the table as Parquet in one folder");
            }
            files.add(each);
        }
    }

    /** An address with a scheme. */
    static String qualified(String data) {
        return data.matches("[A-Za-z][A-Za-z0-9+.-]*:/.*")
                ? data
                : "file://"
                        + FileSystems.getDefault()
                                .getPath(data)
                                .toAbsolutePath()
                                .normalize();
    }

    private static Format formatOf(FileStatus file) {
        String name = file.getPath().getName().toLowerCase(Locale.ROOT);
        if (name.endsWith(".parquet") || name.endsWith(".pq")) {
            return Format.PARQUET;
        }
        if (name.endsWith(".json")
                || name.endsWith(".ndjson")
                || name.endsWith(".jsonl")
                || name.endsWith(".json.gz")) {
            throw EngineException.refused("JSON is read on one machine only; stage the table as Parquet");
        }
        return name.endsWith(".orc") ? Format.ORC : Format.TEXT;
    }

    /** All files together. */
    public long bytes() {
        return files.stream().mapToLong(FileStatus::getLen).sum();
    }
}
