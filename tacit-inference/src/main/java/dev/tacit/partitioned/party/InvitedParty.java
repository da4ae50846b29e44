package dev.tacit.partitioned.party;

import dev.tacit.partitioned.message.Message;
import dev.tacit.partitioned.message.PartyLink;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * A party that has not joined yet: it says what it has, looks at the terms, and joins or says why not.
 *
 * <pre>
 *   RollCall → Join        Terms → Joined, or Absence with a reason        afterwards the party itself answers
 * </pre>
 *
 * Nothing is charged before the terms are accepted: protocol, run and schema are those that the party waits for, and the plan, the
 * family and the noise those that it would use itself. The same terms are answered by the same message again, and charged once.
 */
public final class InvitedParty implements PartyLink {
    private final String name;
    private final String run;
    private final String schemaDigest;
    private final long units;
    private final Function<Message.Terms, Optional<ChargedParty>> parties;
    private Optional<ChargedParty> party = Optional.empty();
    private Optional<Message.Terms> accepted = Optional.empty();
    private Optional<Message.Joined> joined = Optional.empty();

    /**
     * @param run the run that it waits for
     * @param schemaDigest of the schema that its records are read by
     * @param units how many it declares to have
     * @param parties the party, not joined yet, that works under terms; empty if it does not know the model
     */
    public InvitedParty(
            String name,
            String run,
            String schemaDigest,
            long units,
            Function<Message.Terms, Optional<ChargedParty>> parties) {
        this.name = Objects.requireNonNull(name, "name");
        this.run = Objects.requireNonNull(run, "run");
        this.schemaDigest = Objects.requireNonNull(schemaDigest, "schemaDigest");
        this.units = units;
        this.parties = Objects.requireNonNull(parties, "parties");
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CompletionStage<Message> answer(Message message) {
        return CompletableFuture.completedFuture(reply(message));
    }

    private synchronized Message reply(Message message) {
        if (message instanceof Message.Terms terms) {
            return join(terms);
        }
        if (party.isPresent()) {
            return party.get().reply(message);
        }
        return message instanceof Message.RollCall
                ? new Message.Join(message.round(), Message.PROTOCOL, run, name, units, schemaDigest)
                : new Message.Absence(name, message.round(), Message.Reason.NOT_JOINED);
    }

    private Message join(Message.Terms terms) {
        if (joined.isPresent() && terms.equals(accepted.orElseThrow())) {
            return joined.get();
        }
        Optional<Message.Reason> refusal = refusal(terms);
        if (refusal.isPresent() || !accepts(terms)) {
            return new Message.Absence(name, terms.round(), refusal.orElse(Message.Reason.TERMS_REFUSED));
        }
        ChargedParty member = party.orElseThrow();
        accepted = Optional.of(terms);
        joined = Optional.of(
                new Message.Joined(terms.round(), Message.PROTOCOL, run, name, member.roundsPaid(), member.terms()));
        return joined.get();
    }

    /** Joins, if the party would use such terms; what it throws is about them, and they are public. */
    private boolean accepts(Message.Terms terms) {
        try {
            party = parties.apply(terms).filter(each -> each.join(terms));
        } catch (IllegalArgumentException e) {
            party = Optional.empty();
        }
        return party.isPresent();
    }

    private Optional<Message.Reason> refusal(Message.Terms terms) {
        if (party.isPresent()) {
            return Optional.of(Message.Reason.OUT_OF_STEP);
        }
        if (terms.protocol() != Message.PROTOCOL) {
            return Optional.of(Message.Reason.OTHER_PROTOCOL);
        }
        if (!terms.run().equals(run)) {
            return Optional.of(Message.Reason.OTHER_RUN);
        }
        return terms.schemaDigest().equals(schemaDigest) ? Optional.empty() : Optional.of(Message.Reason.OTHER_SCHEMA);
    }
}
