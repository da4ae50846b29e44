package dev.tacit.federated.store;

import java.util.Optional;

/** Secrets by name: kept durably where their owner only can read them, and erased when they have done their work. */
public interface Secrets {
    /** Keeps a secret in place of one of the same name; when this returns, it survives a crash. */
    void keep(String name, byte[] secret);

    /** A secret that was kept and not erased. */
    Optional<byte[]> read(String name);

    /** Forgets a secret; nothing happens if there is none. */
    void erase(String name);
}
