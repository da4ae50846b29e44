package dev.tacit.data.catalogue.entry;

import java.io.IOException;

/** Turns a data set's raw files into canonical ones. */
@FunctionalInterface
public interface Recipe {
    void write(RawFiles raw, Choices choices, Drafts out) throws IOException, DatasetException;
}
