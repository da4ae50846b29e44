package dev.tacit.data.catalogue.entry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Where raw files are: named on the command line, or by the environment variable {@value #VARIABLE}. */
public final class DataFolder {
    /** The environment variable that names the folder of raw files. */
    public static final String VARIABLE = "TACIT_DATA";

    private DataFolder() {}

    /**
     * The folder that holds raw files.
     *
     * @param named the folder the user named, or null
     * @param environment the process's environment
     */
    public static Path choose(Path named, Map<String, String> environment) throws DatasetException {
        String variable = environment.getOrDefault(VARIABLE, "");
        if (named == null && variable.isBlank()) {
            throw new DatasetException(
                    DatasetException.Kind.NO_INPUT,
                    "no folder of raw files was named; say --data-dir DIR or set " + VARIABLE + ".");
        }
        Path folder = named == null ? Path.of(variable) : named;
        if (!Files.isDirectory(folder)) {
            throw new DatasetException(
                    DatasetException.Kind.NO_INPUT,
                    "the folder of raw files " + folder + " does not exist; name another with --data-dir or " + VARIABLE
                            + ".");
        }
        return folder;
    }

    /** The first place below the folder where the file is: as it is, compressed, unpacked as a folder, or in a zip. */
    public static Optional<LocatedFile> find(RawFile file, Path dataDir, List<String> folders) {
        for (Path folder : places(dataDir, folders)) {
            for (String name : List.of(file.name(), file.name() + ".gz")) {
                Path candidate = folder.resolve(name);
                if (Files.isRegularFile(candidate)) {
                    return Optional.of(new LocatedFile(file, candidate));
                }
            }
            if (file.folder().isPresent()
                    && Files.isDirectory(folder.resolve(file.folder().get()))) {
                return Optional.of(
                        new LocatedFile(file, folder.resolve(file.folder().get())));
            }
            for (String archive : file.archives()) {
                Path candidate = folder.resolve(archive);
                if (Files.isRegularFile(candidate) && holds(candidate, file.name())) {
                    return Optional.of(new LocatedFile(file, candidate));
                }
            }
        }
        return Optional.empty();
    }

    /** The folders that are looked at, in order. */
    static List<Path> places(Path dataDir, List<String> folders) {
        List<Path> places = new ArrayList<>();
        for (String folder : folders) {
            places.add(dataDir.resolve(folder));
        }
        return places;
    }

    private static boolean holds(Path archive, String name) {
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            return zip.stream()
                    .map(ZipEntry::getName)
                    .anyMatch(inner -> inner.equals(name) || inner.endsWith("/" + name));
        } catch (IOException e) {
            return false;
        }
    }
}
