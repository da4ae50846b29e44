package dev.tacit.federated.message;

import dev.tacit.federated.crypto.ContentHash;
import dev.tacit.federated.crypto.SecretShares;
import dev.tacit.federated.noise.NoiseLayers;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * What the protocol needs of an approved study; all of it is public and is bound into every signature and every key.
 *
 * <pre>
 *   M parties, T of whom may work together with the coordinator, d of whom may be missing in a round
 *   threshold t = ⌊(M + T)/2⌋ + 1 ≤ M − d,   that is 2d + T &lt; M
 * </pre>
 *
 * Two openings of one round would need t parties each; honest ones agree once and T twice, and 2t &gt; M + T forbids it.
 *
 * @param studyHash of the whole study as people approved it
 * @param coordinatorKey public identity key of the coordinator
 * @param parties the roster; a party is called by its place in it
 * @param colluders T
 * @param dropouts d
 * @param layered whether noise for absences that do not happen is taken off again
 * @param rounds how many rounds there are at most
 * @param mostNumbers how many numbers a sum has at most
 */
public record StudyTerms(
        byte[] studyHash,
        byte[] coordinatorKey,
        List<StudyParty> parties,
        int colluders,
        int dropouts,
        boolean layered,
        int rounds,
        int mostNumbers) {
    private static final long PARTY_ROOM = 1 << 20;
    private static final long COORDINATOR_ROOM = 1 << 26;

    public StudyTerms {
        studyHash = studyHash.clone();
        coordinatorKey = coordinatorKey.clone();
        parties = List.copyOf(parties);
        requireShape(parties.size(), colluders, dropouts);
        if (parties.stream().map(StudyParty::name).distinct().count() != parties.size()) {
            throw new IllegalArgumentException("two parties of the study have the same name");
        }
        if (rounds < 1 || mostNumbers < 1) {
            throw new IllegalArgumentException("a study has at least one round of at least one number");
        }
        Objects.requireNonNull(coordinatorKey, "coordinatorKey");
    }

    /** Refuses numbers of parties, colluders and absences for which the protocol promises nothing. */
    public static void requireShape(int parties, int colluders, int dropouts) {
        if (parties < 2 || parties > SecretShares.MOST_HOLDERS) {
            throw new IllegalArgumentException(
                    "masked sums are for 2 to " + SecretShares.MOST_HOLDERS + " parties, and the study has " + parties);
        }
        if (colluders < 0 || dropouts < 0 || 2L * dropouts + colluders >= parties) {
            throw new IllegalArgumentException("of " + parties + " parties " + dropouts + " cannot be missing while "
                    + colluders + " may work together with the coordinator; twice the first and once the second"
                    + " must be less than the number of parties");
        }
        if (parties - colluders - dropouts < 2) {
            throw new IllegalArgumentException("of " + parties + " parties only "
                    + (parties - colluders - dropouts)
                    + " would be left whose noise counts, and behind masks there must be two");
        }
    }

    /** M. */
    public int size() {
        return parties.size();
    }

    /** t: how many must agree to open a round, and how many shares put a seed together. */
    public int threshold() {
        return (size() + colluders) / 2 + 1;
    }

    /** M − d: how many must take part, and be in the sum, at least. */
    public int least() {
        return size() - dropouts;
    }

    /** How many removable layers of noise every party adds. */
    public int layers() {
        return layered ? dropouts : 0;
    }

    /** How the variance of the noise is cut into layers. */
    public NoiseLayers noiseLayers() {
        return new NoiseLayers(size() - colluders, layered ? 0 : dropouts, layers());
    }

    /** The hash of all of this: what every envelope names. */
    public byte[] binding() {
        ByteArrayOutputStream roster = new ByteArrayOutputStream();
        for (StudyParty party : parties) {
            byte[] name = party.name().getBytes(StandardCharsets.UTF_8);
            roster.writeBytes(ContentHash.number(name.length));
            roster.writeBytes(name);
            roster.writeBytes(party.identityKey());
            roster.writeBytes(party.sealingKey());
        }
        return ContentHash.of(
                "study",
                studyHash,
                coordinatorKey,
                roster.toByteArray(),
                ContentHash.number(colluders),
                ContentHash.number(dropouts),
                ContentHash.number(layers()),
                ContentHash.number(rounds),
                ContentHash.number(mostNumbers));
    }

    /** A longer message of a party is refused before it is read: it holds one sum, in decimal digits at most, and shares for all others. */
    public int mostBytesOfAParty() {
        return length(PARTY_ROOM + 32L * mostNumbers);
    }

    /**
     * A longer message of the coordinator is refused before it is read: it holds the state of a method, which is up to eight numbers for
     * each one of a sum and, for methods that keep their past, all sums so far, in decimal digits.
     */
    public int mostBytesOfTheCoordinator() {
        return length(COORDINATOR_ROOM + (128L + 32L * rounds) * mostNumbers);
    }

    private static int length(long bytes) {
        return (int) Math.min(Integer.MAX_VALUE - 64, bytes);
    }
}
