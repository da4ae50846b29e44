package dev.tacit.federated.keys;

import dev.tacit.federated.study.StudyException;
import dev.tacit.federated.study.StudyMember;
import dev.tacit.file.DurableFile;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Who signs the certificates of a study: a P-256 authority of its own, made for the study and good for nothing else.
 *
 * <pre>
 *   authority.key   owner only      authority.pem   for everybody      coordinator/   the coordinator's own keys
 * </pre>
 *
 * A certificate of a party says its name and lasts 90 days. Whoever has the authority can let anybody talk to the coordinator, and can do
 * nothing more: messages are signed by the identities that the study names.
 *
 * @param path the folder
 */
public record Authority(Path path) {
    private static final Duration LIFE_OF_A_CERTIFICATE = Duration.ofDays(90);
    private static final Duration LIFE = Duration.ofDays(5 * 365);

    /** Clocks of parties may be behind. */
    private static final Duration EARLIER = Duration.ofHours(24);

    /** Makes the authority, and the coordinator's keys for the names under which parties reach it. */
    public static Authority create(Path path, String study, List<String> hosts, Instant now) {
        Authority authority = new Authority(path);
        hosts.forEach(Authority::host);
        if (Files.exists(authority.key())) {
            throw new StudyException(path + " holds an authority already; name another folder");
        }
        try {
            if (!Files.exists(path)) {
                DurableFile.createOwnerFolder(path);
            }
        } catch (IOException e) {
            throw new StudyException("cannot create " + path + "; check that its parent folder is there", e);
        }
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair pair = generator.generateKeyPair();
            X500Principal subject = new X500Principal("CN=Tacit study " + study.replaceAll("[^A-Za-z0-9 -]", " "));
            JcaX509v3CertificateBuilder builder =
                    builder(subject, subject, pair.getPublic(), now, LIFE, BigInteger.valueOf(now.toEpochMilli()));
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
            X509Certificate certificate = sign(builder, pair.getPrivate());
            Pem.writeSecret(
                    authority.key(), new Pem(Pem.PRIVATE_KEY, pair.getPrivate().getEncoded()));
            Pem.write(authority.certificate(), List.of(new Pem(Pem.CERTIFICATE, certificate.getEncoded())));
        } catch (GeneralSecurityException | CertIOException | OperatorCreationException e) {
            throw new IllegalStateException("an authority could not be made", e);
        }
        KeyFolder.create(authority.coordinator().path(), StudyMember.COORDINATOR);
        authority.signCoordinator(hosts, now);
        return authority;
    }

    public Path key() {
        return path.resolve("authority.key");
    }

    public Path certificate() {
        return path.resolve("authority.pem");
    }

    /** The coordinator's own keys. */
    public KeyFolder coordinator() {
        return new KeyFolder(path.resolve(StudyMember.COORDINATOR));
    }

    /** Signs the coordinator's certificate anew. */
    public X509Certificate signCoordinator(List<String> hosts, Instant now) {
        CertificateRequest request = CertificateRequest.read(coordinator().request());
        return sign(request, hosts, coordinator().certificate(), now);
    }

    /** Signs a party's request and writes the certificate, with the authority's, to a file. */
    public X509Certificate sign(CertificateRequest request, Path into, Instant now) {
        StudyMember.requirePartyName(request.name());
        return sign(request, List.of(), into, now);
    }

    private X509Certificate sign(CertificateRequest request, List<String> hosts, Path into, Instant now) {
        X509Certificate issuer = KeyFolder.certificates(certificate()).get(0);
        try {
            byte[] digest = java.security.MessageDigest.getInstance("SHA-256").digest(request.request());
            BigInteger serial = new BigInteger(1, java.util.Arrays.copyOf(digest, 8))
                    .shiftLeft(Long.SIZE)
                    .add(BigInteger.valueOf(now.toEpochMilli()));
            JcaX509v3CertificateBuilder builder = builder(
                    issuer.getSubjectX500Principal(),
                    new X500Principal("CN=" + request.name()),
                    request.tlsKey(),
                    now,
                    LIFE_OF_A_CERTIFICATE,
                    serial);
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
            boolean server = !hosts.isEmpty();
            builder.addExtension(
                    Extension.extendedKeyUsage,
                    false,
                    new ExtendedKeyUsage(server ? KeyPurposeId.id_kp_serverAuth : KeyPurposeId.id_kp_clientAuth));
            if (server) {
                builder.addExtension(
                        Extension.subjectAlternativeName,
                        false,
                        new GeneralNames(hosts.stream().map(Authority::host).toArray(GeneralName[]::new)));
            }
            X509Certificate certificate = sign(builder, privateKey());
            Pem.write(
                    into,
                    List.of(
                            new Pem(Pem.CERTIFICATE, certificate.getEncoded()),
                            new Pem(Pem.CERTIFICATE, issuer.getEncoded())));
            return certificate;
        } catch (GeneralSecurityException | CertIOException | OperatorCreationException e) {
            throw new StudyException("cannot sign with the authority in " + path, e);
        }
    }

    private static GeneralName host(String name) {
        boolean address = name.matches("[0-9.]+") || name.contains(":");
        try {
            return new GeneralName(address ? GeneralName.iPAddress : GeneralName.dNSName, name);
        } catch (IllegalArgumentException e) {
            throw new StudyException("\"" + name + "\" is no name or address of a machine", e);
        }
    }

    private static JcaX509v3CertificateBuilder builder(
            X500Principal issuer, X500Principal subject, PublicKey key, Instant now, Duration life, BigInteger serial) {
        return new JcaX509v3CertificateBuilder(
                issuer, serial, Date.from(now.minus(EARLIER)), Date.from(now.plus(life)), subject, key);
    }

    private static X509Certificate sign(JcaX509v3CertificateBuilder builder, PrivateKey key)
            throws OperatorCreationException, CertificateException {
        return new JcaX509CertificateConverter()
                .getCertificate(builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(key)));
    }

    private PrivateKey privateKey() throws GeneralSecurityException {
        return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(Pem.read(key(), Pem.PRIVATE_KEY)));
    }
}
