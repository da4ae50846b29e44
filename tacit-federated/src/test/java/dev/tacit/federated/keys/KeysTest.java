package dev.tacit.federated.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.federated.study.StudyException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeysTest {
    private static final Instant NOW = Instant.parse("2026-11-18T00:00:00Z");

    @TempDir
    Path folder;

    private Authority authority;
    private KeyFolder north;

    @BeforeEach
    void make() {
        authority = Authority.create(folder.resolve("keys"), "a study", List.of("localhost", "127.0.0.1"), NOW);
        north = KeyFolder.create(folder.resolve("north"), "north");
    }

    @Test
    void privateKeysAreForTheirOwnerOnly() throws IOException {
        for (String name : List.of("tls.key", "identity.key", "sealing.key")) {
            assertThat(PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(north.path().resolve(name))))
                    .as(name)
                    .isEqualTo("rw-------");
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(authority.key())))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(north.path())))
                .isEqualTo("rwx------");
    }

    @Test
    void aSignedCertificateNamesThePartyForNinetyDays() throws GeneralSecurityException {
        CertificateRequest request = CertificateRequest.read(north.request());
        X509Certificate signed = authority.sign(request, north.certificate(), NOW);
        List<X509Certificate> chain = KeyFolder.certificates(north.certificate());
        assertThat(chain).hasSize(2);
        signed.verify(chain.get(1).getPublicKey());
        signed.checkValidity(Date.from(NOW.plus(Duration.ofDays(89))));
        assertThatThrownBy(() -> signed.checkValidity(Date.from(NOW.plus(Duration.ofDays(91)))))
                .isInstanceOf(GeneralSecurityException.class);
        assertThat(signed.getSubjectX500Principal().getName()).isEqualTo("CN=north");
        assertThat(request.identity()).isEqualTo(north.identity().publicKey());
        assertThat(request.sealing()).isEqualTo(north.sealing().publicKey());
        assertThat(north.tlsFiles().authority()).exists();
    }

    /** A renewed request is for the same keys, so that no study has to change. */
    @Test
    void renewalKeepsKeysAndWords() {
        CertificateRequest before = CertificateRequest.read(north.request());
        CertificateRequest after = north.renew();
        assertThat(after.words()).isEqualTo(before.words());
        assertThat(after.identity()).isEqualTo(before.identity());
        assertThat(after.tlsKey()).isEqualTo(before.tlsKey());
        authority.sign(CertificateRequest.read(north.request()), north.certificate(), NOW);
    }

    /** Somebody between the party and the authority cannot put in keys of its own. */
    @Test
    void aRequestWithForeignKeysIsRefused() throws IOException {
        KeyFolder thief = KeyFolder.create(folder.resolve("thief"), "north");
        String own = Files.readString(north.request());
        String other = Files.readString(thief.request());
        String mark = "-----BEGIN TACIT IDENTITY-----";
        Files.writeString(north.request(), own.substring(0, own.indexOf(mark)) + other.substring(other.indexOf(mark)));
        assertThatThrownBy(() -> CertificateRequest.read(north.request()))
                .isInstanceOf(StudyException.class)
                .hasMessageContaining("signatures do not fit");
    }

    /** Nothing of what a connection needs is made of a file that holds no certificate, and nothing is written that is there. */
    @Test
    void whatIsNoCertificateIsRefusedInASentence() throws IOException {
        authority.sign(CertificateRequest.read(north.request()), north.certificate(), NOW);
        Path trusted = north.tlsFiles().authority();
        byte[] before = Files.readAllBytes(trusted);
        Files.setLastModifiedTime(trusted, FileTime.from(NOW));
        north.tlsFiles();
        assertThat(Files.getLastModifiedTime(trusted)).isEqualTo(FileTime.from(NOW));
        Files.writeString(trusted, "somebody else's");
        north.tlsFiles();
        assertThat(Files.readAllBytes(trusted)).isEqualTo(before);
        Files.writeString(north.certificate(), "");
        assertThatThrownBy(north::tlsFiles)
                .isInstanceOf(StudyException.class)
                .hasMessage(north.certificate() + " holds no certificate");
    }

    /** What cannot be made leaves no folder that would be in the way. */
    @Test
    void aHostThatIsNoneLeavesNoAuthority() {
        Path again = folder.resolve("again");
        assertThatThrownBy(() -> Authority.create(again, "a study", List.of("localhost", "300.1.1.1"), NOW))
                .isInstanceOf(StudyException.class)
                .hasMessageContaining("300.1.1.1");
        assertThat(again).doesNotExist();
        Authority.create(again, "a study", List.of("localhost"), NOW);
    }

    @Test
    void whatIsNoKeyIsRefusedInASentence() throws IOException {
        assertThatThrownBy(() -> KeyFolder.create(north.path(), "north")).hasMessageContaining("holds keys already");
        assertThatThrownBy(() -> KeyFolder.create(folder.resolve("x"), "No Name"))
                .isInstanceOf(StudyException.class);
        assertThatThrownBy(() -> north.tlsFiles()).hasMessageContaining("keys sign");
        assertThatThrownBy(() -> authority.sign(
                        CertificateRequest.read(authority.coordinator().request()), folder.resolve("c.pem"), NOW))
                .hasMessageContaining("not called coordinator");
        Files.writeString(north.request(), "nothing");
        assertThatThrownBy(() -> CertificateRequest.read(north.request())).isInstanceOf(StudyException.class);
        Files.writeString(north.path().resolve("identity.key"), Files.readString(north.tlsKey()));
        assertThatThrownBy(north::identity).isInstanceOf(StudyException.class);
    }
}
