package dev.tacit.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.BudgetExhausted;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.Collections;

/**
 * A process that charges a ledger and says on its standard output what it "released"; the tests of this package start
 * it, kill it and race it against itself.
 */
final class LedgerWriter {
    private LedgerWriter() {}

    /** What the process does: {@code args} are the mode, the ledger and a prefix for labels. */
    enum Mode {
        /** Charges, then says that it released; for ever. */
        CHARGE_FIRST,
        /** The sabotaged twin: says that it released, then charges; for ever. */
        RELEASE_FIRST,
        /** For every ledger named on its standard input, tries one charge and says whether it won. */
        RACE,
        /** Charges until the ledger is unavailable, and says why. */
        UNTIL_FULL
    }

    public static void main(String[] args) throws Exception {
        try (FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
            switch (Mode.valueOf(args[0])) {
                case CHARGE_FIRST -> chargeFirst(Path.of(args[1]), args[2], out);
                case RELEASE_FIRST -> releaseFirst(Path.of(args[1]), args[2], out);
                case RACE -> race(args[2], out);
                case UNTIL_FULL -> untilFull(Path.of(args[1]), args[2], out);
            }
        }
    }

    /** Events of all sizes, so that some lines cross a page of the file system and can be torn by a kill. */
    private static PrivacyEvent event(int number) {
        PrivacyEvent step = PrivacyEvent.gaussian(1000 + number).times(1 + number);
        return new PrivacyEvent.Sequence(Collections.nCopies(number % 6 == 5 ? 70 : 1, step));
    }

    private static void chargeFirst(Path file, String prefix, FileOutputStream out) throws Exception {
        FileLedger ledger = FileLedger.open(file, LedgerFixtures.ACCOUNTING);
        say(out, "ready");
        for (int i = 0; ; i++) {
            ledger.charge(prefix + "-" + i, event(i));
            say(out, prefix + "-" + i);
        }
    }

    private static void releaseFirst(Path file, String prefix, FileOutputStream out) throws Exception {
        FileLedger ledger = FileLedger.open(file, LedgerFixtures.ACCOUNTING);
        say(out, "ready");
        for (int i = 0; ; i++) {
            say(out, prefix + "-" + i);
            Thread.sleep(20);
            ledger.charge(prefix + "-" + i, event(i));
        }
    }

    private static void race(String name, FileOutputStream out) throws Exception {
        say(out, "ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String file = in.readLine(); file != null; file = in.readLine()) {
            FileLedger ledger = FileLedger.open(Path.of(file), LedgerFixtures.ACCOUNTING);
            try {
                ledger.charge(name, LedgerFixtures.gaussian(0.6 * LedgerFixtures.rhoLimit(ledger.terms()) / 10));
                say(out, "won");
            } catch (BudgetExhausted e) {
                say(out, "lost");
            }
        }
    }

    private static void untilFull(Path file, String prefix, FileOutputStream out) throws Exception {
        FileLedger ledger = FileLedger.open(file, LedgerFixtures.ACCOUNTING);
        try {
            for (int i = 0; ; i++) {
                ledger.charge(prefix + "-" + i, event(i));
                say(out, prefix + "-" + i);
            }
        } catch (LedgerUnavailable e) {
            say(out, e.getMessage());
        }
    }

    private static void say(FileOutputStream out, String line) throws IOException {
        out.write((line + "\n").getBytes(UTF_8));
    }
}
