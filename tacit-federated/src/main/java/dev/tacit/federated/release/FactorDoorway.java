package dev.tacit.federated.release;

import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.Charge;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.noise.NoiseSource;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.SealedReleases;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.federated.factor.ChangeRules;
import dev.tacit.federated.factor.ChangeSource;
import dev.tacit.federated.study.StudyException;
import dev.tacit.federated.study.StudyPlan;
import dev.tacit.file.DurableFile;
import dev.tacit.fit.base.FitException;
import dev.tacit.json.JsonException;
import dev.tacit.json.JsonFieldException;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.message.FactorTerms;
import dev.tacit.partitioned.message.Message;
import dev.tacit.partitioned.party.FactorParty;
import dev.tacit.partitioned.party.PartyDoor;
import dev.tacit.partitioned.party.PartyJournal;
import dev.tacit.partitioned.party.PartyState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A party of factors behind its door, on the terms that follow from the study, whoever asks.
 *
 * <p>The whole study is charged once, under its name, with all noise at this party. The state is a file that is written anew, durably,
 * wherever {@link PartyJournal} says.
 */
public final class FactorDoorway implements ChangeSource {
    /** Where a party's state is, which holds released and public numbers only. */
    public interface StateStore extends PartyJournal {
        /** What was kept last. */
        Optional<PartyState> kept();
    }

    private final FactorParty party;
    private final PartyDoorway.Ledger ledger;
    private final NaturalGaussian prior;

    private FactorDoorway(FactorParty party, PartyDoorway.Ledger ledger, NaturalGaussian prior) {
        this.party = party;
        this.ledger = ledger;
        this.prior = prior;
    }

    /**
     * Charges the study, once, and goes on where the state stands.
     *
     * @param place of the party
     * @param data its records
     * @param charging its ledger
     * @param ledger what it knows of that
     */
    public static FactorDoorway open(
            StudyPlan plan,
            int place,
            PrivateDataset data,
            PrivacyLedger charging,
            NoiseSource noise,
            SealedReleases sealed,
            StateStore store,
            PartyDoorway.Ledger ledger) {
        ChangeRules rules = plan.changes().orElseThrow();
        FactorTerms terms = FactorTerms.of(rules.prior(), rules.settings().damping())
                .drawing(plan.study().seed(), place);
        FactorParty party = new FactorParty(
                plan.study().members().get(place).name(),
                new PartyDoor(
                        data,
                        Optional.of(new PartyDoor.Protection(plan.ownMechanism(), charging)),
                        noise,
                        sealed,
                        plan.partyPlan().rowNormBound()),
                plan.factors().orElseThrow().local(),
                terms,
                Optional.empty(),
                store);
        Optional<PartyState> kept = store.kept();
        if (kept.isPresent()) {
            party.resume(kept.get());
        } else {
            party.join(plan.study().run(), rules.settings().rounds());
        }
        return new FactorDoorway(party, ledger, rules.prior());
    }

    @Override
    public Optional<String> refusal(Message.GlobalState request) {
        double[] parameters = request.naturalParameters().toArray();
        boolean fits = parameters.length == prior.naturalParameters().length
                && Arrays.stream(parameters).allMatch(Double::isFinite)
                && Arrays.stream(NaturalGaussian.of(prior.family(), prior.dimension(), parameters)
                                .precisionDiagonal())
                        .allMatch(precision -> precision > 0);
        return fits ? Optional.empty() : Optional.of("the request is not one that the method of the study makes");
    }

    @Override
    public Message answer(Message.GlobalState request) {
        return party.reply(request);
    }

    @Override
    public int newestAnswered() {
        PartyState state = party.state();
        return state.answer().isPresent() ? state.request().orElseThrow().round() : -1;
    }

    @Override
    public String ledgerHead() {
        return ledger.head();
    }

    @Override
    public boolean knowsLedgerHead(String head) {
        return ledger.knows(head);
    }

    /** A file that is replaced as a whole. */
    public record StateFile(Path file) implements StateStore {
        @Override
        public void keep(PartyState state) {
            try {
                DurableFile.write(
                        file, (state.toJson() + "\n").getBytes(StandardCharsets.UTF_8), DurableFile.Access.OWNER);
            } catch (IOException e) {
                throw new StudyException("cannot write " + file, e);
            }
        }

        @Override
        public Optional<PartyState> kept() {
            try {
                return Files.exists(file) ? Optional.of(PartyState.fromJson(Files.readString(file))) : Optional.empty();
            } catch (IOException | JsonException | JsonFieldException e) {
                throw new StudyException(file + " cannot be read", e);
            }
        }
    }

    /**
     * A ledger that is charged for the whole study or not at all, in the study's name.
     *
     * @param ledger the party's own
     * @param label what the charge is for
     * @param time when it was asked for
     * @param analyst by whom
     */
    public record WholeStudy(PrivacyLedger ledger, String label, Instant time, String analyst)
            implements PrivacyLedger {
        @Override
        public LedgerEntry charge(Charge charge) {
            try {
                return ledger.charge(
                        new Charge(label, charge.event(), charge.run(), Optional.of(time), Optional.of(analyst)));
            } catch (BudgetExhausted e) {
                throw new FitException(FitException.Kind.BUDGET_EXHAUSTED, e.getMessage(), e);
            }
        }

        @Override
        public LedgerEntry advance(LedgerEntry entry, long released) {
            return ledger.advance(entry, released);
        }

        @Override
        public PrivacyUnit unit() {
            return ledger.unit();
        }

        @Override
        public List<LedgerEntry> entries() {
            return ledger.entries();
        }

        @Override
        public boolean durable() {
            return ledger.durable();
        }
    }
}
