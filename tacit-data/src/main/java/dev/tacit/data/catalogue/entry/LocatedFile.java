package dev.tacit.data.catalogue.entry;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * A raw file that was found.
 *
 * @param file what it is
 * @param path the file itself, the archive that holds it, or a folder of one file a record
 */
public record LocatedFile(RawFile file, Path path) {
    /** The unpacked bytes. */
    public InputStream open() throws IOException {
        if (Files.isDirectory(path)) {
            return StayFolder.asOneFile(path);
        }
        InputStream stream = new BufferedInputStream(Files.newInputStream(path), 1 << 16);
        try {
            String name = path.getFileName().toString();
            if (name.endsWith(".gz")) {
                return new BufferedInputStream(new GZIPInputStream(stream, 1 << 16), 1 << 16);
            }
            return file.archives().contains(name) ? member(stream) : stream;
        } catch (IOException e) {
            stream.close();
            throw e;
        }
    }

    /** The unpacked bytes as lines of text. */
    public BufferedReader lines() throws IOException {
        return new BufferedReader(new InputStreamReader(open(), StandardCharsets.UTF_8), 1 << 16);
    }

    private InputStream member(InputStream archive) throws IOException {
        ZipInputStream zip = new ZipInputStream(archive);
        for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
            String inner = entry.getName();
            if (inner.substring(inner.lastIndexOf('/') + 1).equals(file.name())) {
                return zip;
            }
        }
        throw new IOException("the archive holds no " + file.name());
    }
}
