package dev.tacit.federated.protocol;

import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.Charge;
import dev.tacit.door.ledger.LedgerConflict;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.session.SealedRelease;
import dev.tacit.door.session.SealedReleases;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.federated.crypto.ContentHash;
import dev.tacit.federated.store.Journal;
import dev.tacit.federated.store.Secrets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** What survives a crash: journal, secrets, sealed releases and ledger. A crash can come before, within or after every write. */
final class Disk implements Secrets, SealedReleases {
    static final PrivacyUnit RECORD = new PrivacyUnit("record", 1, Neighbours.ADD_REMOVE);

    private final List<byte[]> entries = new ArrayList<>();
    private final Map<String, byte[]> secrets = new HashMap<>();
    private final TreeMap<Long, SealedRelease> sealed = new TreeMap<>();
    private List<LedgerEntry> lines = List.of();

    /** Beside the ledger. */
    private int agreedRounds;

    /** Indices for which noise was drawn and could have been seen, in order. */
    final List<Long> drawn = new ArrayList<>();

    /** In how many writes a crash comes; never if negative. */
    int fuse = -1;

    /** Whether the write that a crash falls on is there afterwards. */
    boolean after;

    private void write(Runnable write) {
        boolean crash = fuse == 0;
        fuse = Math.max(-1, fuse - 1);
        if (!crash || after) {
            write.run();
        }
        if (crash) {
            throw new Crash();
        }
    }

    @Override
    public void keep(String name, byte[] secret) {
        write(() -> secrets.put(name, secret.clone()));
    }

    @Override
    public Optional<byte[]> read(String name) {
        return Optional.ofNullable(secrets.get(name)).map(byte[]::clone);
    }

    @Override
    public void erase(String name) {
        write(() -> secrets.remove(name));
    }

    @Override
    public OptionalLong firstFrom(long index) {
        Long found = sealed.ceilingKey(index);
        return found == null ? OptionalLong.empty() : OptionalLong.of(found);
    }

    @Override
    public double l2Bound(long index) {
        return sealed.get(index).l2Bound();
    }

    @Override
    public SealedRelease read(long index, SumGrid grid) {
        return sealed.get(index);
    }

    @Override
    public void keep(SealedRelease release) {
        write(() -> {
            drawn.add(release.index());
            sealed.put(release.index(), release);
        });
    }

    @Override
    public void dropBefore(long index) {
        write(() -> sealed.headMap(index).clear());
    }

    /** How many releases the ledger knows of. */
    long announced() {
        return lines.isEmpty() ? 0 : lines.get(0).released();
    }

    /** Puts an older ledger in place of this one. */
    void restoreLedger() {
        lines = List.of();
    }

    /** Puts an older journal in place of this one. */
    void restoreJournal(int count) {
        while (entries.size() > count) {
            entries.remove(entries.size() - 1);
        }
    }

    /** Keeps beside the ledger how many rounds were agreed about. */
    void agree(int rounds) {
        write(() -> agreedRounds = rounds);
    }

    int agreedRounds() {
        return agreedRounds;
    }

    /** A copy of the folder as it is now: journal, secrets and sealed releases; the ledger lies elsewhere. */
    Disk folder() {
        Disk copy = new Disk();
        copy.entries.addAll(entries);
        copy.secrets.putAll(secrets);
        copy.sealed.putAll(sealed);
        return copy;
    }

    /** Puts an older copy of the folder in place of this one; the ledger stays. */
    void restoreFolder(Disk older) {
        entries.clear();
        entries.addAll(older.entries);
        secrets.clear();
        secrets.putAll(older.secrets);
        sealed.clear();
        sealed.putAll(older.sealed);
    }

    final Journal journal = new Journal() {
        @Override
        public List<byte[]> entries() {
            return List.copyOf(entries);
        }

        @Override
        public void append(List<byte[]> added) {
            for (byte[] entry : added) {
                write(() -> entries.add(entry.clone()));
            }
        }

        @Override
        public byte[] head() {
            byte[] head = new byte[ContentHash.BYTES];
            for (byte[] entry : entries) {
                head = ContentHash.of("chain", head, entry);
            }
            return head;
        }
    };

    final PrivacyLedger ledger = new PrivacyLedger() {
        @Override
        public LedgerEntry charge(Charge charge) throws BudgetExhausted {
            if (lines.isEmpty()) {
                LedgerEntry entry = new LedgerEntry(
                        1,
                        HexFormat.of().formatHex(ContentHash.of("line")),
                        charge.label(),
                        charge.event(),
                        charge.run(),
                        Optional.empty(),
                        Optional.empty(),
                        true,
                        0,
                        Optional.empty());
                write(() -> lines = List.of(entry));
            }
            return lines.get(0);
        }

        @Override
        public LedgerEntry advance(LedgerEntry entry, long released) {
            LedgerEntry now = lines.get(0);
            if (now.released() != entry.released() || released <= now.released()) {
                throw new LedgerConflict("somebody else went on with the run");
            }
            LedgerEntry advanced = new LedgerEntry(
                    now.sequence(),
                    now.hash(),
                    now.label(),
                    now.event(),
                    now.run(),
                    now.time(),
                    now.analyst(),
                    true,
                    released,
                    now.statement());
            write(() -> lines = List.of(advanced));
            return advanced;
        }

        @Override
        public List<LedgerEntry> entries() {
            return lines;
        }

        @Override
        public PrivacyUnit unit() {
            return RECORD;
        }

        @Override
        public boolean durable() {
            return true;
        }
    };
}
