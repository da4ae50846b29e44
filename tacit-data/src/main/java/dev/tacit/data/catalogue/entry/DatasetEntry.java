package dev.tacit.data.catalogue.entry;

import dev.tacit.data.catalogue.entry.DatasetException.Kind;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.ZipException;

/** One named data set: its published facts, its raw files, and how it is prepared. */
public final class DatasetEntry {
    private final String name;
    private final DatasetKind kind;
    private final DatasetFacts facts;
    private final List<String> folders;
    private final List<RawFile> files;
    private final List<DatasetOption> options;
    private final Recipe recipe;

    /**
     * @param folders folders below the data folder that are looked at for raw files, best first; their own names are
     *     also names of the data set
     */
    public DatasetEntry(
            String name,
            DatasetKind kind,
            DatasetFacts facts,
            List<String> folders,
            List<RawFile> files,
            List<DatasetOption> options,
            Recipe recipe) {
        this.name = name;
        this.kind = kind;
        this.facts = facts;
        this.folders = List.copyOf(folders);
        this.files = List.copyOf(files);
        this.options = List.copyOf(options);
        this.recipe = recipe;
    }

    public String name() {
        return name;
    }

    public DatasetKind kind() {
        return kind;
    }

    public DatasetFacts facts() {
        return facts;
    }

    /** The raw files that are used; several with the same role stand in for each other. */
    public List<RawFile> files() {
        return files;
    }

    /** The choices that {@link #prepare(Path, Path, Map)} understands. */
    public List<DatasetOption> options() {
        return options;
    }

    /** Other names by which the data set is known. */
    public List<String> otherNames() {
        return folders.stream()
                .map(folder -> folder.substring(folder.lastIndexOf('/') + 1))
                .filter(other -> !other.isEmpty() && !other.equals(name))
                .toList();
    }

    /** Where the raw files are; without the optional ones that are not there. */
    public List<LocatedFile> locate(Path dataDir) throws DatasetException {
        Map<String, LocatedFile> byRole = new LinkedHashMap<>();
        Set<String> missing = new LinkedHashSet<>();
        for (RawFile file : files) {
            if (byRole.containsKey(file.role())) {
                continue;
            }
            Optional<LocatedFile> found = DataFolder.find(file, dataDir, folders);
            if (found.isPresent()) {
                byRole.put(file.role(), found.get());
                missing.remove(file.role());
            } else if (file.required()) {
                missing.add(file.role());
            }
        }
        if (!missing.isEmpty()) {
            throw missing(missing.iterator().next(), dataDir);
        }
        return List.copyOf(byRole.values());
    }

    private DatasetException missing(String role, Path dataDir) {
        String wanted = files.stream()
                .filter(file -> file.role().equals(role))
                .map(RawFile::name)
                .collect(Collectors.joining(" or "));
        String places =
                DataFolder.places(dataDir, folders).stream().map(Path::toString).collect(Collectors.joining(", "));
        return new DatasetException(
                Kind.NO_INPUT,
                name + " needs the file " + wanted + " (or its .gz), which is in none of " + places + "; get it from "
                        + facts.source() + ".");
    }

    /** Compares every raw file with its published checksum. */
    public List<FileCheck> verify(Path dataDir) {
        List<FileCheck> checks = new ArrayList<>();
        Set<String> satisfied = files.stream()
                .filter(file -> DataFolder.find(file, dataDir, folders).isPresent())
                .map(RawFile::role)
                .collect(Collectors.toSet());
        for (RawFile file : files) {
            Optional<LocatedFile> found = DataFolder.find(file, dataDir, folders);
            FileCheck.Status absent = file.required() && !satisfied.contains(file.role())
                    ? FileCheck.Status.MISSING
                    : FileCheck.Status.NOT_NEEDED;
            checks.add(new FileCheck(
                    file,
                    found.map(LocatedFile::path),
                    found.map(DatasetEntry::status).orElse(absent)));
        }
        return List.copyOf(checks);
    }

    private static FileCheck.Status status(LocatedFile located) {
        Optional<String> digest = located.file().digest();
        if (digest.isEmpty()) {
            return FileCheck.Status.NO_CHECKSUM;
        }
        try (InputStream stream = located.open()) {
            return Digest.sha256(stream).equals(digest.get()) ? FileCheck.Status.ORIGINAL : FileCheck.Status.DIFFERS;
        } catch (IOException | UncheckedIOException e) {
            return FileCheck.Status.DIFFERS;
        }
    }

    /** The raw files, found and equal to the published ones where a checksum is known. */
    public RawFiles open(Path dataDir) throws DatasetException {
        Map<String, LocatedFile> byRole = new LinkedHashMap<>();
        for (LocatedFile located : locate(dataDir)) {
            if (status(located) == FileCheck.Status.DIFFERS) {
                throw new DatasetException(
                        Kind.BAD_DATA,
                        located.path() + " is not the published "
                                + located.file().name() + ": its SHA-256 checksum differs; get the original from "
                                + facts.source() + ".");
            }
            byRole.put(located.file().role(), located);
        }
        return new RawFiles(byRole);
    }

    /** Writes the canonical files with every option as preset. */
    public List<Path> prepare(Path dataDir, Path outDir) throws DatasetException {
        return prepare(dataDir, outDir, Map.of());
    }

    /**
     * Checks the raw files and writes the canonical ones, all or none.
     *
     * @param chosen values for some of {@link #options}
     * @return what was written
     */
    public List<Path> prepare(Path dataDir, Path outDir, Map<String, String> chosen) throws DatasetException {
        Choices choices = Choices.of(name, options, chosen);
        RawFiles raw = open(dataDir);
        try (Drafts drafts = Drafts.beside(outDir)) {
            read(() -> recipe.write(raw, choices, drafts));
            return drafts.publish();
        } catch (IOException | UncheckedIOException e) {
            throw new DatasetException(
                    Kind.NO_OUTPUT,
                    "cannot write " + outDir + "; choose a folder where you may write and that has room.",
                    e);
        }
    }

    /** Runs something that reads raw files, and says so if one of them is broken. */
    public void read(Reading reading) throws DatasetException, IOException {
        try {
            reading.run();
        } catch (EOFException | ZipException | MalformedInputException | NumberFormatException e) {
            throw new DatasetException(
                    Kind.BAD_DATA,
                    "a raw file of " + name + " is broken; get the original from " + facts.source() + ".",
                    e);
        }
    }

    /** Something that reads raw files. */
    @FunctionalInterface
    public interface Reading {
        void run() throws IOException, DatasetException;
    }
}
