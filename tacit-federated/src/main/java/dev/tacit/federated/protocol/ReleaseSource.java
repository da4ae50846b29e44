package dev.tacit.federated.protocol;

import dev.tacit.noise.NoiseLayer;
import java.util.List;
import java.util.Optional;

/**
 * What a party's machine asks of its door.
 *
 * <p>The order inside {@link #release} is the door's: sum, noise, sealed on the disk, told to the ledger, out. Asked again after a crash it
 * hands out the same integers; it never draws a second time for one index.
 */
public interface ReleaseSource {
    /** Why a request is not answered, in a sentence; empty if it is. Nothing is summed, drawn or charged here. */
    Optional<String> refusal(int round, byte[] request);

    /**
     * The noisy sum that a request asks for, as integers on the common grid.
     *
     * @param index how many releases this party has made or lost before, over all rounds
     * @param layers removable noise, which is added beside that of the door
     * @return empty if the ledger knows of the release and its value is gone
     */
    Optional<long[]> release(int index, int round, byte[] request, List<NoiseLayer> layers);

    /** How many releases of this run the ledger knows of, or the door has given up. */
    long released();

    /**
     * An agreement is on the disk and about to be sent, and nobody may agree to two: whoever puts a copy of the party's folder back that was
     * made before cannot go on with it.
     *
     * @param rounds up to the one that is agreed about, which is kept beside the ledger
     */
    void outdateCopies(int rounds);

    /** What was kept so last; 0 if nothing was. */
    int agreedRounds();

    /** Says that a release is durable under its masks, so that the door may forget it. */
    void kept(int index);

    /** The newest line of the ledger that this run is charged to, as a hash of 32 bytes. */
    byte[] ledgerHead();

    /** Whether the ledger has a line with that hash; false means that somebody put an older copy in its place. */
    boolean knowsLedgerHead(byte[] head);
}
