package dev.tacit.data.catalogue.entry;

/** What a data set consists of, and so what preparing it writes. */
public enum DatasetKind {
    /** {@code train.csv}, {@code test.csv} and one or more schemas. */
    TABLE,
    /** {@code train.csv.gz} and {@code test.csv.gz} of pixels, and a schema; see {@link dev.tacit.data.catalogue.image.MnistImages}. */
    IMAGES,
    /** {@code train.ldac.gz}, {@code test.ldac.gz} and {@code vocabulary.txt}; see {@link dev.tacit.data.catalogue.corpus.Corpus}. */
    CORPUS
}
