package dev.tacit.partitioned.dealt;

import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.inference.Step;
import dev.tacit.json.JsonFields;
import dev.tacit.json.PackedNumbers;
import dev.tacit.model.GaussianMarginModel;
import dev.tacit.model.RowBounded;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.coordinator.Coordinator;
import dev.tacit.partitioned.coordinator.Schedule;
import dev.tacit.partitioned.gaussian.Cavity;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.party.LocalSteps;
import dev.tacit.partitioned.party.RecordSteps;
import dev.tacit.partitioned.party.ShardSteps;
import dev.tacit.partitioned.shard.PartyRule;
import dev.tacit.partitioned.shard.PartyShardSum;
import dev.tacit.partitioned.shard.PartyShards;
import dev.tacit.partitioned.shard.PartyTurns;
import dev.tacit.partitioned.shard.PartyView;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.DiagonalGaussianPosterior;
import dev.tacit.query.ContributionSum;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Partitioned variational inference on records in one place that are dealt out to parties by a public rule.
 *
 * <pre>
 *   q = p · Π_m t_m        party m changes t_m by {@link LocalSteps};        q ← q · change^damping,  t_m ← t_m · change^damping
 *   synchronous            one release holds a block of numbers for each party           {@link PartyBlocks}
 *   sequential             one release holds the numbers of the party whose turn it is    {@link PartyTurns}
 * </pre>
 *
 * Ashman et al. 2022, Algorithm 1; Heikkilä, Ashman, Swaroop, Turner, Honkela 2023, Algorithm 1. The steps are those of
 * {@link dev.tacit.partitioned.party.FactorParty}, and {@link Coordinator} and this kernel end in the same q
 * ({@code FactorInferenceTest}). No messages are sent: the records are in one place and have one ledger, which is charged once, with
 * one event for all parties.
 */
