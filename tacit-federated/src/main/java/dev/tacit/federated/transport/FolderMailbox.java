package dev.tacit.federated.transport;

import dev.tacit.federated.message.Envelope;
import dev.tacit.file.DurableFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Envelopes as files, for sites that allow SFTP, a shared folder or a USB stick and nothing else.
 *
 * <pre>
 *   folder/to-coordinator/ROUND-KIND-PLACE-HASH.envelope        folder/to-NAME/ROUND-KIND-PLACE-HASH.envelope
 * </pre>
 *
 * A file appears whole or not at all, and its name follows from what it says, so carrying a file twice changes nothing. Nobody trusts the
 * folder: whoever can write to it can hold messages back, and nothing else.
 */
public final class FolderMailbox implements Mailbox {
    private static final String ENDING = ".envelope";
    private static final long POLL_MILLIS = 200;

    /** Whatever is longer is no envelope, and is not read. */
    private static final long LARGEST_FILE = 1 << 28;

    private final Path out;
    private final Path in;
    private final Set<String> seen = new HashSet<>();

    private FolderMailbox(Path out, Path in) {
        this.out = out;
        this.in = in;
    }

    /** A party's mailbox in a folder. */
    public static FolderMailbox of(Path folder, String party) {
        return new FolderMailbox(created(folder.resolve("to-coordinator")), created(inbox(folder, party)));
    }

    /** The coordinator's end of all mailboxes in a folder. */
    public static PostOffice postOffice(Path folder) {
        Path in = created(folder.resolve("to-coordinator"));
        Set<String> seen = new HashSet<>();
        return new PostOffice() {
            @Override
            public void post(String party, Envelope envelope) {
                write(created(inbox(folder, party)), envelope);
            }

            @Override
            public List<byte[]> collect(Duration patience) {
                return waitFor(in, seen, patience);
            }

            @Override
            public void close() {
                // files stay
            }
        };
    }

    private static Path inbox(Path folder, String party) {
        if (!party.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")) {
            throw new IllegalArgumentException("a party with a folder is called by letters, digits, dots and hyphens");
        }
        return folder.resolve("to-" + party);
    }

    private static Path created(Path folder) {
        try {
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path folder, Envelope envelope) {
        byte[] bytes = envelope.toBytes();
        String name = String.format(
                        "%06d-%s-%d-",
                        envelope.round(), envelope.kind().name().toLowerCase(Locale.ROOT), envelope.sender())
                + HexFormat.of().formatHex(envelope.hash(), 0, 8)
                + ENDING;
        try {
            if (!Files.exists(folder.resolve(name))) {
                DurableFile.write(folder.resolve(name), bytes, DurableFile.Access.SHARED);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is in a folder and was not handed out; looks again until patience is over. */
    private static List<byte[]> waitFor(Path folder, Set<String> seen, Duration patience) {
        long left = patience.toMillis();
        List<byte[]> found = unseen(folder, seen);
        while (found.isEmpty() && left > 0) {
            try {
                Thread.sleep(Math.min(POLL_MILLIS, left));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return found;
            }
            left -= POLL_MILLIS;
            found = unseen(folder, seen);
        }
        return found;
    }

    private static List<byte[]> unseen(Path folder, Set<String> seen) {
        List<byte[]> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> fresh = files.filter(
                            file -> file.getFileName().toString().endsWith(ENDING)
                                    && !seen.contains(file.getFileName().toString()))
                    .sorted()
                    .toList();
            for (Path file : fresh) {
                try {
                    if (Files.size(file) <= LARGEST_FILE) {
                        found.add(Files.readAllBytes(file));
                    }
                    seen.add(file.getFileName().toString());
                } catch (NoSuchFileException gone) {
                    // somebody carried it away again
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    @Override
    public void put(Envelope envelope) throws MailboxUnavailable {
        try {
            write(out, envelope);
        } catch (UncheckedIOException e) {
            throw new MailboxUnavailable("the folder " + out + " cannot be written", e);
        }
    }

    @Override
    public List<byte[]> next(Duration patience) throws MailboxUnavailable {
        try {
            return waitFor(in, seen, patience);
        } catch (UncheckedIOException e) {
            throw new MailboxUnavailable("the folder " + in + " cannot be read", e);
        }
    }

    @Override
    public void close() {
        // files stay
    }
}
