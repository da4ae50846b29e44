package dev.tacit.federated.run;

import dev.tacit.federated.keys.KeyFolder;
import dev.tacit.federated.message.StudyTerms;
import dev.tacit.federated.study.StudyException;
import dev.tacit.federated.transport.FolderMailbox;
import dev.tacit.federated.transport.GrpcMailbox;
import dev.tacit.federated.transport.GrpcService;
import dev.tacit.federated.transport.Mailbox;
import dev.tacit.federated.transport.PostOffice;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The way between a party and its coordinator: {@code host:port}, or a folder that both sides see. */
final class Links {
    private static final int MOST_PORT = 65_535;

    private Links() {}

    private record HostPort(String host, int port) {}

    private static Optional<HostPort> hostPort(String at) {
        int colon = at.lastIndexOf(':');
        if (colon < 1
                || Files.isDirectory(Path.of(at))
                || !at.substring(colon + 1).matches("[0-9]{1,5}")) {
            return Optional.empty();
        }
        int port = Integer.parseInt(at.substring(colon + 1));
        return port > MOST_PORT ? Optional.empty() : Optional.of(new HostPort(at.substring(0, colon), port));
    }

    /** A party's mailbox. */
    static Mailbox mailbox(String at, String party, KeyFolder keys, StudyTerms terms) {
        Optional<HostPort> address = hostPort(at);
        try {
            return address.isPresent()
                    ? GrpcMailbox.at(address.get().host(), address.get().port(), keys.tlsFiles(), answerBytes(terms))
                    : FolderMailbox.of(folder(at), party);
        } catch (IOException | IllegalArgumentException e) {
            throw new StudyException("the keys in " + keys.path() + " cannot be used for a connection", e);
        }
    }

    /** The coordinator's end. */
    static PostOffice office(String at, KeyFolder keys, StudyTerms terms, long start) {
        Optional<HostPort> address = hostPort(at);
        try {
            return address.isPresent()
                    ? GrpcService.open(
                            new InetSocketAddress(
                                    address.get().host(), address.get().port()),
                            keys.tlsFiles(),
                            start,
                            terms.mostBytes())
                    : FolderMailbox.postOffice(folder(at));
        } catch (IOException | IllegalArgumentException e) {
            throw new StudyException(
                    "cannot listen at " + at + "; check that the port is free and that " + keys.path() + " holds keys",
                    e);
        }
    }

    private static Path folder(String at) {
        if (!Files.isDirectory(Path.of(at))) {
            throw new StudyException("\"" + at + "\" is neither host:port nor a folder that is there");
        }
        return Path.of(at);
    }

    /** Several messages may be in one answer. */
    private static int answerBytes(StudyTerms terms) {
        return (int) Math.min(Integer.MAX_VALUE - 64, 8L * terms.mostBytes());
    }
}
