package dev.tacit.partitioned.coordinator;

import dev.tacit.partitioned.message.Message;
import java.util.List;
import java.util.Optional;

/** What stands in for the sum of a party that does not answer: its last factor, or nothing. */
@FunctionalInterface
public interface StandIn {
    /** Nothing: the sum is that of the other parties. */
    StandIn NONE = (past, now) -> Optional.empty();

    /** What a party was asked and answered. */
    record Exchange(Message.SumRequest request, Message.SumReply reply) {}

    /** The sum that the party's earlier answers foretell for a request. */
    Optional<double[]> sum(List<Exchange> past, Message.SumRequest now);
}
