package dev.tacit.federated.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.federated.message.MessageKind;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Every interleaving of one party, which runs the table that the code runs, with a coordinator that names any set and any survivors in any
 * order, and with a crash after any instruction, for two rounds. Breadth first; no cleverness.
 *
 * <p>A release is three instructions of the door: draw, seal, announce.
 */
class PartyModelTest {
    /** The door's order inside {@link PartyStep#RELEASE}. */
    private enum DoorStep {
        DRAW,
        SEAL,
        ANNOUNCE
    }

    private static final List<DoorStep> DOOR = List.of(DoorStep.DRAW, DoorStep.SEAL, DoorStep.ANNOUNCE);

    private static final List<PartyPhase> PHASES = List.of(PartyPhase.values());
    private static final int ROUNDS = 2;
    private static final int LEAST = 2;
    private static final int VALUES = 2;
    private static final int MOST_STATES = 3_000_000;
    private static final int NONE = -1;

    /** Parties A, B and C are bits 1, 2 and 4; A is the one. */
    private static final int[] SETS = {7, 3};

    /** Survivors and lost. */
    private static final int[][] LISTS = {{7, 0}, {3, 4}, {6, 1}, {7, 2}, {3, 0}, {1, 2}};

    // Places in a state: for each round what is on its disk …
    private static final int SECRET = 0;
    private static final int KEYS = 1;
    private static final int SET = 2;
    private static final int SEALED = 3;
    private static final int ANNOUNCED = 4;
    private static final int VALUE = 5;
    private static final int LOST = 6;
    private static final int AGREED = 7;
    private static final int OPENED = 8;
    private static final int CLOSED = 9;
    /** Which of two values was drawn last: a new one is the other. */
    private static final int DRAWN = 10;

    private static final int DISK = 11;
    // … then what is in memory, of the round that is under way …
    private static final int ROUND = ROUNDS * DISK;
    private static final int ROW = ROUND + 1;
    private static final int STEP = ROUND + 2;
    private static final int SUBSTEP = ROUND + 3;
    private static final int MESSAGE = ROUND + 4;
    private static final int PHASE = ROUND + 5;
    private static final int RAM_KEYS = ROUND + 6;
    private static final int RAM_SET = ROUND + 7;
    private static final int RAM_VALUE = ROUND + 8;
    private static final int RAM_AGREED = ROUND + 9;
    // … and what the coordinator saw of each round, as bits.
    private static final int SEEN_KEYS = ROUND + 10;
    private static final int SEEN_VECTORS = SEEN_KEYS + ROUNDS;
    private static final int SEEN_AGREED = SEEN_VECTORS + ROUNDS;
    private static final int SEEN_OPENED = SEEN_AGREED + ROUNDS;
    private static final int EARLY = SEEN_OPENED + ROUNDS;
    private static final int SIZE = EARLY + 1;

    private record Verdict(int states, Optional<String> violation, int lostRounds) {}

    /** A table with its door. */
    private record Model(PartyTable table, List<DoorStep> door) {
        Verdict explore() {
            int[] first = new int[SIZE];
            for (int round = 0; round < ROUNDS; round++) {
                Arrays.fill(first, round * DISK, round * DISK + DISK, NONE);
                first[round * DISK + ANNOUNCED] = 0;
                first[round * DISK + LOST] = 0;
                first[round * DISK + CLOSED] = 0;
            }
            restart(first, 0);
            Set<ByteBuffer> seen = new HashSet<>();
            Deque<int[]> todo = new ArrayDeque<>();
            add(first, seen, todo);
            int lost = 0;
            while (!todo.isEmpty()) {
                int[] state = todo.remove();
                Optional<String> violation = violation(state);
                if (violation.isPresent()) {
                    return new Verdict(seen.size(), violation, lost);
                }
                lost += isLost(state) ? 1 : 0;
                if (seen.size() > MOST_STATES) {
                    throw new IllegalStateException("the model does not end");
                }
                for (int[] next : successors(state)) {
                    add(next, seen, todo);
                }
            }
            return new Verdict(seen.size(), Optional.empty(), lost);
        }

