package dev.tacit.data.catalogue;

import java.io.IOException;

/** Turns a data set's raw files into canonical ones. */
@FunctionalInterface
interface Recipe {
    void write(RawFiles raw, Choices choices, Drafts out) throws IOException, DatasetException;
}
