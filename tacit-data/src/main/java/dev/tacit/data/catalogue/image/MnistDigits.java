package dev.tacit.data.catalogue.image;

import dev.tacit.data.catalogue.canonical.CsvWriter;
import dev.tacit.data.catalogue.canonical.SchemaColumn;
import dev.tacit.data.catalogue.canonical.SchemaText;
import dev.tacit.data.catalogue.entry.Choices;
import dev.tacit.data.catalogue.entry.DatasetEntry;
import dev.tacit.data.catalogue.entry.DatasetException;
import dev.tacit.data.catalogue.entry.DatasetFacts;
import dev.tacit.data.catalogue.entry.DatasetKind;
import dev.tacit.data.catalogue.entry.Drafts;
import dev.tacit.data.catalogue.entry.RawFile;
import dev.tacit.data.catalogue.entry.RawFiles;
import dev.tacit.data.catalogue.entry.Recipe;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** MNIST as tables of pixels; {@link MnistImages} reads it without writing tables. */
public final class MnistDigits implements Recipe {
    static final String TRAINING_IMAGES = "training images";
    static final String TRAINING_LABELS = "training labels";
    static final String TEST_IMAGES = "test images";
    static final String TEST_LABELS = "test labels";

    private static final long TRAINING_ROWS = 60000;

    public static DatasetEntry entry() {
        return new DatasetEntry(
                "mnist",
                DatasetKind.IMAGES,
                new DatasetFacts(
                        "MNIST handwritten digits",
                        70000,
                        784,
                        "images for generative models; digits as labels",
                        "CC BY-SA 3.0, as commonly stated (LeCun, Cortes, Burges)",
                        "the MNIST page of Yann LeCun (http://yann.lecun.com/exdb/mnist/), or its mirror at"
                                + " https://storage.googleapis.com/cvdf-datasets/mnist/",
                        List.of(
                                "big-endian idx files with unsigned bytes",
                                "checksums are of the unpacked files, since copies are compressed anew")),
                List.of("mnist", ""),
                List.of(
                        RawFile.of(
                                TRAINING_IMAGES,
                                "train-images-idx3-ubyte",
                                47040016,
                                "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"),
                        RawFile.of(
                                TRAINING_LABELS,
                                "train-labels-idx1-ubyte",
                                60008,
                                "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"),
                        RawFile.of(
                                TEST_IMAGES,
                                "t10k-images-idx3-ubyte",
                                7840016,
                                "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"),
                        RawFile.of(
                                TEST_LABELS,
                                "t10k-labels-idx1-ubyte",
                                10008,
                                "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2")),
                List.of(),
                new MnistDigits());
    }

    @Override
    public void write(RawFiles raw, Choices choices, Drafts out) throws IOException, DatasetException {
        MnistImages training = MnistImages.read(raw.get(TRAINING_IMAGES), raw.get(TRAINING_LABELS));
        copy(training, out, "train.csv.gz");
        copy(MnistImages.read(raw.get(TEST_IMAGES), raw.get(TEST_LABELS)), out, "test.csv.gz");
        SchemaText schema = new SchemaText("MNIST: a grey level is 0 to 255", TRAINING_ROWS)
                .withoutIntercept()
                .column("label", SchemaColumn.ignored());
        for (int pixel = 0; pixel < training.height() * training.width(); pixel++) {
            schema.column("pixel" + pixel, SchemaColumn.number(0, 255));
        }
        out.text("schema.yaml", schema.text());
    }

    private static void copy(MnistImages images, Drafts out, String name) throws IOException {
        int pixels = images.height() * images.width();
        List<String> row = new ArrayList<>(pixels + 1);
        row.add("label");
        for (int pixel = 0; pixel < pixels; pixel++) {
            row.add("pixel" + pixel);
        }
        try (CsvWriter csv = new CsvWriter(out.text(name), row)) {
            for (int image = 0; image < images.count(); image++) {
                row.set(0, Integer.toString(images.label(image)));
                for (int pixel = 0; pixel < pixels; pixel++) {
                    row.set(pixel + 1, Integer.toString(images.grey(image, pixel)));
                }
                csv.row(row);
            }
        }
    }
}