        private static void add(int[] state, Set<ByteBuffer> seen, Deque<int[]> todo) {
            ByteBuffer key = ByteBuffer.allocate(2 * state.length);
            for (int each : state) {
                key.putShort((short) each);
            }
            if (seen.add(key.flip())) {
                todo.add(state);
            }
        }

        /** Memory as the disk has it. */
        private void restart(int[] state, int round) {
            int disk = round * DISK;
            state[ROUND] = round;
            state[ROW] = NONE;
            state[STEP] = 0;
            state[SUBSTEP] = 0;
            state[MESSAGE] = NONE;
            state[RAM_KEYS] = state[disk + KEYS];
            state[RAM_SET] = state[disk + SET];
            state[RAM_VALUE] = state[disk + VALUE];
            state[RAM_AGREED] = state[disk + AGREED];
            state[PHASE] = PHASES.indexOf(phase(state, disk));
            goOn(state);
        }

        private static PartyPhase phase(int[] state, int disk) {
            if (state[disk + CLOSED] == 1) {
                return PartyPhase.CLOSED;
            }
            if (state[disk + OPENED] != NONE) {
                return PartyPhase.OPENED;
            }
            if (state[disk + AGREED] != NONE) {
                return PartyPhase.AGREED;
            }
            if (state[disk + LOST] == 1) {
                return PartyPhase.LOST;
            }
            if (state[disk + VALUE] != NONE) {
                return PartyPhase.SHARED;
            }
            if (state[disk + SET] != NONE) {
                return PartyPhase.BOUND;
            }
            return state[disk + KEYS] != NONE ? PartyPhase.KEYED : PartyPhase.WAITING;
        }

        /** What the party does by itself: the next round, and rows without a message. */
        private void goOn(int[] state) {
            PartyPhase phase = PHASES.get(state[PHASE]);
            boolean over = phase == PartyPhase.OPENED || phase == PartyPhase.CLOSED;
            if (over && state[ROUND] + 1 < ROUNDS) {
                rename(state, state[ROUND]);
                restart(state, state[ROUND] + 1);
                return;
            }
            table.alone(phase).ifPresent(row -> state[ROW] = table.rows().indexOf(row));
        }

        /** Of a round that is over it does not matter which of two keys or values it was: both are called 0. */
        private static void rename(int[] state, int round) {
            int disk = round * DISK;
            if (Integer.bitCount(state[SEEN_KEYS + round]) <= 1) {
                state[disk + SECRET] = Math.min(0, state[disk + SECRET]);
                state[disk + KEYS] = Math.min(0, state[disk + KEYS]);
                state[SEEN_KEYS + round] = Integer.signum(state[SEEN_KEYS + round]);
            }
            int seen = state[SEEN_VECTORS + round];
            boolean zeros = seen >> SETS.length == 0;
            boolean ones = (seen & ((1 << SETS.length) - 1)) == 0;
            if (zeros || ones) {
                state[SEEN_VECTORS + round] = zeros ? seen : seen >> SETS.length;
                state[disk + VALUE] = Math.min(0, state[disk + VALUE]);
                state[disk + SEALED] = Math.min(0, state[disk + SEALED]);
                state[disk + DRAWN] = Math.min(0, state[disk + DRAWN]);
            }
        }

        private List<int[]> successors(int[] state) {
            List<int[]> next = new ArrayList<>();
            int[] crashed = state.clone();
            restart(crashed, furthest(state));
            next.add(crashed);
            if (state[ROW] != NONE) {
                next.add(instruction(state.clone()));
                return next;
            }
            for (int round = 0; round <= state[ROUND]; round++) {
                for (int set = 0; set < SETS.length; set++) {
                    message(state, round, MessageKind.ASK, set, next);
                }
                for (int list = 0; list < LISTS.length; list++) {
                    message(state, round, MessageKind.SURVIVORS, list, next);
                    message(state, round, MessageKind.QUORUM, list, next);
                }
                message(state, round, MessageKind.RESULT, 0, next);
            }
            return next;
        }

