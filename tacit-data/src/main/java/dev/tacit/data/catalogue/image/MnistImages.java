package dev.tacit.data.catalogue.image;

import dev.tacit.data.catalogue.entry.Broken;
import dev.tacit.data.catalogue.entry.DatasetException;
import dev.tacit.data.catalogue.entry.LocatedFile;
import dev.tacit.data.catalogue.entry.RawFiles;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.RecordSource;
import dev.tacit.engine.BlockReader;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Images of handwritten digits with their labels, one byte a pixel in memory.
 *
 * <p>As records, an image is 784 numbers, either grey in [0, 1] or black and white by a public threshold; the label is
 * the digit. Blocks are decoded when they are read, so that 60 000 images need 47 MB.
 */
public final class MnistImages {
    private static final int IMAGES_MAGIC = 2051;
    private static final int LABELS_MAGIC = 2049;
    private static final int BLOCK_ROWS = 512;
    private static final int LARGEST = 1 << 24;

    private final int count;
    private final int height;
    private final int width;
    private final byte[] pixels;
    private final byte[] labels;

    private MnistImages(int count, int height, int width, byte[] pixels, byte[] labels) {
        this.count = count;
        this.height = height;
        this.width = width;
        this.pixels = pixels;
        this.labels = labels;
    }

    /** The 60 000 training images. */
    public static MnistImages training(Path dataDir) throws DatasetException {
        return load(dataDir, MnistDigits.TRAINING_IMAGES, MnistDigits.TRAINING_LABELS);
    }

    /** The 10 000 test images. */
    public static MnistImages test(Path dataDir) throws DatasetException {
        return load(dataDir, MnistDigits.TEST_IMAGES, MnistDigits.TEST_LABELS);
    }

    private static MnistImages load(Path dataDir, String images, String labels) throws DatasetException {
        RawFiles raw = MnistDigits.entry().open(dataDir);
        return read(raw.get(images), raw.get(labels));
    }

    static MnistImages read(LocatedFile images, LocatedFile labels) throws DatasetException {
        try (InputStream imageStream = images.open();
                InputStream labelStream = labels.open()) {
            return read(imageStream, labelStream);
        } catch (IOException e) {
            throw Broken.because(images, "it and its labels are not a pair of idx files");
        }
    }

    /** Reads a pair of unpacked idx files: big-endian magic number and sizes, then one unsigned byte each. */
    public static MnistImages read(InputStream imageStream, InputStream labelStream) throws IOException {
        DataInputStream images = new DataInputStream(imageStream);
        DataInputStream labels = new DataInputStream(labelStream);
        require(images.readInt() == IMAGES_MAGIC, "the first file is not an idx file of images");
        require(labels.readInt() == LABELS_MAGIC, "the second file is not an idx file of labels");
        int count = size(images);
        require(size(labels) == count, "there are not as many labels as images");
        int height = size(images);
        int width = size(images);
        require((long) count * height * width <= Integer.MAX_VALUE - 8, "the images do not fit into one array");
        return new MnistImages(count, height, width, exactly(images, count * height * width), exactly(labels, count));
    }

    private static int size(DataInputStream stream) throws IOException {
        int size = stream.readInt();
        require(size >= 0 && size <= LARGEST, "a size is out of range");
        return size;
    }

    private static byte[] exactly(InputStream stream, int length) throws IOException {
        byte[] bytes = stream.readNBytes(length);
        if (bytes.length != length) {
            throw new EOFException("the file ends too early");
        }
        return bytes;
    }

    private static void require(boolean condition, String otherwise) throws IOException {
        if (!condition) {
            throw new IOException(otherwise);
        }
    }

    public int count() {
        return count;
    }

    public int height() {
        return height;
    }

    public int width() {
        return width;
    }

    /** The grey level of a pixel, 0 to 255, counted row by row. */
    public int grey(int image, int pixel) {
        return pixels[image * height * width + pixel] & 0xff;
    }

    /** The digit. */
    public int label(int image) {
        return labels[image] & 0xff;
    }

    /** The images {@code from} up to, not including, {@code to}, without copying pixels. */
    public RecordSource greyRecords(int from, int to) {
        return new Records(from, to, -1);
    }

    /** All images with grey levels in [0, 1]. */
    public RecordSource greyRecords() {
        return greyRecords(0, count);
    }

    /** All images in black and white: 1 where the grey level is above the threshold (127 is usual), otherwise 0. */
    public RecordSource binaryRecords(int threshold) {
        return binaryRecords(threshold, 0, count);
    }

    /** The images {@code from} up to, not including, {@code to} in black and white. */
    public RecordSource binaryRecords(int threshold, int from, int to) {
        if (threshold < 0 || threshold > 255) {
            throw new IllegalArgumentException("a grey level is 0 to 255");
        }
        return new Records(from, to, threshold);
    }

    private final class Records implements RecordSource {
        private final int from;
        private final int rows;
        private final int threshold;

        Records(int from, int to, int threshold) {
            Objects.checkFromToIndex(from, to, count);
            this.from = from;
            this.rows = to - from;
            this.threshold = threshold;
        }

        @Override
        public int columns() {
            return height * width;
        }

        @Override
        public boolean labelled() {
            return true;
        }

        @Override
        public long rows() {
            return rows;
        }

        @Override
        public int blockRows() {
            return BLOCK_ROWS;
        }

        @Override
        public Reader reader() {
            double[] values = new double[BLOCK_ROWS * columns()];
            double[] digits = new double[BLOCK_ROWS];
            return new BlockReader() {
                @Override
                public RecordBlock block(long block) {
                    int first = Math.toIntExact(block * BLOCK_ROWS);
                    int blockSize = Math.min(BLOCK_ROWS, rows - first);
                    for (int row = 0; row < blockSize; row++) {
                        int image = from + first + row;
                        digits[row] = label(image);
                        for (int pixel = 0; pixel < columns(); pixel++) {
                            values[row * columns() + pixel] = scaled(grey(image, pixel));
                        }
                    }
                    return DenseBlock.of(blockSize, columns(), values, digits);
                }
            };
        }

        private double scaled(int grey) {
            if (threshold < 0) {
                return grey / 255.0;
            }
            return grey > threshold ? 1 : 0;
        }
    }
}
