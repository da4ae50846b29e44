package dev.tacit.report.section;

import dev.tacit.report.plot.Exhibit;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** Grey pictures of one size side by side, such as the weights of hidden units. */
public final class PicturesSection {
    private static final int MOST_DRAWN = 200;

    private PicturesSection() {}

    /**
     * The section.
     *
     * @param pictures row after row, width × height numbers each; 0 is the middle grey
     */
    public static Section of(String title, String explanation, int width, int height, List<double[]> pictures) {
        Exhibit sheet = id -> sheet(width, height, pictures.subList(0, Math.min(MOST_DRAWN, pictures.size())));
        return new Section(title, List.of(explanation), List.of(sheet));
    }

    private static String sheet(int width, int height, List<double[]> pictures) {
        StringBuilder html = new StringBuilder(
                "<figure class=\"pictures\">\n<figcaption>Middle grey is 0, white the"
                        + " largest and black the smallest number of each picture.</figcaption>\n<div class=\"picturesheet\">\n");
        for (int i = 0; i < pictures.size(); i++) {
            html.append("<img alt=\"picture ")
                    .append(i + 1)
                    .append("\" width=\"")
                    .append(2 * width)
                    .append("\" height=\"")
                    .append(2 * height)
                    .append("\" src=\"data:image/png;base64,")
                    .append(Base64.getEncoder().encodeToString(png(width, height, pictures.get(i))))
                    .append("\"/>\n");
        }
        return html.append("</div>\n</figure>\n").toString();
    }

    /** An 8-bit grey PNG (ISO 15948): signature, header, one deflated data chunk, end. */
    private static byte[] png(int width, int height, double[] values) {
        double largest = Arrays.stream(values)
                .map(Math::abs)
                .filter(Double::isFinite)
                .max()
                .orElse(0);
        byte[] rows = new byte[height * (width + 1)];
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                double share = largest == 0 ? 0 : values[y * width + x] / largest;
                rows[y * (width + 1) + 1 + x] = (byte) Math.round(127.5 + 127.5 * Math.max(-1, Math.min(1, share)));
            }
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'});
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        header.writeBytes(number(width));
        header.writeBytes(number(height));
        header.writeBytes(new byte[] {8, 0, 0, 0, 0});
        chunk(out, "IHDR", header.toByteArray());
        chunk(out, "IDAT", deflated(rows));
        chunk(out, "IEND", new byte[0]);
        return out.toByteArray();
    }

    private static byte[] deflated(byte[] data) {
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
        deflater.setInput(data);
        deflater.finish();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] buffer = new byte[4096];
        while (!deflater.finished()) {
            out.write(buffer, 0, deflater.deflate(buffer));
        }
        deflater.end();
        return out.toByteArray();
    }

    private static void chunk(ByteArrayOutputStream out, String type, byte[] data) {
        byte[] name = type.getBytes(StandardCharsets.US_ASCII);
        CRC32 check = new CRC32();
        check.update(name);
        check.update(data);
        out.writeBytes(number(data.length));
        out.writeBytes(name);
        out.writeBytes(data);
        out.writeBytes(number((int) check.getValue()));
    }

    private static byte[] number(int value) {
        return new byte[] {(byte) (value >>> 24), (byte) (value >>> 16), (byte) (value >>> 8), (byte) value};
    }
}