        /** The round that the disk says is under way. */
        private static int furthest(int[] state) {
            int round = 0;
            for (int r = 1; r < ROUNDS; r++) {
                round = state[r * DISK + KEYS] != NONE ? r : round;
            }
            return round;
        }

        /** A message, if the table has a row for it and its guards let it through. */
        private void message(int[] state, int round, MessageKind kind, int content, List<int[]> next) {
            int disk = round * DISK;
            boolean current = round == state[ROUND];
            PartyPhase phase = current ? PHASES.get(state[PHASE]) : phase(state, disk);
            if (!current && phase != PartyPhase.OPENED) {
                return;
            }
            int set = current ? state[RAM_SET] : state[disk + SET];
            int value = current ? state[RAM_VALUE] : state[disk + VALUE];
            int agreed = current ? state[RAM_AGREED] : state[disk + AGREED];
            Optional<PartyTable.Row> row = table.find(phase, kind);
            if (row.isEmpty()
                    || !row.get().guards().stream().allMatch(guard -> holds(guard, content, set, value, agreed))) {
                return;
            }
            int[] begun = state.clone();
            if (!current) {
                resend(begun, round, row.get());
            } else {
                begun[ROW] = table.rows().indexOf(row.get());
                begun[STEP] = 0;
                begun[SUBSTEP] = 0;
                begun[MESSAGE] = content;
            }
            next.add(begun);
        }

        private static boolean holds(PartyGuard guard, int content, int set, int value, int agreed) {
            return switch (guard) {
                case ENOUGH_TAKE_PART -> Integer.bitCount(SETS[content]) >= LEAST && (SETS[content] & 1) == 1;
                case SAME_SET -> content == set;
                case LISTS_APART ->
                    (LISTS[content][0] & LISTS[content][1]) == 0
                            && set != NONE
                            && (LISTS[content][0] | LISTS[content][1]) == SETS[set];
                case ENOUGH_SURVIVE -> Integer.bitCount(LISTS[content][0]) >= LEAST;
                case OWN_VECTOR -> (LISTS[content][0] & 1) == 0 || value != NONE;
                // A coordinator can have signatures of the others on any list.
                case SAME_SURVIVORS, QUORUM_SIGNED -> content == agreed;
                // What others signed is theirs: CompaniesTest has all of them.
                case KEYS_SIGNED, SHARES_OPEN, REQUEST_FITS, VECTORS_SIGNED -> true;
            };
        }

        /** A round that was opened is repeated from the disk. */
        private static void resend(int[] state, int round, PartyTable.Row row) {
            int disk = round * DISK;
            for (PartyStep step : row.steps()) {
                switch (step) {
                    case SEND_VECTOR ->
                        see(state, SEEN_VECTORS + round, vector(state[disk + VALUE], state[disk + SET]));
                    case SEND_AGREED -> see(state, SEEN_AGREED + round, state[disk + AGREED]);
                    case SEND_OPENING -> see(state, SEEN_OPENED + round, state[disk + OPENED]);
                    default -> throw new IllegalStateException("a round that was opened is written to: " + step);
                }
            }
        }

        private static int another(int last) {
            return last == 0 ? 1 : 0;
        }

        private static int vector(int value, int set) {
            return value * SETS.length + set;
        }

        private static void see(int[] state, int place, int what) {
            if (what != NONE) {
                state[place] |= 1 << what;
            }
        }

