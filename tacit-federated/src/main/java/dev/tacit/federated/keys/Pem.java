package dev.tacit.federated.keys;

import dev.tacit.federated.study.StudyException;
import dev.tacit.file.DurableFile;
import dev.tacit.fit.base.FitException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A block of a PEM file (RFC 7468).
 *
 * @param label between the hyphens
 * @param bytes what the block holds
 */
record Pem(String label, byte[] bytes) {
    static final String CERTIFICATE = "CERTIFICATE";
    static final String PRIVATE_KEY = "PRIVATE KEY";
    static final String REQUEST = "CERTIFICATE REQUEST";
    static final String IDENTITY = "TACIT IDENTITY";

    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----\\s*([A-Za-z0-9+/=\\s]*)-----END \\1-----");
    private static final long LONGEST = 1 << 20;

    /** The text of the block. */
    String text() {
        return "-----BEGIN " + label + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes) + "\n-----END " + label
                + "-----\n";
    }

    /** All blocks of a file. */
    static List<Pem> read(Path file) {
        try {
            if (Files.size(file) > LONGEST) {
                throw new StudyException(file + " is too long for a file of keys");
            }
            List<Pem> blocks = new ArrayList<>();
            Matcher matcher = BLOCK.matcher(Files.readString(file, StandardCharsets.US_ASCII));
            while (matcher.find()) {
                blocks.add(new Pem(matcher.group(1), Base64.getMimeDecoder().decode(matcher.group(2))));
            }
            return blocks;
        } catch (NoSuchFileException e) {
            throw new FitException(FitException.Kind.MISSING_INPUT, "there is no file " + file + ".", e);
        } catch (AccessDeniedException e) {
            throw new FitException(
                    FitException.Kind.MISSING_INPUT, file + " cannot be read; check its rights, and who runs this.", e);
        } catch (IOException | IllegalArgumentException e) {
            throw new StudyException(file + " is not a file of keys or certificates", e);
        }
    }

    /** The one block of a label. */
    static byte[] read(Path file, String label) {
        return read(file).stream()
                .filter(block -> block.label.equals(label))
                .findFirst()
                .orElseThrow(() -> new StudyException(file + " holds no " + label.toLowerCase(java.util.Locale.ROOT)))
                .bytes;
    }

    /** Whether a file holds one block and nothing else. */
    static boolean isWritten(Path file, Pem block) {
        List<Pem> blocks = read(file);
        return blocks.size() == 1
                && blocks.get(0).label.equals(block.label)
                && Arrays.equals(blocks.get(0).bytes, block.bytes);
    }

    /** Writes a file that only its owner may read. */
    static void writeSecret(Path file, Pem block) {
        write(file, block.text(), DurableFile.Access.OWNER);
    }

    /** Writes a file that may be shown to anybody. */
    static void write(Path file, List<Pem> blocks) {
        StringBuilder text = new StringBuilder();
        blocks.forEach(block -> text.append(block.text()));
        write(file, text.toString(), DurableFile.Access.SHARED);
    }

    private static void write(Path file, String text, DurableFile.Access access) {
        try {
            DurableFile.write(file, text.getBytes(StandardCharsets.US_ASCII), access);
        } catch (IOException e) {
            throw new StudyException("cannot write " + file, e);
        }
    }
}
