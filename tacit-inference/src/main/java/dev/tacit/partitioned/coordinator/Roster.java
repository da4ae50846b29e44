package dev.tacit.partitioned.coordinator;

import dev.tacit.partitioned.message.JoinedLink;
import dev.tacit.partitioned.message.Message;
import dev.tacit.partitioned.message.PartyLink;
import dev.tacit.partitioned.message.PartyTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Who takes part in a run, after every party was asked by messages.
 *
 * @param parties those that have joined, with what they declared
 * @param joined what they said
 * @param absences of those that have not, and why
 */
public record Roster(List<JoinedLink> parties, List<Message.Joined> joined, List<Message.Absence> absences) {
    public Roster {
        parties = List.copyOf(parties);
        joined = List.copyOf(joined);
        absences = List.copyOf(absences);
    }

    /** What each party is offered. */
    @FunctionalInterface
    public interface Offer {
        /**
         * The terms of a party.
         *
         * @param place among all that would like to join, from 0
         * @param all that would like to join, in order
         */
        Message.Terms terms(int place, List<Message.Join> all);
    }

    /** A link, and what the party at its end declared when it joined. */
    private record Member(PartyLink link, PartyTerms terms) implements JoinedLink {
        @Override
        public String name() {
            return link.name();
        }

        @Override
        public CompletionStage<Message> answer(Message message) {
            return link.answer(message);
        }
    }

    /** Asks parties who they are, then offers each of them its terms. */
    public static Roster of(List<? extends PartyLink> parties, Offer offer, Patience patience) {
        Asking asking = new Asking(patience);
        List<Message.Absence> absences = new ArrayList<>();
        List<PartyLink> willing = new ArrayList<>();
        List<Message.Join> joins = new ArrayList<>();
        List<Message> answers = asking.all(parties, party -> new Message.RollCall(0));
        for (int party = 0; party < answers.size(); party++) {
            if (answers.get(party) instanceof Message.Join join) {
                willing.add(parties.get(party));
                joins.add(join);
            } else {
                absences.add(absence(answers.get(party)));
            }
        }
        List<JoinedLink> members = new ArrayList<>();
        List<Message.Joined> joined = new ArrayList<>();
        List<Message> replies = asking.all(willing, place -> offer.terms(place, joins));
        for (int place = 0; place < replies.size(); place++) {
            if (replies.get(place) instanceof Message.Joined answer) {
                members.add(new Member(willing.get(place), answer.terms()));
                joined.add(answer);
            } else {
                absences.add(absence(replies.get(place)));
            }
        }
        return new Roster(members, joined, absences);
    }

    private static Message.Absence absence(Message answer) {
        if (answer instanceof Message.Absence absence) {
            return absence;
        }
        throw Asking.otherKind();
    }
}