        private int[] instruction(int[] state) {
            PartyTable.Row row = table.rows().get(state[ROW]);
            int disk = state[ROUND] * DISK;
            PartyStep step = row.steps().get(state[STEP]);
            boolean finished = true;
            switch (step) {
                case KEEP_SECRETS -> {
                    state[RAM_KEYS] = another(state[disk + SECRET]);
                    state[disk + SECRET] = state[RAM_KEYS];
                }
                case LOG_KEYS -> state[disk + KEYS] = state[RAM_KEYS];
                case SEND_KEYS -> see(state, SEEN_KEYS + state[ROUND], state[RAM_KEYS]);
                case LOG_SET -> state[disk + SET] = state[MESSAGE];
                case RELEASE -> finished = release(state, disk);
                case LOG_VECTOR -> {
                    state[disk + VALUE] = state[RAM_VALUE];
                    state[disk + SEALED] = NONE;
                }
                case SEND_VECTOR -> {
                    see(state, SEEN_VECTORS + state[ROUND], vector(state[RAM_VALUE], state[RAM_SET]));
                    state[EARLY] |= state[disk + ANNOUNCED] == 0 ? 1 : 0;
                }
                case LOG_AGREED -> state[disk + AGREED] = state[MESSAGE];
                case OUTDATE_COPIES -> {} // no copies are put back here: RestoredFolderTest does that
                case SEND_AGREED -> see(state, SEEN_AGREED + state[ROUND], state[RAM_AGREED]);
                case LOG_OPENING -> state[disk + OPENED] = state[RAM_AGREED];
                case SEND_OPENING -> see(state, SEEN_OPENED + state[ROUND], state[RAM_AGREED]);
                case CLOSE -> state[disk + CLOSED] = 1;
            }
            if (state[PHASE] == PHASES.indexOf(PartyPhase.LOST)) {
                state[ROW] = NONE;
                return state;
            }
            if (finished) {
                advance(state, row);
            }
            return state;
        }

        /** One instruction of the door; true when the release is out. */
        private boolean release(int[] state, int disk) {
            boolean sealed = state[disk + SEALED] != NONE;
            boolean announced = state[disk + ANNOUNCED] == 1;
            if (sealed && state[RAM_VALUE] == NONE) {
                state[RAM_VALUE] = state[disk + SEALED];
                state[SUBSTEP] = door.indexOf(DoorStep.SEAL) + 1;
                return state[SUBSTEP] == door.size();
            }
            if (state[SUBSTEP] == 0 && announced && door.contains(DoorStep.SEAL)) {
                state[disk + LOST] = 1;
                state[PHASE] = PHASES.indexOf(PartyPhase.LOST);
                return true;
            }
            switch (door.get(state[SUBSTEP])) {
                case DRAW -> {
                    state[RAM_VALUE] = another(state[disk + DRAWN]);
                    state[disk + DRAWN] = state[RAM_VALUE];
                }
                case SEAL -> state[disk + SEALED] = state[RAM_VALUE];
                case ANNOUNCE -> state[disk + ANNOUNCED] = 1;
            }
            state[SUBSTEP]++;
            return state[SUBSTEP] == door.size();
        }

        private void advance(int[] state, PartyTable.Row row) {
            PartyStep done = row.steps().get(state[STEP]);
            if (state[STEP] == 0
                    && row.message().equals(Optional.of(MessageKind.ASK))
                    && row.phase() == PartyPhase.KEYED) {
                state[RAM_SET] = state[MESSAGE];
            }
            if (state[STEP] == 0
                    && row.message().equals(Optional.of(MessageKind.SURVIVORS))
                    && state[RAM_AGREED] == NONE) {
                state[RAM_AGREED] = state[MESSAGE];
            }
            state[STEP]++;
            state[SUBSTEP] = 0;
            if (state[STEP] == row.steps().size()) {
                state[ROW] = NONE;
                state[STEP] = 0;
                state[MESSAGE] = NONE;
                state[PHASE] = PHASES.indexOf(row.next());
                if (done != null) {
                    goOn(state);
                }
            }
        }

