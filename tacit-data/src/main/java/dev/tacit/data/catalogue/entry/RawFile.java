package dev.tacit.data.catalogue.entry;

import java.util.List;
import java.util.Optional;

/**
 * One file as its publisher hands it out.
 *
 * @param role what the file is for; of several files with the same role the first that is found is used
 * @param name the publisher's file name, without {@code .gz}
 * @param bytes length when unpacked, 0 if not known
 * @param digest SHA-256 of the unpacked bytes in hexadecimal, or empty if none is published
 * @param required whether the data set cannot be prepared without this role
 * @param archives zip files that may hold it
 * @param folder a folder of one file a record that may stand in for it
 */
public record RawFile(
        String role,
        String name,
        long bytes,
        Optional<String> digest,
        boolean required,
        List<String> archives,
        Optional<String> folder) {
    public RawFile {
        archives = List.copyOf(archives);
    }

    public static RawFile of(String role, String name, long bytes, String sha256) {
        return new RawFile(role, name, bytes, Optional.of(sha256), true, List.of(), Optional.empty());
    }

    public static RawFile withoutDigest(String role, String name, long bytes) {
        return new RawFile(role, name, bytes, Optional.empty(), true, List.of(), Optional.empty());
    }

    public RawFile optional() {
        return new RawFile(role, name, bytes, digest, false, archives, folder);
    }

    public RawFile inArchive(String... zips) {
        return new RawFile(role, name, bytes, digest, required, List.of(zips), folder);
    }

    public RawFile orFolder(String name) {
        return new RawFile(role, this.name, bytes, digest, required, archives, Optional.of(name));
    }
}
