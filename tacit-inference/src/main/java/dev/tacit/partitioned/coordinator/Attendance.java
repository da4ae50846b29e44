package dev.tacit.partitioned.coordinator;

import dev.tacit.partitioned.message.Message;
import dev.tacit.partitioned.message.PartyLink;
import dev.tacit.partitioned.message.Traffic;
import java.util.ArrayList;
import java.util.List;

/**
 * Who is there, asked before a round that is worth nothing if one party is missing, so that nobody releases anything in vain.
 *
 * @param absences of those who are not, and why
 * @param traffic all that was sent, this included
 */
record Attendance(List<Message.Absence> absences, Traffic traffic) {
    /** Asks every party. */
    static Attendance of(List<? extends PartyLink> parties, int round, Traffic before) {
        Message.RollCall call = new Message.RollCall(round);
        List<Message.Absence> absences = new ArrayList<>();
        Traffic traffic = before;
        for (PartyLink party : parties) {
            Message answer = party.answer(call);
            traffic = traffic.plusDown(call).plusUp(answer);
            if (answer instanceof Message.Absence absence) {
                absences.add(absence);
            } else if (!(answer instanceof Message.Present)) {
                throw new IllegalStateException("a party answered with another kind of message than it was asked for");
            }
        }
        return new Attendance(List.copyOf(absences), traffic);
    }

    boolean isComplete() {
        return absences.isEmpty();
    }
}