        private static Optional<String> violation(int[] state) {
            if (state[EARLY] == 1) {
                return Optional.of("a vector left before the ledger had it");
            }
            for (int round = 0; round < ROUNDS; round++) {
                if (Integer.bitCount(state[SEEN_KEYS + round]) > 1) {
                    return Optional.of("two keys for one round");
                }
                int values = 0;
                for (int value = 0; value < VALUES; value++) {
                    int sets = state[SEEN_VECTORS + round] >> vector(value, 0) & ((1 << SETS.length) - 1);
                    if (Integer.bitCount(sets) > 1) {
                        return Optional.of("one release under the masks of two sets");
                    }
                    values += sets != 0 ? 1 : 0;
                }
                if (values > 1) {
                    return Optional.of("two draws of noise for one release");
                }
                if (Integer.bitCount(state[SEEN_AGREED + round]) > 1) {
                    return Optional.of("two lists agreed to");
                }
                int alive = 0;
                int lost = 0;
                for (int list = 0; list < LISTS.length; list++) {
                    if ((state[SEEN_OPENED + round] >> list & 1) == 1) {
                        alive |= LISTS[list][0];
                        lost |= LISTS[list][1];
                    }
                }
                if ((alive & lost) != 0) {
                    return Optional.of("both masks of one party were opened");
                }
            }
            return Optional.empty();
        }

        /** Announced, and its value is neither on the disk nor in memory. */
        private static boolean isLost(int[] state) {
            for (int round = 0; round < ROUNDS; round++) {
                int disk = round * DISK;
                boolean here = state[ROUND] == round && state[RAM_VALUE] != NONE;
                if (state[disk + ANNOUNCED] == 1
                        && state[disk + SEALED] == NONE
                        && state[disk + VALUE] == NONE
                        && !here) {
                    return true;
                }
            }
            return false;
        }
    }

    @Test
    void nothingIsReleasedTwiceAndNoRoundIsLost() {
        Verdict verdict = new Model(PartyTable.STANDARD, DOOR).explore();
        assertThat(verdict.violation()).isEmpty();
        assertThat(verdict.lostRounds()).isZero();
        assertThat(verdict.states()).isGreaterThan(200_000);
    }

    /** As private, but a crash between the ledger and the disk costs the round: the reason for the order. */
    @Test
    void tellingTheLedgerFirstLosesRounds() {
        Verdict verdict =
                new Model(PartyTable.STANDARD, List.of(DoorStep.DRAW, DoorStep.ANNOUNCE, DoorStep.SEAL)).explore();
        assertThat(verdict.violation()).isEmpty();
        assertThat(verdict.lostRounds()).isPositive();
    }

    @Test
    void sendingBeforeTheLedgerKnowsIsFound() {
        assertThat(new Model(PartyTable.STANDARD, List.of(DoorStep.DRAW, DoorStep.SEAL))
                        .explore()
                        .violation())
                .contains("a vector left before the ledger had it");
    }

    @Test
    void keepingNoShareIsFound() {
        assertThat(new Model(WeakTable.without(PartyStep.LOG_VECTOR), List.of(DoorStep.DRAW, DoorStep.ANNOUNCE))
                        .explore()
                        .violation())
                .contains("two draws of noise for one release");
    }

    @Test
    void keepingNoSetIsFound() {
        assertThat(new Model(WeakTable.without(PartyStep.LOG_SET, PartyStep.LOG_VECTOR), DOOR)
                        .explore()
                        .violation())
                .contains("one release under the masks of two sets");
    }

    @Test
    void keepingNoAgreementIsFound() {
        assertThat(new Model(WeakTable.without(PartyStep.LOG_AGREED), DOOR)
                        .explore()
                        .violation())
                .contains("two lists agreed to");
    }

    @Test
    void overlappingListsAreFound() {
        PartyTable table = WeakTable.without(PartyGuard.LISTS_APART);
        assertThat(new Model(table, DOOR).explore().violation()).contains("both masks of one party were opened");
    }

    @Test
    void sendingKeysThatAreNotWrittenDownIsFound() {
        assertThat(new Model(WeakTable.without(PartyStep.LOG_KEYS), DOOR)
                        .explore()
                        .violation())
                .contains("two keys for one round");
    }
}
