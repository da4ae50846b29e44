package dev.tacit.federated.study;

import dev.tacit.federated.crypto.SealedBox;
import dev.tacit.federated.message.StudyParty;
import java.util.HexFormat;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A party of a study.
 *
 * @param name which stands in certificates, files and messages
 * @param units how many it declares to have; public
 * @param identity its public Ed25519 key, which every message of it is signed with
 * @param sealing its public X25519 key, which what others send to it alone is sealed for
 */
public record StudyMember(String name, long units, String identity, String sealing) {
    /** The name in the coordinator's certificate, and of its mailbox. */
    public static final String COORDINATOR = "coordinator";

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,30}");
    private static final int KEY_BYTES = 32;

    public StudyMember {
        requirePartyName(name);
        requireKey(identity);
        requireKey(sealing);
        if (!SealedBox.isUsable(HexFormat.of().parseHex(sealing))) {
            throw new StudyException("the sealing key of " + name + " is one for which nothing can be sealed");
        }
        if (units < 1) {
            throw new StudyException("the units of " + name + " are a public number from 1");
        }
    }

    /** A party's name, which is not the coordinator's. */
    public static void requirePartyName(String name) {
        requireName(name);
        if (name.equals(COORDINATOR)) {
            throw new StudyException("a party is not called " + COORDINATOR + "; give it another name");
        }
    }

    /** Names stand in files and in certificates. */
    public static void requireName(String name) {
        if (!NAME.matcher(Objects.requireNonNull(name, "name")).matches()) {
            throw new StudyException(
                    "a party's name is up to 31 small letters, digits and hyphens, and begins with a letter");
        }
    }

    static void requireKey(String key) {
        try {
            byte[] bytes = HexFormat.of().parseHex(key);
            // One way to write a key, so that one identity cannot have two places.
            if (bytes.length == KEY_BYTES && HexFormat.of().formatHex(bytes).equals(key)) {
                return;
            }
        } catch (IllegalArgumentException e) {
            throw new StudyException("a key is 64 hexadecimal digits, as keys show prints it");
        }
        throw new StudyException("a key is 64 hexadecimal digits, as keys show prints it");
    }

    /** As the protocol knows it. */
    StudyParty party() {
        return new StudyParty(
                name, HexFormat.of().parseHex(identity), HexFormat.of().parseHex(sealing));
    }
}
