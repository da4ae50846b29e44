package dev.tacit.data.catalogue.entry;

import java.util.Map;
import java.util.Optional;

/** The raw files of a data set that were found and checked, by role. */
public final class RawFiles {
    private final Map<String, LocatedFile> byRole;

    RawFiles(Map<String, LocatedFile> byRole) {
        this.byRole = Map.copyOf(byRole);
    }

    public LocatedFile get(String role) {
        return find(role).orElseThrow(() -> new IllegalStateException("no file has the role " + role));
    }

    public Optional<LocatedFile> find(String role) {
        return Optional.ofNullable(byRole.get(role));
    }
}
