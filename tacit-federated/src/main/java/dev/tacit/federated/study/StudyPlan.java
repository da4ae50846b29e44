package dev.tacit.federated.study;

import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.calibrate.CalibrationException;
import dev.tacit.accounting.confirm.Confirmed;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.data.schema.SchemaException;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.federated.crypto.ContentHash;
import dev.tacit.federated.factor.ChangeRules;
import dev.tacit.federated.message.StudyTerms;
import dev.tacit.federated.noise.LayeredNoiseShare;
import dev.tacit.fit.artefact.DataShapes;
import dev.tacit.fit.run.PlanChecks;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.model.GaussianMarginModel;
import dev.tacit.noise.NoiseLayer;
import dev.tacit.partitioned.dealt.FactorInference;
import dev.tacit.partitioned.party.RecordSteps;
import dev.tacit.partitioned.shard.PartyRule;
import dev.tacit.partitioned.shard.PartyShards;
import dev.tacit.partitioned.shard.PartyView;
import dev.tacit.run.CalibratedPlan;
import dev.tacit.run.method.FitMethod;
import dev.tacit.run.method.MethodCatalogue;
import dev.tacit.run.method.SettingException;
import dev.tacit.run.method.SettingValues;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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
 *   own noise    everything that a party sends holds all of its noise, (z C)² a release         one epsilon, of z, against all
 * </pre>
 *
 * All records of a person are assumed to be at one party, so what the others release says nothing about them (parallel composition).
 *
 * @param study what was agreed on
 * @param method kernel and model, the same at all parties and at the coordinator
 * @param plan all releases, of sums over all parties
 */
public record StudyPlan(Study study, FitMethod<?, ?> method, ReleasePlan plan) {
    private static final String PARTITIONED = "dp-pvi";
    private static final String AGGREGATOR = "aggregator";

    /** Works a study out; refuses what cannot be run across parties. */
    public static StudyPlan of(Study study) {
        FitMethod<?, ?> method = method(study.fitted(), study.parties());
        if (isOwnNoise(study.fitted()) != (study.noise() == Study.Noise.OWN)) {
            throw new StudyException("noise is each party's own, and not shared, if parties send changes of factors"
                    + " that nobody adds up: with way=dp-optimisation or aggregator=none");
        }
        StudyPlan found = new StudyPlan(
                study, method, plan(method, study.fitted().schema().size()));
        if (found.plan.releases() > Integer.MAX_VALUE) {
            throw new StudyException("the study has " + found.plan.releases() + " releases, which is more than a study"
                    + " can have; ask for fewer rounds");
        }
        found.requireNoise();
        return found;
    }

    /** Refuses noise that nobody can add or add up; a study that was written by hand may say any. */
    private void requireNoise() {
        try {
            PlanChecks.requireRoom(
                    plan, study.noiseMultiplier(), study.fitted().schema().size());
            event(noiseMultiplierAlone());
        } catch (IllegalArgumentException e) {
            throw new StudyException("the noise-multiplier of the study cannot be used: " + e.getMessage(), e);
        }
    }

    /** Whether what is fitted needs all of the noise at every party, and no masks: DP optimisation, or a study without an aggregator. */
    public static boolean isOwnNoise(Study.Fitted fitted) {
        return fitted.method().equals(PARTITIONED)
                && ("dp-optimisation".equals(fitted.settings().get("way"))
                        || "none".equals(fitted.settings().get(AGGREGATOR)));
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
            boolean own = isOwnNoise(fitted);
            requireOwn(settings, AGGREGATOR, own ? "none" : "trusted");
            StudySchedule.require(settings, own);
            if (own) {
                StudySchedule.onOneTable(settings);
            }
            if (settings.containsKey("party-column") || settings.containsKey("partition")) {
                throw new StudyException("the parties of a study have their own records, so no rule deals them out");
            }
        }
        try {
            FitMethod<?, ?> method = MethodCatalogue.find(
                    fitted.model(), fitted.method(), DataShapes.of(fitted.schema()), new SettingValues(settings), true);
            if (!isOwnNoise(fitted)) {
                return method;
            }
            if (!(method.kernel() instanceof FactorInference kernel && kernel.local() instanceof RecordSteps)) {
                throw new StudyException("parties add all of their noise themselves with way=dp-optimisation or"
                        + " way=virtual; for other ways leave aggregator out");
            }
            return StudySchedule.as(method, fitted);
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
                    "parties of a study do not take turns; use schedule=synchronous, or asynchronous with own noise");
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

    /** How changes of factors become an approximation; empty if parties send sums under masks. */
    public Optional<ChangeRules> changes() {
        return factors()
                .map(kernel -> new ChangeRules(
                        FactorInference.prior((GaussianMarginModel) method.model()),
                        kernel.settings(),
                        StudySchedule.isAsynchronous(study.fitted()),
                        study.parties() - study.missing()));
    }

