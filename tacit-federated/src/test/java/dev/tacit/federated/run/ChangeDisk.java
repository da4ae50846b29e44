package dev.tacit.federated.run;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.Charge;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.session.SealedRelease;
import dev.tacit.door.session.SealedReleases;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.federated.release.FactorDoorway;
import dev.tacit.federated.release.PartyDoorway;
import dev.tacit.federated.store.Journal;
import dev.tacit.ledger.InMemoryLedger;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.partitioned.party.PartyState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** What of a party of factors, or of its coordinator, survives a crash, which can come before or after every write. */
final class ChangeDisk implements SealedReleases, FactorDoorway.StateStore, PartyDoorway.Ledger {
    /** The process is gone. */
    static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    static final PrivacyUnit RECORD = PrivacyUnit.record(Neighbours.ADD_REMOVE);

    private final InMemoryLedger lines = new InMemoryLedger(
            LedgerTerms.of(RECORD, new PrivacyBudget(1e6, 1e-5)),
            new LedgerAccounting(new ExactAccountant(), new RenyiAccountant()::divergence));
    private final TreeMap<Long, SealedRelease> sealed = new TreeMap<>();
    private final List<byte[]> entries = new ArrayList<>();
    private Optional<String> state = Optional.empty();

    /** Releases whose noise was drawn. */
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
    public void keep(PartyState next) {
        write(() -> state = Optional.of(next.toJson()));
    }

    @Override
    public Optional<PartyState> kept() {
        return state.map(PartyState::fromJson);
    }

    @Override
    public void keep(SealedRelease release) {
        drawn.add(release.index());
        write(() -> sealed.put(release.index(), release));
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
    public void dropBefore(long index) {
        write(() -> sealed.headMap(index).clear());
    }

    @Override
    public String head() {
        return lines.entries().get(0).hash();
    }

    @Override
    public boolean knows(String head) {
        return lines.entries().stream().anyMatch(entry -> entry.hash().equals(head));
    }

    @Override
    public void outdateCopies(long rounds) {
        // a change is repeated and not said twice, whoever has a copy
    }

    @Override
    public long agreedRounds() {
        return 0;
    }

    @Override
    public long released() {
        return announced();
    }

    /** How many releases the ledger knows of; it has one entry. */
    long announced() {
        return lines.entries().get(0).released();
    }

    /** The newest entry of the journal is gone, as on a disk that only says that it was forced. */
    void forget() {
        if (!entries.isEmpty()) {
            entries.remove(entries.size() - 1);
        }
    }

    /** Puts journal, state and sealed releases back to where another disk stood; the ledger stays. */
    void restore(ChangeDisk older) {
        entries.clear();
        entries.addAll(older.entries);
        state = older.state;
        sealed.clear();
        sealed.putAll(older.sealed);
    }

    /** A copy of all but the ledger. */
    ChangeDisk copy() {
        ChangeDisk copy = new ChangeDisk();
        copy.restore(this);
        return copy;
    }

    final PrivacyLedger ledger = new PrivacyLedger() {
        @Override
        public LedgerEntry charge(Charge charge) throws BudgetExhausted {
            LedgerEntry entry = lines.charge(charge);
            write(() -> {});
            return entry;
        }

        @Override
        public LedgerEntry advance(LedgerEntry entry, long released) {
            LedgerEntry advanced = lines.advance(entry, released);
            write(() -> {});
            return advanced;
        }

        @Override
        public PrivacyUnit unit() {
            return RECORD;
        }

        @Override
        public List<LedgerEntry> entries() {
            return lines.entries();
        }

        @Override
        public boolean durable() {
            return true;
        }
    };

    final Journal journal = new Journal() {
        @Override
        public List<byte[]> entries() {
            return List.copyOf(entries);
        }

        @Override
        public void append(List<byte[]> added) {
            added.forEach(entry -> write(() -> entries.add(entry.clone())));
        }

        @Override
        public byte[] head() {
            return new byte[0];
        }
    };
}
