package dev.tacit.federated.run;

import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.transport.MailboxUnavailable;
import dev.tacit.federated.transport.PostOffice;
import dev.tacit.fit.federation.Federation;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;

/**
 * A post office whose certificate runs out while a study waits: people are told a week before and when it has, each once.
 *
 * <p>The certificate is the one that was there when the program started, because that is shown to parties until it ends.
 */
final class CertificateWatch implements PostOffice {
    private static final Duration BEFORE = Duration.ofDays(7);

    /** What was said of it. */
    private enum Said {
        NOTHING,
        ENDS_SOON,
        IS_OVER
    }

    private final PostOffice office;
    private final Path certificate;
    private final Instant end;
    private final Clock clock;
    private final Federation.Progress progress;
    private Said said = Said.NOTHING;

    private CertificateWatch(
            PostOffice office, Path certificate, Instant end, Clock clock, Federation.Progress progress) {
        this.office = office;
        this.certificate = certificate;
        this.end = end;
        this.clock = clock;
        this.progress = progress;
    }

    /** Looks at the clock at once, and whenever messages are collected. */
    static PostOffice over(
            PostOffice office, Path certificate, Instant end, Clock clock, Federation.Progress progress) {
        CertificateWatch watch = new CertificateWatch(office, certificate, end, clock, progress);
        watch.look();
        return watch;
    }

    private void look() {
        Instant now = clock.instant();
        Said due = now.isAfter(end) ? Said.IS_OVER : now.isAfter(end.minus(BEFORE)) ? Said.ENDS_SOON : Said.NOTHING;
        if (due.compareTo(said) > 0) {
            said = due;
            progress.says("The certificate in " + certificate + (due == Said.IS_OVER ? " ran out on " : " runs out on ")
                    + end.atZone(ZoneOffset.UTC).toLocalDate()
                    + (due == Said.IS_OVER ? ", and no party can connect any more" : ", and no party can connect then")
                    + "; renew it with tacit keys renew, then stop this program and start it again: nothing is lost.");
        }
    }

    @Override
    public void post(String party, Envelope envelope) throws MailboxUnavailable {
        office.post(party, envelope);
    }

    @Override
    public List<byte[]> collect(Duration patience) throws MailboxUnavailable {
        look();
        return office.collect(patience);
    }

    @Override
    public void close() {
        office.close();
    }
}
