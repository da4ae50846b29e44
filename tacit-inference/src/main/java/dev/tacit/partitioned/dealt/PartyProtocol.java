package dev.tacit.partitioned.dealt;

import dev.tacit.door.session.ReleasePlan;
import dev.tacit.partitioned.shard.PartyRule;
import java.util.List;

/** What a kernel across parties says about itself in reports. */
public interface PartyProtocol {
    /** Who is where. */
    PartyRule rule();

    /** Whether single sums of parties stay with an aggregator that all of them trust. */
    boolean aggregator();

    /** Whether the posterior's intervals count the privacy noise. */
    boolean noiseCounted();

    /** What each party is sent and sends, given the kernel's plan. */
    List<Exchange> exchanges(ReleasePlan plan);

    /**
     * Equal messages of a party.
     *
     * @param label what it sends
     * @param times how often
     * @param numbersDown how many numbers it is sent each time
     * @param numbersUp how many it sends
     */
    record Exchange(String label, long times, long numbersDown, long numbersUp) {}
}
