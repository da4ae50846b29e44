package dev.tacit.federated.factor;

import dev.tacit.partitioned.message.Message;
import java.util.Optional;

/** A party's records as the machine asks them: through a door, a ledger and a state that survives crashes. */
public interface ChangeSource {
    /** Why an approximation is not one that the party works with, from public numbers; nothing is released for it. */
    Optional<String> refusal(Message.GlobalState request);

    /** The answer to an approximation; the same again for the newest one, without another release. */
    Message answer(Message.GlobalState request);

    /** The newest round that was answered; -1 if none was. */
    int newestAnswered();

    /** The hash of the newest line of the ledger, in hexadecimal digits. */
    String ledgerHead();

    /** Whether the ledger has a line of that hash. */
    boolean knowsLedgerHead(String head);
}
