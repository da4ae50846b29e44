package dev.tacit.federated.draft;

import dev.tacit.federated.keys.Authority;
import dev.tacit.federated.keys.CertificateRequest;
import dev.tacit.federated.keys.KeyFolder;
import dev.tacit.federated.study.StudyException;
import dev.tacit.federated.study.StudyMember;
import dev.tacit.fit.federation.FederationAnswer;
import dev.tacit.fit.federation.FederationRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes, signs, shows and renews keys. */
public final class KeyWork {
    private static final String HOSTS = "name the machines it is reached as with --host";

    private KeyWork() {}

    public static FederationAnswer init(FederationRequest.KeysInit request, Clock clock) {
        Authority authority = Authority.create(request.out(), request.study(), request.hosts(), clock.instant());
        return shown(
                authority.coordinator(),
                List.of("wrote " + request.out()
                        + ": the authority of the study and the keys of its coordinator, which is reached as "
                        + String.join(", ", request.hosts())));
    }

    public static FederationAnswer party(FederationRequest.KeysParty request) {
        StudyMember.requirePartyName(request.name());
        KeyFolder folder = KeyFolder.create(request.out(), request.name());
        return shown(
                folder,
                List.of("wrote " + request.out() + "; its keys stay here, and " + folder.request()
                        + " goes to whoever has the authority"));
    }

    public static FederationAnswer sign(FederationRequest.KeysSign request, Clock clock) {
        CertificateRequest asked = CertificateRequest.read(request.request());
        Path into = request.out().orElseGet(() -> request.request().resolveSibling("certificate.pem"));
        X509Certificate certificate = new Authority(request.authority()).sign(asked, into, clock.instant());
        List<String> lines = new ArrayList<>();
        lines.add("wrote " + into + " for " + asked.name() + ", until "
                + certificate.getNotAfter().toInstant());
        lines.add("  words      " + asked.words());
        return new FederationAnswer(lines, json(asked, Optional.of(certificate)));
    }

    public static FederationAnswer show(FederationRequest.KeysShow request) {
        Path path = request.path();
        if (!Files.isDirectory(path)) {
            CertificateRequest asked = CertificateRequest.read(path);
            return new FederationAnswer(lines(asked, Optional.empty()), json(asked, Optional.empty()));
        }
        Authority authority = new Authority(path);
        return shown(Files.exists(authority.key()) ? authority.coordinator() : new KeyFolder(path), List.of());
    }

    public static FederationAnswer renew(FederationRequest.KeysRenew request, Clock clock) {
        Authority authority = new Authority(request.folder());
        if (Files.exists(authority.key())) {
            KeyFolder coordinator = authority.coordinator();
            List<String> hosts = request.hosts().isEmpty() ? hosts(coordinator) : request.hosts();
            authority.signCoordinator(hosts, clock.instant());
            return shown(coordinator, List.of("signed the coordinator's certificate anew"));
        }
        KeyFolder folder = new KeyFolder(request.folder());
        folder.renew();
        return shown(
                folder,
                List.of("made " + folder.request()
                        + " anew for the same keys; let whoever has the authority sign it (keys sign)"));
    }

    private static List<String> hosts(KeyFolder coordinator) {
        try {
            Collection<List<?>> names = coordinator
                    .ownCertificate()
                    .orElseThrow(() -> new StudyException("the coordinator's certificate is gone; " + HOSTS))
                    .getSubjectAlternativeNames();
            if (names == null) {
                throw new StudyException("the coordinator's certificate names no machine; " + HOSTS);
            }
            return names.stream().map(name -> name.get(1).toString()).toList();
        } catch (CertificateParsingException e) {
            throw new StudyException("the coordinator's certificate cannot be read; " + HOSTS, e);
        }
    }

    private static FederationAnswer shown(KeyFolder folder, List<String> before) {
        CertificateRequest asked = CertificateRequest.read(folder.request());
        Optional<X509Certificate> certificate = folder.ownCertificate();
        List<String> lines = new ArrayList<>(before);
        lines.addAll(lines(asked, certificate));
        return new FederationAnswer(lines, json(asked, certificate));
    }

    private static List<String> lines(CertificateRequest asked, Optional<X509Certificate> certificate) {
        List<String> lines = new ArrayList<>();
        lines.add(asked.name());
        lines.add("  words      " + asked.words());
        lines.add("  identity   " + HexFormat.of().formatHex(asked.identity()));
        lines.add("  sealing    " + HexFormat.of().formatHex(asked.sealing()));
        certificate.ifPresent(signed ->
                lines.add("  certificate until " + signed.getNotAfter().toInstant()));
        return lines;
    }

    private static Map<String, Object> json(CertificateRequest asked, Optional<X509Certificate> certificate) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", asked.name());
        json.put("words", asked.words());
        json.put("identity", HexFormat.of().formatHex(asked.identity()));
        json.put("sealing", HexFormat.of().formatHex(asked.sealing()));
        certificate.ifPresent(signed ->
                json.put("certificateUntil", signed.getNotAfter().toInstant().toString()));
        return json;
    }
}
