package dev.tacit.federated.transport;

import dev.tacit.federated.keys.Authority;
import dev.tacit.federated.keys.CertificateRequest;
import dev.tacit.federated.keys.KeyFolder;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** Keys of a coordinator on this machine, and of whoever is named, all signed by one authority. */
final class TlsKeys {
    private final Path folder;
    private final Authority authority;

    TlsKeys(Path folder) {
        this.folder = folder;
        authority = Authority.create(folder.resolve("keys"), "test", List.of("localhost"), Instant.now());
    }

    TlsFiles coordinator() {
        return authority.coordinator().tlsFiles();
    }

    TlsFiles of(String name) {
        KeyFolder keys = KeyFolder.create(folder.resolve(name), name);
        authority.sign(CertificateRequest.read(keys.request()), keys.certificate(), Instant.now());
        return keys.tlsFiles();
    }
}
