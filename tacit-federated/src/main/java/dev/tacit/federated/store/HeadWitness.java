package dev.tacit.federated.store;

import dev.tacit.federated.crypto.ContentHash;
import dev.tacit.file.DurableFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * The newest head of a journal, noted where the journal is not: on another disk, or on paper.
 *
 * <p>A folder that is put back from a backup takes its journal with it, and the journal alone cannot tell. Whoever holds a later head can:
 * it is in no older copy. The other parties are witnesses of the same kind, because they hold what a party signed.
 *
 * @param file where the head is noted
 */
public record HeadWitness(Path file) {
    /** Notes the head of a journal; when this returns, it survives a crash. */
    public void note(Journal journal) {
        try {
            DurableFile.write(file, journal.head(), DurableFile.Access.OWNER);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What was noted last. */
    public Optional<byte[]> noted() {
        try {
            byte[] head = Files.readAllBytes(file);
            return head.length == ContentHash.BYTES ? Optional.of(head) : Optional.empty();
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether a journal is the one that was noted, or has grown from it; true if nothing was noted. */
    public boolean isOf(Journal journal) {
        Optional<byte[]> noted = noted();
        byte[] chain = EnvelopeLog.start();
        boolean found = noted.isEmpty() || Arrays.equals(chain, noted.get());
        for (byte[] entry : journal.entries()) {
            chain = EnvelopeLog.chained(chain, entry);
            found |= noted.isPresent() && Arrays.equals(chain, noted.get());
        }
        return found;
    }
}