public final class FactorInference
        implements InferenceKernel<GaussianMarginModel, FactorInference.State>, PartyProtocol {
    /**
     * Where the releases so far have led.
     *
     * @param releases how many there were
     * @param global natural parameters of q, possibly improper
     * @param noiseVariance of the weighted means of q
     * @param factors natural parameters of the parties' factors, one after the other
     * @param memories what each party keeps
     */
    public record State(
            long releases, double[] global, double noiseVariance, double[] factors, List<double[]> memories) {}

    /** The models here have averages that are known, so nothing is drawn. */
    private static final RandomStream NO_DRAWS = RandomStream.ofSeed(0);

    private final PartyRule rule;
    private final boolean aggregator;
    private final LocalSteps local;
    private final LocalSteps.Releases releases;
    private final Coordinator.Settings settings;
    private final boolean sequential;

    /**
     * @param rule who is where
     * @param aggregator whether an aggregator adds up the parties' changes before anybody else sees them; then all parties
     *     answer as one, whose changes must be sums over records or shards
     * @param local how a party changes its factor
     * @param settings rounds, schedule (not asynchronous), damping and how q is read
     */
    public FactorInference(PartyRule rule, boolean aggregator, LocalSteps local, Coordinator.Settings settings) {
        this.rule = Objects.requireNonNull(rule, "rule");
        this.aggregator = aggregator;
        this.local = Objects.requireNonNull(local, "local");
        this.releases = local.releases();
        this.settings = Objects.requireNonNull(settings, "settings");
        if (settings.schedule() instanceof Schedule.Asynchronous) {
            throw new IllegalArgumentException("records in one place are asked in a fixed order");
        }
        if (releases.family() != GaussianFamily.MEAN_FIELD) {
            throw new IllegalArgumentException("records in one place have factors of independent Gaussians");
        }
        this.sequential = settings.schedule() instanceof Schedule.Sequential;
        if (aggregator && (sequential || !releases.addsUp())) {
            throw new IllegalArgumentException(
                    "an aggregator adds up sums over records, of all parties at the same time");
        }
    }

    @Override
    public PartyRule rule() {
        return rule;
    }

    @Override
    public boolean aggregator() {
        return aggregator;
    }

    /** How a party changes its factor. */
    public LocalSteps local() {
        return local;
    }

    /** Rounds, schedule, damping and how q is read. */
    public Coordinator.Settings settings() {
        return settings;
    }

    /** What q is before the first round. */
    public static NaturalGaussian prior(GaussianMarginModel model) {
        return NaturalGaussian.centred(GaussianFamily.MEAN_FIELD, model.dimension(), model.priorPrecision());
    }

    /** The state after all rounds of parties with records of their own, of which only q is known here. */
    public State reached(NaturalGaussian global, double noiseVariance) {
        return new State(
                settings.rounds() * inARound(), global.naturalParameters(), noiseVariance, new double[0], List.of());
    }

    /** Noise that went through an optimiser is not known any more. */
    @Override
    public boolean noiseCounted() {
        return releases.addsUp();
    }

    @Override
    public List<Exchange> exchanges(ReleasePlan plan) {
        return List.of(
                new Exchange("changes of its factor", settings.rounds(), releases.dimension(), releases.dimension()));
    }

    @Override
    public String name() {
        return "dp-pvi";
    }

    /** How many answers a round has. */
    private int parties() {
        return aggregator ? 1 : rule.parties();
    }

    @Override
    public ReleasePlan plan(GaussianMarginModel model, long publicSize) {
        ReleasePlan plan = ReleasePlan.of(
                        releases.label()
                                + (sequential
                                        ? " of one party"
                                        : parties() == 1 ? "" : " of " + parties() + " parties"),
                        settings.rounds() * inARound(),
                        Math.multiplyExact(releases.dimension(), sequential ? 1 : parties()),
                        releases.sampling())
                .forRows(RowBounded.of(model));
        Optional<PartyTurns> turns =
                sequential && parties() > 1 ? Optional.of(new PartyTurns(rule, releases.times())) : Optional.empty();
        Optional<PartyShards> shards = local instanceof ShardSteps steps
                ? Optional.of(new PartyShards(rule, steps.shards(), steps.shardKey()))
                : Optional.empty();
        return turns.isPresent() || shards.isPresent() ? plan.seenBy(new PartyView(turns, shards)) : plan;
    }

    /** How many releases a round has. */
    private long inARound() {
        return releases.times() * (sequential ? (long) parties() : 1);
    }

    private static NaturalGaussian gaussian(GaussianMarginModel model, double[] parameters) {
        return NaturalGaussian.of(GaussianFamily.MEAN_FIELD, model.dimension(), parameters);
    }

    private NaturalGaussian read(State state, GaussianMarginModel model) {
        return settings.repair()
                .read(gaussian(model, state.global), prior(model), state.noiseVariance, state.releases / inARound());
    }

    @Override
    public State init(GaussianMarginModel model, long publicSize, RandomStream random) {
        int size = GaussianFamily.MEAN_FIELD.size(model.dimension());
        List<double[]> memories = new ArrayList<>();
        for (int party = 0; party < parties(); party++) {
            memories.add(new double[0]);
        }
        return new State(0, prior(model).naturalParameters(), 0, new double[parties() * size], memories);
    }

    /** The first of the parties that work at a release, and how many they are. */
    private int firstAt(long release) {
        return sequential ? (int) (release / releases.times() % parties()) : 0;
    }

    private int workers() {
        return sequential ? 1 : parties();
    }

    @Override
    public Step<State> step(State state, GaussianMarginModel model, PrivateSession session, RandomStream random) {
        LocalSteps.PublicPart known = publicPart(model, random);
        State begun = begun(state, model, known);
        NoisySum released;
        if (local instanceof ShardSteps steps) {
            released = session.release(
                    new PartyShardSum(queries(begun, memory -> steps.query(memory, known))), releases.l2Bound());
        } else {
            RecordSteps steps = (RecordSteps) local;
            List<ContributionSum> queries = queries(begun, memory -> steps.query(memory, known));
            released = session.release(
                    queries.size() == 1 ? queries.get(0) : new PartyBlocks(rule, queries), releases.l2Bound());
        }
        return new Step<>(moved(begun, model, Optional.of(released), session.publicSize()), released);
    }

    private LocalSteps.PublicPart publicPart(GaussianMarginModel model, RandomStream random) {
        return new LocalSteps.PublicPart(prior(model), settings.damping(), random, 0);
    }

    /** What each party that works at the next release is asked; parties with the same memory share a query. */
    private <Q> List<Q> queries(State state, Function<double[], Q> query) {
        int first = firstAt(state.releases);
        List<Q> queries = new ArrayList<>();
        for (int party = first; party < first + workers(); party++) {
            boolean same = party > first && Arrays.equals(state.memories.get(party), state.memories.get(party - 1));
            queries.add(same ? queries.get(queries.size() - 1) : query.apply(state.memories.get(party)));
        }
        return queries;
    }

    /** Parties whose round begins look at q. */
    private State begun(State state, GaussianMarginModel model, LocalSteps.PublicPart known) {
        if (state.releases % releases.times() != 0) {
            return state;
        }
        NaturalGaussian global = read(state, model);
        List<double[]> memories = new ArrayList<>(state.memories);
        int first = firstAt(state.releases);
        for (int party = first; party < first + workers(); party++) {
            NaturalGaussian own = ownFactor(state, model, party);
            NaturalGaussian cavity = Cavity.of(global, own, known.prior()).raised();
            memories.set(party, local.begin(memories.get(party), new LocalSteps.Round(global, own, cavity, known)));
        }
        return new State(state.releases, state.global, state.noiseVariance, state.factors, memories);
    }

    private NaturalGaussian factor(State state, GaussianMarginModel model, int party) {
        int size = state.global.length;
        return gaussian(model, Arrays.copyOfRange(state.factors, party * size, (party + 1) * size));
    }

    /** Behind an aggregator nobody knows a party's own factor, so its equal share of the product of all is used. */
    private NaturalGaussian ownFactor(State state, GaussianMarginModel model, int party) {
        NaturalGaussian known = factor(state, model, party);
        return aggregator ? known.power(1.0 / rule.parties()) : known;
    }

    private State moved(State state, GaussianMarginModel model, Optional<NoisySum> released, long publicSize) {
        int first = firstAt(state.releases);
        boolean last = (state.releases + 1) % releases.times() == 0;
        NaturalGaussian read = read(state, model);
        List<double[]> memories = new ArrayList<>(state.memories);
        double[] global = state.global.clone();
        double[] factors = state.factors.clone();
        double noiseVariance = state.noiseVariance;
        for (int place = 0; place < workers(); place++) {
            int party = first + place;
            Optional<NoisySum> part = part(released, place);
            double[] before = memories.get(party);
            double[] memory = part.isPresent()
                    ? local.after(before, part.get(), (double) publicSize / parties())
                    : local.withoutRelease(before);
            memories.set(party, memory);
            if (last) {
                LocalSteps.Change change = local.change(memory, read, part);
                double[] parameters = change.change().naturalParameters();
                for (int i = 0; i < global.length; i++) {
                    global[i] += settings.damping() * parameters[i];
                    factors[party * global.length + i] += settings.damping() * parameters[i];
                }
                double noise = settings.damping() * change.weightedMeanNoise();
                noiseVariance += noise * noise;
            }
        }
        return new State(state.releases + 1, global, noiseVariance, factors, memories);
    }

    /** One party's block of a release. */
    private Optional<NoisySum> part(Optional<NoisySum> released, int place) {
        int size = releases.dimension();
        return released.map(all -> all.derived(
                Arrays.copyOfRange(all.value(), place * size, (place + 1) * size),
                all.noiseStandardDeviation(),
                all.expectedBatchSize() / parties()));
    }

    /** A party that lost a local step goes on with the next; one that lost its only one keeps its last factor. */
    @Override
    public State without(State state, GaussianMarginModel model) {
        return moved(begun(state, model, publicPart(model, NO_DRAWS)), model, Optional.empty(), 1);
    }

    /**
     * Variances 1/λ + τ²/(λ Λ), λ being the precision that was released and Λ the one that is read.
     *
     * <p>If h were known, the weight would be N(h/λ, 1/λ). Noise of variance τ² in h leaves h/λ open: a weight of the signal's
     * variance v is then h/Λ with Λ = λ + τ²/(v λ), and its variance (1/v + λ²/τ²)⁻¹ = τ²/(λ Λ).
     */
    @Override
    public Posterior posterior(State state, GaussianMarginModel model) {
        Posterior records = posteriorWithoutPrivacyNoise(state, model);
        double[] released =
                gaussian(model, state.global).withPrecisionOf(prior(model)).precisionDiagonal();
        double[] read = read(state, model).precisionDiagonal();
        double[] variances = new double[read.length];
        for (int j = 0; j < variances.length; j++) {
            variances[j] = (1 + state.noiseVariance / read[j]) / released[j];
        }
        return new DiagonalGaussianPosterior(model.parameterNames(), records.mean(), variances);
    }

    /** q as it is read, which counts the records only. */
    public Posterior posteriorWithoutPrivacyNoise(State state, GaussianMarginModel model) {
        return read(state, model).normalise(model.parameterNames()).orElseThrow("a raised approximation is proper");
    }

    @Override
    public Map<String, Object> toJson(State state) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("releases", state.releases);
        json.put("global", PackedNumbers.write(state.global));
        json.put("noiseVariance", state.noiseVariance);
        json.put("factors", PackedNumbers.write(state.factors));
        for (int party = 0; party < parties(); party++) {
            json.put("memory" + party, PackedNumbers.write(state.memories.get(party)));
        }
        return json;
    }

    @Override
    public State fromJson(JsonFields json) {
        List<double[]> memories = new ArrayList<>();
        for (int party = 0; party < parties(); party++) {
            memories.add(PackedNumbers.read(json, "memory" + party));
        }
        State state = new State(
                json.integer("releases"),
                PackedNumbers.read(json, "global"),
                json.number("noiseVariance"),
                PackedNumbers.read(json, "factors"),
                memories);
        json.end();
        return state;
    }
}
