package dev.tacit.federated.keys;

import dev.tacit.federated.crypto.Identity;
import dev.tacit.federated.crypto.SealedBox;
import dev.tacit.federated.study.StudyException;
import dev.tacit.federated.study.StudyMember;
import dev.tacit.federated.transport.TlsFiles;
import dev.tacit.file.DurableFile;
import dev.tacit.noise.SecureNoise;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;
import java.util.Optional;

/**
 * The keys of one party, or of the coordinator, in a folder of its own.
 *
 * <pre>
 *   tls.key        private P-256 key of the certificate           identity.key   private Ed25519 key of messages     owner only
 *   sealing.key    private X25519 key of sealed shares            owner only
 *   request.pem    what whoever has the authority signs           certificate.pem    the certificate, then the authority's
 * </pre>
 *
 * Private keys are made here and never leave. TLS is the outer coat only: what is promised rests on identities, which the study names.
 */
public record KeyFolder(Path path) {
    /** Makes both keys, and the request for a certificate. */
    public static KeyFolder create(Path path, String name) {
        StudyMember.requireName(name);
        KeyFolder folder = new KeyFolder(path);
        folder.requireNew();
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair pair = generator.generateKeyPair();
            Pem.writeSecret(
                    folder.tlsKey(), new Pem(Pem.PRIVATE_KEY, pair.getPrivate().getEncoded()));
            Identity identity = Identity.fresh(SecureNoise.create());
            SecretKeyFile.write(identity, folder.identityFile());
            SealedBox sealing = SealedBox.fresh(SecureNoise.create());
            SecretKeyFile.write(sealing, folder.sealingFile());
            CertificateRequest.make(name, pair, identity, sealing.publicKey()).write(folder.request());
            return folder;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no P-256 keys", e);
        }
    }

    private void requireNew() {
        try {
            if (Files.exists(path)) {
                if (Files.exists(tlsKey()) || Files.exists(identityFile())) {
                    throw new StudyException(path + " holds keys already; renew them, or name another folder");
                }
            } else {
                DurableFile.createOwnerFolder(path);
            }
        } catch (IOException e) {
            throw new StudyException("cannot create " + path + "; check that its parent folder is there", e);
        }
    }

    /** Makes the request again, for the same keys: a certificate that runs out is replaced, and no study has to change. */
    public CertificateRequest renew() {
        CertificateRequest before = CertificateRequest.read(request());
        CertificateRequest again = CertificateRequest.make(
                before.name(), new KeyPair(before.tlsKey(), tlsPrivateKey()), identity(), before.sealing());
        again.write(request());
        return again;
    }

    public Path tlsKey() {
        return path.resolve("tls.key");
    }

    Path identityFile() {
        return path.resolve("identity.key");
    }

    private Path sealingFile() {
        return path.resolve("sealing.key");
    }

    public Path request() {
        return path.resolve("request.pem");
    }

    /** The certificate, then that of the authority. */
    public Path certificate() {
        return path.resolve("certificate.pem");
    }

    /** The key of messages. */
    public Identity identity() {
        return SecretKeyFile.identity(identityFile());
    }

    /** The key that what is sent to its owner alone is sealed for. */
    public SealedBox sealing() {
        return SecretKeyFile.sealing(sealingFile());
    }

    /** Whose keys these are. */
    public String name() {
        return CertificateRequest.read(request()).name();
    }

    PrivateKey tlsPrivateKey() {
        try {
            return KeyFactory.getInstance("EC")
                    .generatePrivate(new PKCS8EncodedKeySpec(Pem.read(tlsKey(), Pem.PRIVATE_KEY)));
        } catch (GeneralSecurityException e) {
            throw new StudyException(tlsKey() + " is not a private P-256 key", e);
        }
    }

    /** The certificate, if it was signed. */
    public Optional<X509Certificate> ownCertificate() {
        return Files.exists(certificate())
                ? Optional.of(certificates(certificate()).get(0))
                : Optional.empty();
    }

    /** What this end of a connection shows and trusts; the authority is the one that signed the certificate. */
    public TlsFiles tlsFiles() {
        if (!Files.exists(certificate())) {
            throw new StudyException(
                    path + " has no certificate.pem; let whoever has the authority sign " + request() + " (keys sign)");
        }
        certificates(certificate());
        List<Pem> chain = Pem.read(certificate());
        Pem issuer = chain.get(chain.size() - 1);
        Path authority = path.resolve("authority.pem");
        if (!Files.exists(authority) || !Pem.isWritten(authority, issuer)) {
            Pem.write(authority, List.of(issuer));
        }
        return new TlsFiles(authority, certificate(), tlsKey());
    }

    static List<X509Certificate> certificates(Path file) {
        List<X509Certificate> chain = Pem.read(file).stream()
                .filter(block -> block.label().equals(Pem.CERTIFICATE))
                .map(block -> certificate(block.bytes(), file))
                .toList();
        if (chain.isEmpty()) {
            throw new StudyException(file + " holds no certificate");
        }
        return chain;
    }

    private static X509Certificate certificate(byte[] bytes, Path file) {
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(bytes));
        } catch (GeneralSecurityException e) {
            throw new StudyException(file + " holds a certificate that cannot be read", e);
        }
    }
}
