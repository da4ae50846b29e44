package dev.tacit.data.catalogue;

import dev.tacit.data.catalogue.corpus.CorpusSplit;
import dev.tacit.data.catalogue.corpus.WordCounts;
import dev.tacit.data.catalogue.entry.DatasetException;
import java.nio.file.Path;

/** A corpus of the catalogue by its name. */
public final class NamedCorpus {
    private NamedCorpus() {}

    /** The corpus of this name (kos, wikipedia or ap) from its raw files, checked first. */
    public static CorpusSplit load(String name, Path dataDir) throws DatasetException {
        return WordCounts.load(Catalogue.find(name), dataDir);
    }
}
