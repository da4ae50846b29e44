package dev.tacit.federated.transport;

import dev.tacit.federated.crypto.ContentHash;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.file.DurableFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Envelopes as files, for sites that allow SFTP, a shared folder or a USB stick and nothing else.
 *
 * <pre>
 *   folder/to-coordinator/STUDY-ROUND-KIND-PLACE-HASH.envelope        folder/to-NAME/STUDY-ROUND-KIND-PLACE-HASH.envelope
 * </pre>
 *
 * A file's name follows from its bytes, so carrying it twice changes nothing, and one that a carrier has not written to its end yet is
 * left until it is whole, as is one that cannot be read now. A party reads the newest round that is there: what came before is over. What
 * other studies left in the folder is not looked at. Nobody trusts the folder: whoever can write to it can hold messages back, and nothing else.
 */
public final class FolderMailbox implements Mailbox {
    private static final Pattern NAME = Pattern.compile(
            "(?<study>[0-9a-f]{16})-(?<round>[0-9]{6,10})-(?<kind>[a-z]+)-[0-9]{1,3}-(?<digest>[0-9a-f]{16})\\.envelope");
    private static final int STUDY_BYTES = 8;
    private static final int DIGEST_BYTES = 8;
    private static final long POLL_MILLIS = 200;

    /** What has been read when no further file is begun. */
    private static final long MOST_AT_ONCE = 1 << 26;

    private final Path out;
    private final Path in;
    private final Inbox inbox;

    private FolderMailbox(Path out, Path in, Inbox inbox) {
        this.out = out;
        this.in = in;
        this.inbox = inbox;
    }

    /**
     * A party's mailbox in a folder that is there.
     *
     * @param study whose messages it reads, {@link dev.tacit.federated.message.StudyTerms#binding}
     * @param mostBytes how long a message of the coordinator is at most
     */
    public static FolderMailbox of(Path folder, byte[] study, String party, int mostBytes) throws MailboxUnavailable {
        if (!Files.isDirectory(folder)) {
            throw new MailboxUnavailable("the folder " + folder + " is not there");
        }
        try {
            Path in = created(inbox(folder, party));
            return new FolderMailbox(
                    created(folder.resolve("to-coordinator")), in, new NewestRound(in, study, mostBytes));
        } catch (UncheckedIOException e) {
            throw new MailboxUnavailable("the folder " + folder + " cannot be written", e);
        }
    }

