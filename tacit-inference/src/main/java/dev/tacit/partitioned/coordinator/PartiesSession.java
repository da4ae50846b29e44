package dev.tacit.partitioned.coordinator;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.RunPosition;
import dev.tacit.door.noise.Provenance;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.partitioned.aggregate.Aggregator;
import dev.tacit.partitioned.aggregate.GridSum;
import dev.tacit.partitioned.message.JoinedLink;
import dev.tacit.partitioned.message.Message;
import dev.tacit.partitioned.message.PartyTerms;
import dev.tacit.partitioned.message.Traffic;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The doors of all parties as one: a release is the sum of what every party releases through its own.
 *
 * <pre>
 *   without an aggregator   Σ_m (sum_m + noise of the whole multiplier)        the coordinator sees every term
 *   with one                Σ_m (sum_m + noise share)                          and here the sum only
 * </pre>
 *
 * So every kernel whose queries can be sent ({@link SentQuery}) runs across parties unchanged, and knows the noise of the
 * sum. A kernel's state holds released sums only, hence no party needs one.
 */
public final class PartiesSession implements PrivateSession {
    /** The aggregator refused a round because too few parties answered; nothing was seen of it. */
    public static final class RoundRefused extends RuntimeException {
        private static final long serialVersionUID = 1L;

        RoundRefused(int round) {
            super("too few parties answered in round " + round);
        }
    }

    private final ReleasePlan plan;
    private final List<? extends JoinedLink> parties;
    private final long publicSize;
    private final PrivacyUnit unit;
    private final Provenance provenance;
    private final Optional<Aggregator> aggregator;
    private final StandIn standIn;
    private final Map<String, List<StandIn.Exchange>> past = new LinkedHashMap<>();
    private final List<Message.Absence> absences = new ArrayList<>();
    private final Asking asking;
    private int made;

    /**
     * @param plan all releases
     * @param parties which have joined for it
     * @param publicSize declared number of units of all parties
     * @param unit who is protected
     * @param provenance whether what the parties release may be published
     * @param aggregator who adds up the answers; empty if the coordinator does
     * @param standIn for parties that do not answer; not used with an aggregator
     * @param patience how long answers are waited for
     */
    public PartiesSession(
            ReleasePlan plan,
            List<? extends JoinedLink> parties,
            long publicSize,
            PrivacyUnit unit,
            Provenance provenance,
            Optional<Aggregator> aggregator,
            StandIn standIn,
            Patience patience) {
        this.asking = new Asking(patience);
        this.plan = Objects.requireNonNull(plan, "plan");
        this.parties = List.copyOf(parties);
        this.publicSize = publicSize;
        this.unit = Objects.requireNonNull(unit, "unit");
        this.provenance = Objects.requireNonNull(provenance, "provenance");
        this.aggregator = Objects.requireNonNull(aggregator, "aggregator");
        this.standIn = Objects.requireNonNull(standIn, "standIn");
        PartyTerms.requireProtected(this.parties, aggregator.isPresent());
    }

    @Override
    public NoisySum release(RecordSum query, double l2Bound) {
        if (!(query instanceof SentQuery sent)) {
            throw new IllegalArgumentException("a query across parties has a name and public numbers");
        }
        ReleasePlan.Phase phase = plan.phaseOf(made);
        PartyTerms.requireNamed(parties, plan, made, l2Bound);
        Message.SumRequest request = new Message.SumRequest(made, sent.name(), sent.numbers(), l2Bound);
        made++;
        if (aggregator.map(Aggregator::needsEveryParty).orElse(false)) {
            requireEveryParty(request.round());
        }
        List<Message.Answer> shares = new ArrayList<>();
        List<Message.SumReply> replies = new ArrayList<>();
        List<double[]> standIns = new ArrayList<>();
        double variance = 0;
        List<Message> answers = asking.all(parties, party -> request);
        for (int i = 0; i < answers.size(); i++) {
            String party = parties.get(i).name();
            Message answer = answers.get(i);
            if (answer instanceof Message.SumReply reply) {
                shares.add(reply);
                replies.add(reply);
                variance += reply.noiseStandardDeviation() * reply.noiseStandardDeviation();
                remember(party, new StandIn.Exchange(request, reply));
            } else if (answer instanceof Message.MaskedShare share && aggregator.isPresent()) {
                shares.add(share);
                variance += share.noiseStandardDeviation() * share.noiseStandardDeviation();
            } else if (answer instanceof Message.Absence absence) {
                absences.add(absence);
                variance += standIn(party, request, standIns);
            } else {
                throw Asking.otherKind();
            }
        }
        double[] sum = (aggregator.isPresent() ? aggregator.get().sum(shares) : sum(replies, standIns))
                .orElseThrow(() -> new RoundRefused(request.round()));
        return NoisySum.received(sum, Math.sqrt(variance), phase.sampling().expectedBatchSize(publicSize), provenance);
    }

    /** Nobody releases anything in a round that would stay closed. */
    private void requireEveryParty(int round) {
        List<Message.Absence> missing = asking.missing(parties, round);
        absences.addAll(missing);
        if (!missing.isEmpty()) {
            throw new RoundRefused(round);
        }
    }

    /** Single answers are kept only where the coordinator sees them anyway. */
    private void remember(String party, StandIn.Exchange exchange) {
        if (aggregator.isEmpty() && standIn != StandIn.NONE) {
            past.computeIfAbsent(party, unused -> new ArrayList<>()).add(exchange);
        }
    }

    /** The sum of what the coordinator sees, or nothing if nobody answered: integers first, then what stands in for others. */
    private static Optional<double[]> sum(List<Message.SumReply> replies, List<double[]> standIns) {
        if (replies.isEmpty() && standIns.isEmpty()) {
            return Optional.empty();
        }
        double[] sum = replies.isEmpty() ? new double[standIns.get(0).length] : GridSum.ofReleases(replies);
        standIns.forEach(numbers -> GridSum.add(sum, numbers));
        return Optional.of(sum);
    }

    /** Adds what stands in for a party; returns the variance of its noise. */
    private double standIn(String party, Message.SumRequest request, List<double[]> standIns) {
        List<StandIn.Exchange> known = past.getOrDefault(party, List.of());
        Optional<double[]> sum = aggregator.isPresent() ? Optional.empty() : standIn.sum(known, request);
        double noise = sum.isPresent() ? known.get(known.size() - 1).reply().noiseStandardDeviation() : 0;
        sum.ifPresent(standIns::add);
        return noise * noise;
    }

    @Override
    public ReleasePlan plan() {
        return plan;
    }

    /** What every party says was charged to its own ledger. */
    @Override
    public PrivacyEvent event() {
        return new PrivacyEvent.Disjoint(
                parties.stream().map(party -> party.terms().event()).toList());
    }

    @Override
    public Provenance provenance() {
        return provenance;
    }

    @Override
    public long released() {
        return made;
    }

    @Override
    public long lostReleases() {
        return 0;
    }

    @Override
    public Optional<RunPosition> position() {
        return Optional.empty();
    }

    @Override
    public long publicSize() {
        return publicSize;
    }

    @Override
    public PrivacyUnit unit() {
        return unit;
    }

    /** Who did not answer when, and why. */
    public List<Message.Absence> absences() {
        return List.copyOf(absences);
    }

    /** What was sent so far. */
    public Traffic traffic() {
        return asking.traffic();
    }
}
