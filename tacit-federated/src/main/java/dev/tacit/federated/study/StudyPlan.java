package dev.tacit.federated.study;

import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.calibrate.CalibrationException;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.data.schema.SchemaException;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.federated.noise.LayeredNoiseShare;
import dev.tacit.federated.protocol.StudyTerms;
import dev.tacit.fit.artefact.DataShapes;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.noise.NoiseLayer;
import dev.tacit.partitioned.shard.PartyRule;
import dev.tacit.partitioned.shard.PartyShards;
import dev.tacit.partitioned.shard.PartyView;
import dev.tacit.run.CalibratedPlan;
import dev.tacit.run.method.FitMethod;
import dev.tacit.run.method.MethodCatalogue;
import dev.tacit.run.method.SettingException;
import dev.tacit.run.method.SettingValues;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What follows from a study, and what every party computes for itself: its releases, and what they cost against whom.
 *
 * <pre>
 *   a sum        holds honest noise of variance (z C)² whoever is missing          epsilon of noise multiplier z
 *   one party    whatever all others and the coordinator do, its own noise:
 *                in shares  (z C)²/(M − T − d),   in layers  (z C)²/(M − T)          epsilon of z/√(M − T − d), z/√(M − T)
 * </pre>
 *
 * A person's records are at one party, so what the others release says nothing about them (parallel composition).
 *
 * @param study what was agreed on
 * @param method kernel and model, the same at all parties and at the coordinator
 * @param plan all releases, of sums over all parties
 */
public record StudyPlan(Study study, FitMethod<?, ?> method, ReleasePlan plan) {
    private static final String PARTITIONED = "dp-pvi";

    /** Works a study out; refuses what cannot be run across parties. */
    public static StudyPlan of(Study study) {
        FitMethod<?, ?> method = method(study.fitted(), study.parties());
        return new StudyPlan(study, method, plan(method, study.fitted().schema().size()));
    }

    /** The least noise that keeps a budget. */
    public static double noiseMultiplier(Study.Fitted fitted, int parties, PrivacyBudget budget) {
        ReleasePlan plan = plan(method(fitted, parties), fitted.schema().size());
        try {
            return CalibratedPlan.of(
                            plan,
                            budget,
                            new ExactAccountant(),
                            fitted.schema().privacyUnit().neighbours())
                    .noiseMultiplier();
        } catch (CalibrationException e) {
            throw new StudyException(e.getMessage(), e);
        }
    }

    private static FitMethod<?, ?> method(Study.Fitted fitted, int parties) {
        if (!fitted.schema().columnsWithPrivateBounds().isEmpty()) {
            throw new StudyException("the schema of a study declares all bounds: parties buy none");
        }
        Map<String, String> settings = new LinkedHashMap<>(fitted.settings());
        if (fitted.method().equals(PARTITIONED)) {
            requireOwn(settings, "parties", Integer.toString(parties));
            requireOwn(settings, "aggregator", "trusted");
            if (settings.containsKey("party-column") || settings.containsKey("partition")) {
                throw new StudyException("the parties of a study have their own records, so no rule deals them out");
            }
        }
        try {
            return MethodCatalogue.find(
                    fitted.model(), fitted.method(), DataShapes.of(fitted.schema()), new SettingValues(settings), true);
        } catch (SettingException | SchemaException e) {
            throw new StudyException(e.getMessage(), e);
        }
    }

    private static void requireOwn(Map<String, String> settings, String name, String value) {
        if (!settings.getOrDefault(name, value).equals(value)) {
            throw new StudyException("the setting " + name + " follows from the study; leave it out");
        }
        settings.put(name, value);
    }

    private static <M, S extends Record> ReleasePlan plan(FitMethod<M, S> method, long publicSize) {
        ReleasePlan plan;
        try {
            plan = method.kernel().plan(method.model(), publicSize);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new StudyException(e.getMessage(), e);
        }
        if (PartyView.turnsOf(plan).isPresent()) {
            throw new StudyException(
                    "sums over all parties need answers of all at the same time; use schedule=synchronous");
        }
        for (ReleasePlan.Phase phase : plan.phases()) {
            if (phase.sampling() instanceof SamplingScheme.FixedSizeSampling) {
                throw new StudyException(
                        "batches of fixed size are drawn in one place; use Poisson sampling across parties");
            }
        }
        return plan;
    }

    /** How many releases every party makes. */
    public int releases() {
        return Math.toIntExact(plan.releases());
    }

    /** What one party releases: all of its records are its own, dealt out to shards by their own numbers if there are any. */
    public ReleasePlan partyPlan() {
        Optional<PartyShards> shards = PartyView.shardsOf(plan);
        return shards.isEmpty()
                ? plan
                : plan.seenBy(new PartyView(
                        Optional.empty(),
                        Optional.of(new PartyShards(
                                new PartyRule.Hashed(1, 0),
                                shards.get().shards(),
                                shards.get().key()))));
    }

    /** What the protocol needs to know. */
    public StudyTerms terms() {
        return new StudyTerms(
                study.hash(),
                HexFormat.of().parseHex(study.coordinator()),
                study.members().stream().map(StudyMember::party).toList(),
                study.colluders(),
                study.missing(),
                study.noise() == Study.Noise.LAYERS,
                releases(),
                InferenceKernel.largestRelease(plan));
    }

    /** The noise of one party, which adds its layers of a round. */
    public LayeredNoiseShare partyMechanism(Supplier<List<NoiseLayer>> layers) {
        return new LayeredNoiseShare(study.noiseMultiplier(), terms().noiseLayers(), layers);
    }

    /** The noise of a phase, for whoever adds none. */
    public LayeredNoiseShare publicNoise(ReleasePlan.Phase phase) {
        return LayeredNoiseShare.publicPart(study.noiseMultiplier(), terms().noiseLayers())
                .scaled(phase.relativeNoise());
    }

    /** What a party's ledger is charged with. */
    public PrivacyEvent event() {
        return partyPlan().event(partyMechanism(List::of));
    }

    /** Against everybody, if at most the study's colluders work together with the coordinator. */
    public double epsilon() {
        return epsilon(study.noiseMultiplier());
    }

    /** If all other parties and the coordinator work together: what one party's own noise promises, without the layers that others know. */
    public double epsilonAlone() {
        return epsilon(study.noiseMultiplier() / Math.sqrt(terms().noiseLayers().baseDenominator()));
    }

    private double epsilon(double noiseMultiplier) {
        EpsilonBound bound = new ExactAccountant()
                .epsilon(
                        partyPlan().event(new DiscreteGaussianMechanism(noiseMultiplier)),
                        study.budget().delta(),
                        study.fitted().schema().privacyUnit().neighbours());
        return bound.upper();
    }

    /** Standard deviation of the noise of a sum over that of one trusted curator, if so many parties are missing. */
    public double noiseAgainstCurator(int absent) {
        return Math.sqrt(terms().noiseLayers().relativeVariance(study.parties() - absent, absent));
    }
}
