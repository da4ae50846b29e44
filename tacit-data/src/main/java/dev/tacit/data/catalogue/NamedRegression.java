package dev.tacit.data.catalogue;

import dev.tacit.data.catalogue.entry.DatasetException;
import dev.tacit.data.catalogue.table.RegressionSets;
import dev.tacit.data.catalogue.table.RegressionTable;
import java.nio.file.Path;

/** A regression table of the catalogue by its name. */
public final class NamedRegression {
    private NamedRegression() {}

    /** The regression set of this name (naval, kin8nm, power, wine or protein) from its raw file, checked first. */
    public static RegressionTable load(String name, Path dataDir) throws DatasetException {
        return RegressionSets.load(Catalogue.find(name), dataDir);
    }
}
