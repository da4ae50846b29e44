package dev.tacit.data.catalogue;

import java.util.Map;
import java.util.Optional;

/** The raw files of a data set that were found and checked, by role. */
final class RawFiles {
    private final Map<String, LocatedFile> byRole;

    RawFiles(Map<String, LocatedFile> byRole) {
        this.byRole = Map.copyOf(byRole);
    }

    LocatedFile get(String role) {
        return find(role).orElseThrow(() -> new IllegalStateException("no file has the role " + role));
    }

    Optional<LocatedFile> find(String role) {
        return Optional.ofNullable(byRole.get(role));
    }
}
