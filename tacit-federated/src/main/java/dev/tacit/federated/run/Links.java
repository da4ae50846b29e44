package dev.tacit.federated.run;

import dev.tacit.federated.keys.KeyFolder;
import dev.tacit.federated.message.StudyTerms;
import dev.tacit.federated.study.StudyException;
import dev.tacit.federated.study.StudyMember;
import dev.tacit.federated.study.StudyPlan;
import dev.tacit.federated.transport.FolderMailbox;
import dev.tacit.federated.transport.GrpcMailbox;
import dev.tacit.federated.transport.GrpcService;
import dev.tacit.federated.transport.Mailbox;
import dev.tacit.federated.transport.MailboxUnavailable;
import dev.tacit.federated.transport.PostOffice;
import dev.tacit.federated.transport.TlsFiles;
import dev.tacit.fit.federation.Federation;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.Optional;
import java.util.stream.Collectors;

/** The way between a party and its coordinator: {@code host:port}, or a folder that both sides see. */
final class Links {
    private static final int MOST_PORT = 65_535;

    private Links() {}

    private record HostPort(String host, int port) {}

    private static Optional<HostPort> hostPort(String at) {
        int colon = at.lastIndexOf(':');
        if (colon < 1
                || at.contains("/")
                || Files.isDirectory(Path.of(at))
                || !at.substring(colon + 1).matches("[0-9]{1,5}")) {
            return Optional.empty();
        }
        int port = Integer.parseInt(at.substring(colon + 1));
        return port < 1 || port > MOST_PORT
                ? Optional.empty()
                : Optional.of(new HostPort(at.substring(0, colon), port));
    }

    /** A way as it is kept: a folder by its whole path. Refuses what is none. */
    static String kept(String at) {
        return hostPort(at).isPresent() ? at : folder(at).toAbsolutePath().toString();
    }

    /** Refuses what no connection could be made with, in words: before anything is charged, or written for others. */
    static void require(String at, KeyFolder keys, Instant now) {
        if (hostPort(at).isEmpty()) {
            folder(at);
            return;
        }
        keys.tlsFiles();
        X509Certificate own = keys.ownCertificate().orElseThrow();
        if (now.isAfter(own.getNotAfter().toInstant())) {
            throw new StudyException("the certificate in " + keys.certificate() + " ran out on "
                    + day(own.getNotAfter()) + "; renew it with tacit keys renew, which keeps the keys");
        }
        if (now.isBefore(own.getNotBefore().toInstant())) {
            throw new StudyException("the certificate in " + keys.certificate() + " holds from "
                    + day(own.getNotBefore()) + " on; set the clock of this machine");
        }
    }

    private static String day(Date date) {
        return date.toInstant().atZone(ZoneOffset.UTC).toLocalDate().toString();
    }

    /**
     * A party's mailbox.
     *
     * @throws MailboxUnavailable if the folder is not there now: a stick that was pulled out, a drive that is not mounted
     */
    static Mailbox mailbox(String at, String party, KeyFolder keys, StudyTerms terms) throws MailboxUnavailable {
        Optional<HostPort> address = hostPort(at);
        if (address.isEmpty()) {
            return FolderMailbox.of(Path.of(at), terms.binding(), party, terms.mostBytesOfTheCoordinator());
        }
        try {
            return GrpcMailbox.at(address.get().host(), address.get().port(), keys.tlsFiles(), answerBytes(terms));
        } catch (IOException | IllegalArgumentException e) {
            throw new StudyException(
                    "the keys in " + keys.path() + " cannot be used for a connection to " + at
                            + "; names of machines are letters, digits, hyphens and dots",
                    e);
        }
    }

    /** The coordinator's end, for parties of a study; the clock is also what tells one start of the program from another. */
    static PostOffice office(String at, KeyFolder keys, StudyPlan plan, Clock clock, Federation.Progress progress) {
        Optional<HostPort> address = hostPort(at);
        StudyTerms terms = plan.terms();
        try {
            if (address.isEmpty()) {
                return FolderMailbox.postOffice(folder(at), terms.binding(), terms.mostBytesOfAParty());
            }
            TlsFiles tls = keys.tlsFiles();
            Instant end = keys.ownCertificate().orElseThrow().getNotAfter().toInstant();
            PostOffice office = GrpcService.open(
                    new InetSocketAddress(address.get().host(), address.get().port()),
                    tls,
                    clock.millis(),
                    terms.mostBytesOfAParty(),
                    plan.study().members().stream().map(StudyMember::name).collect(Collectors.toSet()));
            return CertificateWatch.over(office, keys.certificate(), end, clock, progress);
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
        return (int) Math.min(Integer.MAX_VALUE - 64, 4L * terms.mostBytesOfTheCoordinator());
    }
}
