package dev.tacit.federated.transport;

import java.nio.file.Path;

/**
 * What one end of a connection shows and trusts, as PEM files.
 *
 * @param authority certificate, or certificates, that the other end's must be signed by
 * @param certificate of this end, with any in between; the common name of a party's certificate is its name in the study
 * @param key private key of the certificate, PKCS #8, not encrypted
 */
public record TlsFiles(Path authority, Path certificate, Path key) {}
