package dev.tacit.federated.protocol;

import dev.tacit.federated.transport.TlsFiles;
import dev.tacit.noise.SecretBytes;
import dev.tacit.noise.SecureNoise;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** An authority and certificates of its own, as PEM files. */
final class TestCertificates {
    private final Path folder;
    private final KeyPair authority;

    TestCertificates(Path folder) throws GeneralSecurityException, IOException, OperatorCreationException {
        this.folder = Files.createDirectories(folder);
        authority = pair();
        write("ca.pem", certificate("study", authority.getPublic(), true));
    }

    /** The files of somebody, certified for this machine. */
    TlsFiles of(String name) throws GeneralSecurityException, IOException, OperatorCreationException {
        KeyPair own = pair();
        write(name + ".pem", certificate(name, own.getPublic(), false));
        write(name + ".key", new JcaPKCS8Generator(own.getPrivate(), null));
        return new TlsFiles(folder.resolve("ca.pem"), folder.resolve(name + ".pem"), folder.resolve(name + ".key"));
    }

    private void write(String name, Object object) throws IOException {
        try (JcaPEMWriter writer = new JcaPEMWriter(Files.newBufferedWriter(folder.resolve(name)))) {
            writer.writeObject(object);
        }
    }

    private static KeyPair pair() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(256, SecretBytes.asRandom(SecureNoise.create()));
        return generator.generateKeyPair();
    }

    private X509Certificate certificate(String name, PublicKey key, boolean isAuthority)
            throws GeneralSecurityException, IOException, OperatorCreationException {
        PrivateKey by = authority.getPrivate();
        Instant now = Instant.now();
        JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                new X500Name("CN=study"),
                new BigInteger(1, SecretBytes.draw(SecureNoise.create(), 15)),
                Date.from(now.minus(Duration.ofHours(1))),
                Date.from(now.plus(Duration.ofDays(1))),
                new X500Name("CN=" + name),
                key);
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(isAuthority));
        if (!isAuthority) {
            builder.addExtension(
                    Extension.subjectAlternativeName,
                    false,
                    new GeneralNames(new GeneralName(GeneralName.dNSName, "localhost")));
        }
        return new JcaX509CertificateConverter()
                .getCertificate(builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(by)));
    }
}