    /**
     * The coordinator's end of all mailboxes in a folder.
     *
     * @param study whose messages it reads
     * @param mostBytes how long a message of a party is at most
     */
    public static PostOffice postOffice(Path folder, byte[] study, int mostBytes) {
        Inbox inbox = new EveryFile(folder.resolve("to-coordinator"), study, mostBytes);
        return new PostOffice() {
            @Override
            public void post(String party, Envelope envelope) throws MailboxUnavailable {
                try {
                    requireThere();
                    write(created(inbox(folder, party)), envelope);
                } catch (UncheckedIOException e) {
                    throw new MailboxUnavailable("the folder " + folder + " cannot be written", e);
                }
            }

            @Override
            public List<byte[]> collect(Duration patience) throws MailboxUnavailable {
                try {
                    requireThere();
                    created(folder.resolve("to-coordinator"));
                    return inbox.waitFor(patience);
                } catch (UncheckedIOException e) {
                    throw new MailboxUnavailable("the folder " + folder + " cannot be read", e);
                }
            }

            private void requireThere() throws MailboxUnavailable {
                if (!Files.isDirectory(folder)) {
                    throw new MailboxUnavailable("the folder " + folder + " is not there");
                }
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
                "%s-%06d-%s-%d-%s.envelope",
                label(envelope.study()), envelope.round(), label(envelope.kind()), envelope.sender(), digest(bytes));
        try {
            Path file = folder.resolve(name);
            if (!Files.exists(file) || Files.size(file) != bytes.length) {
                DurableFile.write(file, bytes, DurableFile.Access.SHARED);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String label(byte[] study) {
        return HexFormat.of().formatHex(study, 0, STUDY_BYTES);
    }

    private static String label(MessageKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** By which a file that was carried to its end is known. */
    private static String digest(byte[] bytes) {
        return HexFormat.of().formatHex(ContentHash.of("file", bytes), 0, DIGEST_BYTES);
    }

    /** What is read from a folder. */
    private abstract static class Inbox {
        private final Path folder;
        private final String study;
        private final int mostBytes;
        private final Set<String> seen = new HashSet<>();

        /**
         * @param study the others' files are left
         * @param mostBytes whatever is longer is no message, and is not read
         */
        Inbox(Path folder, byte[] study, int mostBytes) {
            this.folder = folder;
            this.study = label(study);
            this.mostBytes = mostBytes;
        }

        /** What is to be handed out, of files of these names, by name. */
        abstract Map<String, byte[]> fresh(List<Matcher> names);

        /** What is there and was not handed out; looks again until patience is over. */
        List<byte[]> waitFor(Duration patience) {
            long left = patience.toMillis();
            List<byte[]> found = fresh();
            while (found.isEmpty() && left > 0) {
                try {
                    Thread.sleep(Math.min(POLL_MILLIS, left));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return found;
                }
                left -= POLL_MILLIS;
                found = fresh();
            }
            return found;
        }

        /** Files count as seen when all are read: one that fails on the way takes none of the others with it. */
        private List<byte[]> fresh() {
            try (Stream<Path> files = Files.list(folder)) {
                Map<String, byte[]> found = fresh(files.map(
                                file -> NAME.matcher(file.getFileName().toString()))
                        .filter(name -> name.matches() && name.group("study").equals(study))
                        .sorted(Comparator.comparing(Matcher::group))
                        .toList());
                seen.addAll(found.keySet());
                return List.copyOf(found.values());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        boolean isSeen(Matcher name) {
            return seen.contains(name.group());
        }

        /** A file that is whole; one that cannot be read now is looked at again, as one that has not arrived. */
        Optional<byte[]> read(Matcher name) {
            Path file = folder.resolve(name.group());
            try {
                if (Files.size(file) > mostBytes) {
                    return Optional.empty();
                }
                byte[] bytes = Files.readAllBytes(file);
                // looked at again if it is not whole: times of files on a stick do not say that they changed
                return digest(bytes).equals(name.group("digest")) ? Optional.of(bytes) : Optional.empty();
            } catch (ClosedByInterruptException stopped) {
                throw new UncheckedIOException(stopped); // of whoever reads, not of the file
            } catch (IOException notYet) {
                return Optional.empty(); // carried away again, still being uploaded, or on a stick that was pulled out
            }
        }
    }

    /** The coordinator's: every file once, some at a time, because after a restart all of the study is there. */
    private static final class EveryFile extends Inbox {
        EveryFile(Path folder, byte[] study, int mostBytes) {
            super(folder, study, mostBytes);
        }

        @Override
        Map<String, byte[]> fresh(List<Matcher> names) {
            Map<String, byte[]> found = new LinkedHashMap<>();
            long bytes = 0;
            for (Matcher name : names) {
                Optional<byte[]> next = isSeen(name) || bytes > MOST_AT_ONCE ? Optional.empty() : read(name);
                bytes += next.map(message -> message.length).orElse(0);
                next.ifPresent(message -> found.put(name.group(), message));
            }
            return found;
        }
    }

    /**
     * A party's: all of the newest round, in the order of the protocol, whenever something of it is new. A carrier may bring what was written
     * first last, and a message that came too early is refused and needed again; to be told twice changes nothing.
     */
    private static final class NewestRound extends Inbox {
        NewestRound(Path folder, byte[] study, int mostBytes) {
            super(folder, study, mostBytes);
        }

        @Override
        Map<String, byte[]> fresh(List<Matcher> names) {
            NavigableMap<Long, List<Matcher>> rounds = new TreeMap<>();
            for (Matcher name : names) {
                rounds.computeIfAbsent(Long.parseLong(name.group("round")), unused -> new ArrayList<>())
                        .add(name);
            }
            for (List<Matcher> round : rounds.descendingMap().values()) {
                Map<String, byte[]> whole = round.stream().allMatch(this::isSeen) ? Map.of() : read(round);
                if (round.stream().anyMatch(name -> !isSeen(name) && whole.containsKey(name.group()))) {
                    return whole;
                }
                if (round.stream().anyMatch(this::isSeen)) {
                    return Map.of();
                }
            }
            return Map.of();
        }

        private Map<String, byte[]> read(List<Matcher> round) {
            Map<String, byte[]> whole = new LinkedHashMap<>();
            round.sort(Comparator.comparing(NewestRound::place));
            for (Matcher name : round) {
                read(name).ifPresent(message -> whole.put(name.group(), message));
            }
            return whole;
        }

        /** Where a kind of message stands in a round; what is none, at the end. */
        private static int place(Matcher name) {
            return Arrays.stream(MessageKind.values())
                    .filter(kind -> label(kind).equals(name.group("kind")))
                    .mapToInt(Enum::ordinal)
                    .findFirst()
                    .orElse(Integer.MAX_VALUE);
        }
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
            return inbox.waitFor(patience);
        } catch (UncheckedIOException e) {
            throw new MailboxUnavailable("the folder " + in + " cannot be read", e);
        }
    }

    @Override
    public void close() {
        // files stay
    }
}
