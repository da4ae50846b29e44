/** How envelopes travel: in memory, as files in a folder, or over gRPC with mutual TLS. Nothing here is trusted. */
package dev.tacit.federated.transport;
