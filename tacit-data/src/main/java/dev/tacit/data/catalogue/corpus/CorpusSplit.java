package dev.tacit.data.catalogue.corpus;

/** Documents to learn from and documents to test on, by a public rule on their place in the file. */
public record CorpusSplit(Corpus training, Corpus test) {
    /** Every {@code stride}-th document, from the first on, tests; the others train. */
    static CorpusSplit of(Corpus corpus, int stride) {
        return new CorpusSplit(
                corpus.only(document -> document % stride != 0), corpus.only(document -> document % stride == 0));
    }
}
