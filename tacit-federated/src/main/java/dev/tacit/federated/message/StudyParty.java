package dev.tacit.federated.message;

import dev.tacit.federated.crypto.Identity;
import dev.tacit.federated.crypto.SealedBox;

/**
 * A party as the study names it.
 *
 * @param name unique in the study
 * @param identityKey public key of its {@link Identity}
 * @param sealingKey public key of its {@link SealedBox} of this study
 */
public record StudyParty(String name, byte[] identityKey, byte[] sealingKey) {
    public StudyParty {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a party has a name");
        }
        if (identityKey.length != Identity.KEY_BYTES || sealingKey.length != SealedBox.KEY_BYTES) {
            throw new IllegalArgumentException("the keys of party " + name + " do not have 32 bytes each");
        }
        identityKey = identityKey.clone();
        sealingKey = sealingKey.clone();
    }
}
