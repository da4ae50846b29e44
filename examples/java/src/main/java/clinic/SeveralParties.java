package clinic;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.data.prepare.FeatureEncoder;
import dev.tacit.data.prepare.Preparation;
import dev.tacit.data.prepare.PreparationOptions;
import dev.tacit.data.schema.Schema;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.inference.bayes.ResidualNewton;
import dev.tacit.ledger.FileLedger;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.noise.SecureNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.party.PartiesSession;
import dev.tacit.partitioned.party.PartyDoor;
import dev.tacit.posterior.Posterior;
import dev.tacit.run.CalibratedPlan;
import dev.tacit.run.InferenceRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Three hospitals fit one model, and no record leaves its hospital.
 *
 * <p>Each hospital keeps its own table behind its own door, charges its own ledger and adds all of its noise itself, so it needs to
 * trust nobody. A coordinator, who has no records, asks for sums and sees what they add up to. Here all of them are objects of one
 * program; {@code tacit parties}, {@code tacit party} and {@code tacit coordinator} do the same between machines.
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

        // The releases, and the noise that keeps the budget at each hospital.
        ResidualNewton kernel = new ResidualNewton(ResidualNewton.Settings.standard().acrossParties());
        ExactAccountant accountant = new ExactAccountant();
        CalibratedPlan plan = CalibratedPlan.of(
                kernel.plan(model, records),
                BUDGET,
                accountant,
                schema.privacyUnit().neighbours());

        // At each hospital: its records, its noise, its ledger.
        List<PartyDoor> doors = new ArrayList<>();
        List<FileLedger> ledgers = new ArrayList<>();
        for (String hospital : HOSPITALS) {
            PrivateDataset data =
                    Preparation.open(folder.resolve(hospital + ".csv"), schema, PreparationOptions.standard());
            LedgerAccounting accounting = new LedgerAccounting(accountant, new RenyiAccountant()::divergence);
            LedgerTerms terms = LedgerTerms.withoutLimit(data.unit(), BUDGET.delta(), plan.event(), accounting.renyi());
            FileLedger ledger = FileLedger.openOrCreate(folder.resolve(hospital + ".ledger"), terms, accounting);
            ledgers.add(ledger);
            doors.add(new PartyDoor(
                    data,
                    Optional.of(new PartyDoor.Protection(
                            new DiscreteGaussianMechanism(plan.noiseMultiplier()), ledger)),
                    SecureNoise.create()));
        }

        // At the coordinator: open() charges the whole plan at each hospital. The same method runs on one table. Each hospital adds
        // all of its noise, so that of the sum grows with the root of their number.
        PartiesSession session = PartiesSession.open("readmissions", plan.plan(), doors);
        Posterior posterior = InferenceRun.once(kernel, model, session, RandomStream.ofSeed(1))
                .posterior();

        for (int i = 0; i < posterior.dimension(); i++) {
            System.out.printf(
                    "%-16s %5.2f, from %5.2f to %5.2f%n",
                    posterior.parameterNames().get(i),
                    posterior.mean()[i],
                    posterior.quantile(i, 0.025),
                    posterior.quantile(i, 0.975));
        }
        for (int i = 0; i < HOSPITALS.size(); i++) {
            LedgerEntry charged = ledgers.get(i).entries().get(0);
            System.out.printf(
                    "%s answered %d times, at most epsilon %.4f%n",
                    HOSPITALS.get(i),
                    charged.released(),
                    accountant
                            .epsilon(
                                    charged.event(), BUDGET.delta(), schema.privacyUnit().neighbours())
                            .upper());
            doors.get(i).data().close();
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
