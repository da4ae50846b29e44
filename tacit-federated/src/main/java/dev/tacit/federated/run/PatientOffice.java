package dev.tacit.federated.run;

import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.Outgoing;
import dev.tacit.federated.study.Study;
import dev.tacit.federated.transport.MailboxUnavailable;
import dev.tacit.federated.transport.PostOffice;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A post office that may be away for a while, as a folder on a drive is: people are told, and the study waits.
 *
 * <p>What cannot be posted is left, because everything that parties have not answered is posted again from time to time.
 */
final class PatientOffice {
    private final Study study;
    private final PostOffice office;
    private final RoundWatcher watcher;

    PatientOffice(Study study, PostOffice office, RoundWatcher watcher) {
        this.study = study;
        this.office = office;
        this.watcher = watcher;
    }

    void post(List<Outgoing> messages) {
        try {
            for (Outgoing each : messages) {
                office.post(study.members().get(each.party()).name(), each.envelope());
            }
        } catch (MailboxUnavailable e) {
            watcher.away(e.getMessage());
        }
    }

    /** Posts one message to everybody. */
    void postToAll(Envelope envelope) {
        post(IntStream.range(0, study.parties())
                .mapToObj(party -> new Outgoing(party, envelope))
                .toList());
    }

    /** What parties have put; waits for it up to so long. */
    List<byte[]> collect(Duration time) {
        try {
            return office.collect(time);
        } catch (MailboxUnavailable e) {
            watcher.away(e.getMessage());
            pause(time);
            return List.of();
        }
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
