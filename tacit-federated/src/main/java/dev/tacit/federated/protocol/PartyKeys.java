package dev.tacit.federated.protocol;

import dev.tacit.federated.crypto.Identity;
import dev.tacit.federated.crypto.SealedBox;

/**
 * The private keys that a party has for a study.
 *
 * @param identity by which it signs
 * @param box by which shares are sealed for it
 */
public record PartyKeys(Identity identity, SealedBox box) {}