    /** The kernel of changes of factors; empty if parties send sums under masks. */
    public Optional<FactorInference> factors() {
        return study.noise() == Study.Noise.OWN && method.kernel() instanceof FactorInference kernel
                ? Optional.of(kernel)
                : Optional.empty();
    }

    /** What one party releases: all of its records are its own, dealt out to shards by their own numbers if there are any. */
    public ReleasePlan partyPlan() {
        if (factors().isPresent()) {
            return factors()
                    .get()
                    .local()
                    .releases()
                    .plan(factors().get().settings().rounds())
                    .forRows(plan.rowNormBound());
        }
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
        if (factors().isPresent()) {
            return new StudyTerms(
                    agreed(partyPlan()),
                    HexFormat.of().parseHex(study.coordinator()),
                    study.members().stream().map(StudyMember::party).toList(),
                    0,
                    0,
                    false,
                    factors().get().settings().rounds(),
                    InferenceKernel.largestRelease(partyPlan()));
        }
        return new StudyTerms(
                agreed(plan),
                HexFormat.of().parseHex(study.coordinator()),
                study.members().stream().map(StudyMember::party).toList(),
                study.colluders(),
                study.missing(),
                study.noise() == Study.Noise.LAYERS,
                releases(),
                InferenceKernel.largestRelease(plan));
    }

    /**
     * The hash of the study and of what this program makes of it: two that would add noise on other grids, or other sums, share no masks. Numbers
     * are compared to nine digits, because machines may differ in the last ones.
     */
    private byte[] agreed(ReleasePlan releases) {
        StringBuilder numbers = new StringBuilder();
        for (ReleasePlan.Phase phase : releases.phases()) {
            double rate =
                    phase.sampling() instanceof SamplingScheme.PoissonSampling poisson ? poisson.samplingRate() : 1;
            numbers.append(String.format(
                    Locale.ROOT,
                    "%d %d %.8e %.8e %a%n",
                    phase.times(),
                    phase.dimension(),
                    rate,
                    phase.relativeNoise(),
                    new DiscreteGaussianMechanism(study.noiseMultiplier())
                            .scaled(phase.relativeNoise())
                            .grid(1, phase.dimension())
                            .granularity()));
        }
        return ContentHash.of("planned", study.hash(), numbers.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** The noise of one party that adds all of it. */
    public DiscreteGaussianMechanism ownMechanism() {
        return new DiscreteGaussianMechanism(study.noiseMultiplier());
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
        return partyPlan().event(factors().isPresent() ? ownMechanism() : partyMechanism(List::of));
    }

    /** Against everybody, if at most the study's colluders work together with the coordinator. */
    public double epsilon() {
        return epsilon(study.noiseMultiplier()).upper();
    }

    /** If all other parties and the coordinator work together: what one party's own noise promises, without the layers that others know. */
    public double epsilonAlone() {
        return epsilon(noiseMultiplierAlone()).upper();
    }

    /**
     * Asks a second engine about both epsilons, before anybody is charged; a study that two engines contradict each other about is refused.
     *
     * @return who agrees about the epsilon of the study
     */
    public Optional<Confirmed> confirmed() {
        if (factors().isEmpty()) {
            confirmed(noiseMultiplierAlone());
        }
        return confirmed(study.noiseMultiplier());
    }

    private Optional<Confirmed> confirmed(double noiseMultiplier) {
        return PlanChecks.confirmed(
                epsilon(noiseMultiplier), event(noiseMultiplier), study.budget().delta(), neighbours());
    }

    private double noiseMultiplierAlone() {
        return factors().isPresent()
                ? study.noiseMultiplier()
                : study.noiseMultiplier() / Math.sqrt(terms().noiseLayers().baseDenominator());
    }

    private EpsilonBound epsilon(double noiseMultiplier) {
        return new ExactAccountant()
                .epsilon(event(noiseMultiplier), study.budget().delta(), neighbours());
    }

    private PrivacyEvent event(double noiseMultiplier) {
        return partyPlan().event(new DiscreteGaussianMechanism(noiseMultiplier));
    }

    private Neighbours neighbours() {
        return study.fitted().schema().privacyUnit().neighbours();
    }

    /** Standard deviation of the noise of a sum over that of one trusted curator, if so many parties are missing. */
    public double noiseAgainstCurator(int absent) {
        if (factors().isPresent()) {
            return Math.sqrt(study.parties() - absent);
        }
        return Math.sqrt(terms().noiseLayers().relativeVariance(study.parties() - absent, absent));
    }
}
