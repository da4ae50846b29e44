/** Certificates for TLS and identities for messages, as files that people can make, sign, compare and renew. */
package dev.tacit.federated.keys;
