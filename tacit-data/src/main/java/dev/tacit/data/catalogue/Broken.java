package dev.tacit.data.catalogue;

/** What is said about a raw file that is not as it should be; never what a cell holds. */
final class Broken {
    private Broken() {}

    static DatasetException shape(LocatedFile file) {
        return because(file, "a line does not have the published number of columns");
    }

    static DatasetException because(LocatedFile file, String reason) {
        return new DatasetException(
                DatasetException.Kind.BAD_DATA,
                file.path() + " is not a " + file.file().name() + " as published: " + reason
                        + "; get the original from its publisher.");
    }
}
