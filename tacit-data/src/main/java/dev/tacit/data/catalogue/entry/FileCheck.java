package dev.tacit.data.catalogue.entry;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Whether a raw file is the published one.
 *
 * @param path where it was found, empty if it was not
 */
public record FileCheck(RawFile file, Optional<Path> path, Status status) {
    /** What was found. */
    public enum Status {
        /** The unpacked bytes are the published ones. */
        ORIGINAL,
        /** The unpacked bytes differ from the published ones, or cannot be read. */
        DIFFERS,
        /** The file is there, but no checksum is published to compare with. */
        NO_CHECKSUM,
        /** The file is not there, and another file has the same role or the role is optional. */
        NOT_NEEDED,
        /** The file is not there and is needed. */
        MISSING
    }
}
