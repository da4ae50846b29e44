package dev.tacit.data.catalogue.corpus;

import dev.tacit.data.catalogue.entry.Broken;
import dev.tacit.data.catalogue.entry.Choices;
import dev.tacit.data.catalogue.entry.DatasetEntry;
import dev.tacit.data.catalogue.entry.DatasetException;
import dev.tacit.data.catalogue.entry.DatasetFacts;
import dev.tacit.data.catalogue.entry.DatasetKind;
import dev.tacit.data.catalogue.entry.Drafts;
import dev.tacit.data.catalogue.entry.LocatedFile;
import dev.tacit.data.catalogue.entry.RawFile;
import dev.tacit.data.catalogue.entry.RawFiles;
import dev.tacit.data.catalogue.entry.Recipe;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;

/** Corpora that are published as word counts. */
public final class WordCounts implements Recipe {
    static final String DOCUMENTS = "documents";
    static final String WORDS = "words";
    static final String NEWER = "newer documents";

    private static final List<WordCounts> ALL = List.of(
            new WordCounts("kos", 3430, 10), new WordCounts("ap", 2246, 10), new WordCounts("wikipedia", 197392, 20));

    private final String name;
    private final int documents;
    private final int stride;

    /**
     * @param documents how many are published
     * @param stride one document of so many tests
     */
    WordCounts(String name, int documents, int stride) {
        this.name = name;
        this.documents = documents;
        this.stride = stride;
    }

    public static List<DatasetEntry> entries() {
        return List.of(kos(), ap(), wikipedia());
    }

    private static DatasetEntry kos() {
        return new DatasetEntry(
                "kos",
                DatasetKind.CORPUS,
                new DatasetFacts(
                        "Daily Kos blog entries (Bag of Words), UCI",
                        3430,
                        6906,
                        "topic models",
                        "CC BY 4.0 (UCI)",
                        "the UCI Machine Learning Repository, data set 164 (https://archive.ics.uci.edu/dataset/164)",
                        List.of("documents and words are counted from 1", "every tenth document tests")),
                List.of("kos", "lda_kos", ""),
                List.of(
                        RawFile.of(
                                DOCUMENTS,
                                "docword.kos.txt",
                                4075212,
                                "0913cf084375360ce32c497dc2f8eafc4cf24a231f3d39bdbf8c41de29797cb4"),
                        RawFile.of(
                                WORDS,
                                "vocab.kos.txt",
                                55467,
                                "623b7b969793b32c4ea7d1ae8cd2e9ed99038bf51628f33f52349f9485aeab8e")),
                List.of(),
                ALL.get(0));
    }

    private static DatasetEntry ap() {
        return new DatasetEntry(
                "ap",
                DatasetKind.CORPUS,
                new DatasetFacts(
                        "Associated Press articles (lda-c)",
                        2246,
                        10473,
                        "topic models",
                        "none stated",
                        "David Blei's lda-c page (http://www.cs.columbia.edu/~blei/lda-c/, ap.tgz)",
                        List.of("no checksum is published: only the form is checked", "every tenth document tests")),
                List.of("ap", "lda_ap"),
                List.of(RawFile.withoutDigest(DOCUMENTS, "ap.dat", 0), RawFile.withoutDigest(WORDS, "vocab.txt", 0)),
                List.of(),
                ALL.get(1));
    }

    private static DatasetEntry wikipedia() {
        return new DatasetEntry(
                "wikipedia",
                DatasetKind.CORPUS,
                new DatasetFacts(
                        "English Wikipedia articles over the dictionary of online LDA",
                        197392,
                        7702,
                        "topic models",
                        "text CC BY-SA 3.0; the dictionary is part of a GPL-3 program",
                        "dumps of English Wikipedia (https://dumps.wikimedia.org/enwiki/), counted over"
                                + " dictnostops.txt of onlineldavb as docs/reference/datasets.md describes",
                        List.of(
                                "derived counts of page ids 18228284 to 20925000, not a uniform sample of Wikipedia",
                                "the dictionary has 7702 words, not 8000, and one of them is capitalised: folded",
                                "in page order, so batches have to be random; every twentieth document tests",
                                "newer articles of 2018 are written to test-2018.ldac.gz if they are there")),
                List.of("wikipedia", "wikipedia_bow", ""),
                List.of(
                        RawFile.of(
                                DOCUMENTS,
                                "enwiki2014.ldac",
                                87264958,
                                "1d1153cff83d0f1a076ab1bc0d22aa6e64216b19eae387d4063ffce7ada7d795"),
                        RawFile.of(
                                WORDS,
                                "dictnostops.txt",
                                58692,
                                "1c586145a2c993e578b3ee3b4b7de0dbe647f35f54a310b29994d7be9000b655"),
                        RawFile.of(
                                        NEWER,
                                        "enwiki2018new.ldac",
                                        12679140,
                                        "967c6e49d81a417783387a7301da2d983e843c11ad4ee567512f8dae83a46402")
                                .optional()),
                List.of(),
                ALL.get(2));
    }

    public static CorpusSplit load(DatasetEntry entry, Path dataDir) throws DatasetException {
        for (WordCounts counts : ALL) {
            if (counts.name.equals(entry.name())) {
                return CorpusSplit.of(counts.read(entry.open(dataDir)), counts.stride);
            }
        }
        throw new DatasetException(
                DatasetException.Kind.UNKNOWN_NAME,
                entry.name() + " is not a corpus; there are kos, ap and wikipedia.");
    }

    private Corpus read(RawFiles raw) throws DatasetException {
        List<String> vocabulary = CorpusReader.reading(raw.get(WORDS), CorpusReader::vocabulary);
        LocatedFile file = raw.get(DOCUMENTS);
        Corpus corpus = file.file().name().startsWith("docword.")
                ? CorpusReader.reading(file, lines -> CorpusReader.docword(lines, vocabulary))
                : CorpusReader.reading(file, lines -> CorpusReader.ldaC(lines, vocabulary));
        if (file.file().digest().isEmpty() && corpus.documents() != documents) {
            throw Broken.because(file, "it does not have the published number of documents");
        }
        return corpus;
    }

    @Override
    public void write(RawFiles raw, Choices choices, Drafts out) throws IOException, DatasetException {
        Corpus corpus = read(raw);
        CorpusSplit split = CorpusSplit.of(corpus, stride);
        copy(split.training(), out, "train.ldac.gz");
        copy(split.test(), out, "test.ldac.gz");
        if (raw.find(NEWER).isPresent()) {
            copy(
                    CorpusReader.reading(raw.get(NEWER), lines -> CorpusReader.ldaC(lines, corpus.vocabulary())),
                    out,
                    "test-2018.ldac.gz");
        }
        out.text("vocabulary.txt", String.join("\n", corpus.vocabulary()) + "\n");
    }

    private static void copy(Corpus corpus, Drafts out, String name) throws IOException {
        try (Writer writer = out.text(name)) {
            corpus.writeTo(writer);
        }
    }
}
