package dev.tacit.federated.keys;

import dev.tacit.federated.crypto.ContentHash;
import dev.tacit.federated.crypto.Identity;
import dev.tacit.federated.study.FingerprintWords;
import dev.tacit.federated.study.StudyException;
import dev.tacit.federated.study.StudyMember;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.util.Arrays;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCSException;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/**
 * What a party hands to whoever has the authority: a request for a certificate (PKCS #10), and its identity, which has signed the
 * request. Nothing of it is secret.
 *
 * @param name of the party
 * @param tlsKey that the certificate is for
 * @param identity its public Ed25519 key
 * @param sealing its public X25519 key
 * @param request in DER
 * @param signature of the request by the identity
 */
public record CertificateRequest(
        String name, PublicKey tlsKey, byte[] identity, byte[] sealing, byte[] request, byte[] signature) {
    private static final byte[] DOMAIN = "tacit certificate request 1".getBytes(StandardCharsets.US_ASCII);
    private static final int KEY = 32;

    static CertificateRequest make(String name, KeyPair pair, Identity identity, byte[] sealing) {
        try {
            byte[] request = new JcaPKCS10CertificationRequestBuilder(new X500Principal("CN=" + name), pair.getPublic())
                    .build(new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate()))
                    .getEncoded();
            return new CertificateRequest(
                    name,
                    pair.getPublic(),
                    identity.publicKey(),
                    sealing,
                    request,
                    identity.sign(signed(request, sealing)));
        } catch (OperatorCreationException | IOException e) {
            throw new IllegalStateException("a request could not be signed", e);
        }
    }

    private static byte[] signed(byte[] request, byte[] sealing) {
        return ByteBuffer.allocate(DOMAIN.length + sealing.length + request.length)
                .put(DOMAIN)
                .put(sealing)
                .put(request)
                .array();
    }

    /** The identity as eight words. */
    public String words() {
        return FingerprintWords.of(ContentHash.of("identity", identity, sealing));
    }

    void write(Path file) {
        byte[] keys = ByteBuffer.allocate(2 * KEY + signature.length)
                .put(identity)
                .put(sealing)
                .put(signature)
                .array();
        Pem.write(file, List.of(new Pem(Pem.REQUEST, request), new Pem(Pem.IDENTITY, keys)));
    }

    /** Reads a request; both keys must have signed it. */
    public static CertificateRequest read(Path file) {
        byte[] request = Pem.read(file, Pem.REQUEST);
        byte[] keys = Pem.read(file, Pem.IDENTITY);
        if (keys.length != 2 * KEY + Identity.SIGNATURE_BYTES) {
            throw new StudyException(file + " is not a request that keys party made");
        }
        byte[] identity = Arrays.copyOf(keys, KEY);
        byte[] sealing = Arrays.copyOfRange(keys, KEY, 2 * KEY);
        byte[] signature = Arrays.copyOfRange(keys, 2 * KEY, keys.length);
        try {
            JcaPKCS10CertificationRequest parsed = new JcaPKCS10CertificationRequest(request);
            PublicKey key = parsed.getPublicKey();
            boolean whole = parsed.isSignatureValid(new JcaContentVerifierProviderBuilder().build(key))
                    && Identity.verify(identity, signed(request, sealing), signature);
            if (!whole) {
                throw new StudyException(file + " was changed since it was made: its signatures do not fit");
            }
            String name = parsed.getSubject()
                    .getRDNs(BCStyle.CN)[0]
                    .getFirst()
                    .getValue()
                    .toString();
            StudyMember.requireName(name);
            return new CertificateRequest(name, key, identity, sealing, request, signature);
        } catch (IOException
                | GeneralSecurityException
                | OperatorCreationException
                | PKCSException
                | IndexOutOfBoundsException e) {
            throw new StudyException(file + " is not a request that keys party made", e);
        }
    }
}
