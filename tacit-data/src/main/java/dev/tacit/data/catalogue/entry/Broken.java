package dev.tacit.data.catalogue.entry;

/** What is said about a raw file that is not as it should be; never what a cell holds. */
public final class Broken {
    private Broken() {}

    public static DatasetException shape(LocatedFile file) {
        return because(file, "a line does not have the published number of columns");
    }

    public static DatasetException because(LocatedFile file, String reason) {
        return new DatasetException(
                DatasetException.Kind.BAD_DATA,
                file.path() + " is not a " + file.file().name() + " as published: " + reason
                        + "; get the original from its publisher.");
    }
}
