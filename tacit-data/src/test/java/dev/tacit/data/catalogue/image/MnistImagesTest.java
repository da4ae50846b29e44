package dev.tacit.data.catalogue.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.data.catalogue.TinyFiles;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.RecordSource;
import dev.tacit.query.Rows;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MnistImagesTest {
    private static byte[] images(int magic, int count) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(magic);
        out.writeInt(count);
        out.writeInt(2);
        out.writeInt(3);
        for (int i = 0; i < 6 * count; i++) {
            out.writeByte(i % 6 == 5 ? 255 : i % 256);
        }
        return bytes.toByteArray();
    }

    private static byte[] labels(int count) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(2049);
        out.writeInt(count);
        for (int i = 0; i < count; i++) {
            out.writeByte(i % 10);
        }
        return bytes.toByteArray();
    }

    private static MnistImages read(byte[] images, byte[] labels) throws IOException {
        return MnistImages.read(new ByteArrayInputStream(images), new ByteArrayInputStream(labels));
    }

    @Test
    void pixelsAreUnsignedBytes() throws IOException {
        MnistImages digits = read(images(2051, 3), labels(3));
        assertThat(digits.count()).isEqualTo(3);
        assertThat(digits.height()).isEqualTo(2);
        assertThat(digits.width()).isEqualTo(3);
        assertThat(digits.grey(0, 5)).isEqualTo(255);
        assertThat(digits.label(2)).isEqualTo(2);
    }

    @Test
    void recordsComeInBlocks() throws IOException {
        MnistImages digits = read(images(2051, 1000), labels(1000));
        RecordSource grey = digits.greyRecords(10, 990);
        assertThat(grey.rows()).isEqualTo(980);
        assertThat(grey.columns()).isEqualTo(6);
        assertThat(grey.labelled()).isTrue();
        RecordSource.Reader reader = grey.reader();
        int rows = 0;
        for (long block = 0; rows < grey.rows(); block++) {
            RecordBlock records = reader.block(block);
            for (int row = 0; row < records.rows(); row++) {
                int image = 10 + rows + row;
                assertThat(records.label(row)).isEqualTo(digits.label(image));
                double[] unit = new double[6];
                unit[4] = 1;
                assertThat(Rows.dot(records, row, unit, 0)).isEqualTo(digits.grey(image, 4) / 255.0);
            }
            rows += records.rows();
        }
        assertThat(rows).isEqualTo(980);
    }

    @Test
    void thresholdMakesBlackAndWhite() throws IOException {
        RecordBlock block =
                read(images(2051, 40), labels(40)).binaryRecords(127).reader().block(0);
        double[] sum = new double[6];
        for (int row = 0; row < block.rows(); row++) {
            Rows.addTo(block, row, 1, sum, 0);
        }
        assertThat(sum[5]).isEqualTo(40);
        assertThat(sum[0]).isEqualTo(18); // 6 row > 127 for row 22 to 39
    }

    @Test
    void otherFilesAreRefused() throws IOException {
        byte[] images = images(2051, 3);
        assertThatThrownBy(() -> read(images(2052, 3), labels(3))).hasMessageContaining("not an idx file of images");
        assertThatThrownBy(() -> read(images, labels(4))).hasMessageContaining("not as many labels");
        assertThatThrownBy(() -> read(Arrays.copyOf(images, 20), labels(3))).hasMessageContaining("ends too early");
        assertThatThrownBy(() -> read(images(2051, -1), labels(3))).hasMessageContaining("out of range");
    }

    @Test
    void tablesHaveOneColumnAPixel(@TempDir Path folder) throws Exception {
        Path data = Files.createDirectories(folder.resolve("mnist"));
        for (String set : new String[] {"train", "t10k"}) {
            Files.write(data.resolve(set + "-images-idx3-ubyte"), images(2051, 2));
            Files.write(data.resolve(set + "-labels-idx1-ubyte"), labels(2));
        }
        TinyFiles.entry(MnistDigits.entry(), new MnistDigits(), folder, "mnist").prepare(folder, folder.resolve("out"));
        assertThat(TinyFiles.lines(folder.resolve("out/train.csv.gz")))
                .containsExactly(
                        "label,pixel0,pixel1,pixel2,pixel3,pixel4,pixel5", "0,0,1,2,3,4,255", "1,6,7,8,9,10,255");
        assertThat(TinyFiles.encodedColumns(TinyFiles.schema(folder.resolve("out/schema.yaml"))))
                .isEqualTo(6);
    }
}
