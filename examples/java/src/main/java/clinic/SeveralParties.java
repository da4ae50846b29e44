package clinic;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.data.prepare.FeatureEncoder;
import dev.tacit.data.prepare.Preparation;
import dev.tacit.data.prepare.PreparationOptions;
import dev.tacit.data.schema.Schema;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.noise.Provenance;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.inference.bayes.ResidualNewton;
import dev.tacit.ledger.FileLedger;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.noise.SecureNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.coordinator.PartiesSession;
import dev.tacit.partitioned.coordinator.Patience;
import dev.tacit.partitioned.coordinator.RegressionQueries;
import dev.tacit.partitioned.coordinator.StandIn;
import dev.tacit.partitioned.coordinator.SumProtocol;
import dev.tacit.partitioned.message.BoundedPlan;
import dev.tacit.partitioned.party.PartyDoor;
import dev.tacit.partitioned.party.SumParty;
import dev.tacit.posterior.Posterior;
import dev.tacit.run.CalibratedPlan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Three hospitals fit one model, and no record leaves its hospital.
 *
 * <p>Each hospital keeps its own table behind its own door, charges its own ledger and adds all of its noise itself, so it needs to
 * trust nobody. A coordinator asks for sums and adds up what it gets. Here all of them are objects of one program; everything that
 * passes between them is a {@code Message} with an exact JSON form.
 */
public final class SeveralParties {
    private static final PrivacyBudget BUDGET = new PrivacyBudget(1, 1e-6);
    private static final List<String> HOSPITALS = List.of("north", "harbour", "hill");

    /** @param args the folder in which {@code visits.csv} lies */
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        for (String hospital : HOSPITALS) {
            cut(folder, hospital);
        }

        // What everybody agrees on beforehand. All of it is public: the columns, the model, its prior, and how many records there are.
        Schema schema = Schema.read(folder.resolve("hospital.schema.yaml"));
        FeatureEncoder columns = FeatureEncoder.of(schema);
        double rowNormBound = columns.largestNorm();
        double priorPrecision = 0.5;
        LogisticRegression model = new LogisticRegression(columns.names(), rowNormBound, priorPrecision);
        long records = schema.size() * HOSPITALS.size();

        // The releases, and the noise that keeps the budget at each hospital. A bound is named for every release before it is
        // asked for; a hospital refuses a request with any other.
        ResidualNewton open = new ResidualNewton(ResidualNewton.Settings.standard().acrossParties());
        ExactAccountant accountant = new ExactAccountant();
        CalibratedPlan plan = CalibratedPlan.of(
                open.plan(model, records),
                BUDGET,
                accountant,
                schema.privacyUnit().neighbours());
        double noiseOfTheSum = plan.noiseMultiplier() * Math.sqrt(HOSPITALS.size());
        ResidualNewton kernel = open.withNamedBounds(model, records, noiseOfTheSum);
        BoundedPlan bounded = BoundedPlan.of(kernel, model, records);

        // At each hospital: its records, its noise, its ledger. join() charges the whole plan there.
        List<SumParty> parties = new ArrayList<>();
        List<PrivateDataset> tables = new ArrayList<>();
        for (String hospital : HOSPITALS) {
            PrivateDataset data =
                    Preparation.open(folder.resolve(hospital + ".csv"), schema, PreparationOptions.standard());
            LedgerAccounting accounting = new LedgerAccounting(accountant, new RenyiAccountant()::divergence);
            LedgerTerms terms = LedgerTerms.withoutLimit(data.unit(), BUDGET.delta(), plan.event(), accounting.renyi());
            FileLedger ledger = FileLedger.openOrCreate(folder.resolve(hospital + ".ledger"), terms, accounting);
            PartyDoor door = new PartyDoor(
                    data,
                    Optional.of(new PartyDoor.Protection(
                            new DiscreteGaussianMechanism(plan.noiseMultiplier()), ledger)),
                    SecureNoise.create());
            SumParty party = new SumParty(hospital, door, new RegressionQueries<>(model));
            party.join("readmissions", bounded);
            tables.add(data);
            parties.add(party);
        }

        // At the coordinator, who has no records: one round of messages for each release. The same method runs on one table.
        PartiesSession session = new PartiesSession(
                bounded.plan(),
                parties,
                records,
                schema.privacyUnit(),
                Provenance.RELEASABLE,
                Optional.empty(), // no aggregator: hospitals trust nobody, and noise grows with the root of their number
                StandIn.NONE,
                Patience.UNLIMITED);
        Posterior posterior =
                SumProtocol.run(kernel, RegressionQueries.sent(model), session, RandomStream.ofSeed(1));

        for (int i = 0; i < posterior.dimension(); i++) {
            System.out.printf(
                    "%-16s %5.2f, from %5.2f to %5.2f%n",
                    posterior.parameterNames().get(i),
                    posterior.mean()[i],
                    posterior.quantile(i, 0.025),
                    posterior.quantile(i, 0.975));
        }
        for (SumParty party : parties) {
            System.out.printf(
                    "%s answered %d times, at most epsilon %.4f%n",
                    party.name(),
                    party.roundsAnswered(),
                    accountant
                            .epsilon(party.event(), BUDGET.delta(), schema.privacyUnit().neighbours())
                            .upper());
        }
        for (PrivateDataset table : tables) {
            table.close();
        }
    }

    /** In truth these files would be on three machines, and nobody could have written this method. */
    private static void cut(Path folder, String hospital) throws Exception {
        List<String> lines = Files.readAllLines(folder.resolve("visits.csv"));
        List<String> own = new ArrayList<>(lines.subList(0, 1));
        lines.stream().skip(1).filter(line -> line.contains("," + hospital + ",")).forEach(own::add);
        Files.write(folder.resolve(hospital + ".csv"), own);
    }

    private SeveralParties() {}
}
