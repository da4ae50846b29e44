package dev.tacit.partitioned.coordinator;

import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.aggregate.Aggregator;
import dev.tacit.partitioned.aggregate.PlainSum;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.gaussian.Repair;
import dev.tacit.partitioned.message.DoubleVector;
import dev.tacit.partitioned.message.JoinedLink;
import dev.tacit.partitioned.message.Message;
import dev.tacit.partitioned.message.PartyTerms;
import dev.tacit.partitioned.message.Traffic;
import dev.tacit.partitioned.party.LocalSteps;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The coordinator of partitioned variational inference: schedule, damping and the global approximation.
 *
 * <pre>
 *   q = p · Π_m t_m        party m answers with a change of t_m;        q ← q · change^damping
 * </pre>
 *
 * Ashman et al. 2022, Algorithm 1; Heikkilä, Ashman, Swaroop, Turner, Honkela 2023, Algorithm 1. A party that does not
 * answer keeps its last factor, which stays in q. With an aggregator the coordinator sees the sum of all changes of a round,
 * and nothing if the aggregator refuses it.
 *
 * <p>q may be improper between rounds. Parties are sent what {@link Repair} reads into it, the raw parameters go on adding
 * up, and every {@link RoundNote} says in how many directions the two differ.
 */
public final class Coordinator {
    /**
     * Public settings.
     *
     * @param rounds how often each party is asked
     * @param schedule who is asked when
     * @param damping share of a change that is applied
     * @param repair how q is read
     */
    public record Settings(int rounds, Schedule schedule, double damping, Repair repair) {
        public Settings {
            Objects.requireNonNull(schedule, "schedule");
            Objects.requireNonNull(repair, "repair");
            if (rounds < 1) {
                throw new IllegalArgumentException("rounds is a number from 1");
            }
            if (!(damping > 0 && damping <= 1)) {
                throw new IllegalArgumentException("damping is a number above 0 and up to 1");
            }
        }

        /** One round of whole changes, all at once: a committee machine. */
        public static Settings once() {
            return new Settings(1, new Schedule.Synchronous(), 1, Repair.floor());
        }

        /** One pass of whole changes, one party after the other: streaming variational inference (Broderick et al. 2013). */
        public static Settings streaming() {
            return new Settings(1, new Schedule.Sequential(), 1, Repair.floor());
        }
    }

    /**
     * What happened in a round.
     *
     * @param round from 0
     * @param answered how many parties answered
     * @param absences who did not, and why
     * @param used false if the aggregator refused the sum because too few answered
     * @param raisedDirections in how many directions q was less certain than the prior
     * @param raisedCavityDirections the same of all parties' cavities
     */
    public record RoundNote(
            int round,
            int answered,
            List<Message.Absence> absences,
            boolean used,
            int raisedDirections,
            int raisedCavityDirections) {}

    /**
     * What the rounds led to.
     *
     * @param global q as it adds up, possibly improper
     * @param read q as it is reported
     * @param notes one for each round
     * @param traffic what was sent
     */
    public record Outcome(NaturalGaussian global, NaturalGaussian read, List<RoundNote> notes, Traffic traffic) {}

    /** Sees rounds go by. */
    @FunctionalInterface
    public interface Listener {
        /** Does nothing. */
        Listener NONE = (note, read, traffic) -> {};

        /** A round is over. */
        void roundDone(RoundNote note, NaturalGaussian read, Traffic traffic);
    }

    private final NaturalGaussian prior;
    private final NaturalGaussian start;
    private final Settings settings;
    private final Optional<Aggregator> aggregator;
    private final Optional<LocalSteps.SumReading> reading;

    public Coordinator(NaturalGaussian prior, Settings settings, Optional<Aggregator> aggregator) {
        this(prior, prior, settings, aggregator);
    }

    /** @param start q before the first round, public: the prior times the first factors of all parties */
    public Coordinator(
            NaturalGaussian prior, NaturalGaussian start, Settings settings, Optional<Aggregator> aggregator) {
        this(prior, start, settings, aggregator, Optional.empty());
    }

    /**
     * @param start q before the first round, public: the prior times the first factors of all parties
     * @param reading how sums of releases are changes, if parties send releases; empty if they send changes
     */
    public Coordinator(
            NaturalGaussian prior,
            NaturalGaussian start,
            Settings settings,
            Optional<Aggregator> aggregator,
            Optional<LocalSteps.SumReading> reading) {
        this.prior = Objects.requireNonNull(prior, "prior");
        this.start = Objects.requireNonNull(start, "start");
        this.settings = Objects.requireNonNull(settings, "settings");
        this.aggregator = Objects.requireNonNull(aggregator, "aggregator");
        this.reading = Objects.requireNonNull(reading, "reading");
        if (reading.isPresent() && aggregator.isEmpty()) {
            throw new IllegalArgumentException("releases are added up by an aggregator");
        }
        if (aggregator.isPresent() && !(settings.schedule instanceof Schedule.Synchronous)) {
            throw new IllegalArgumentException("an aggregator adds up the answers of a round, so parties must be asked"
                    + " at the same time: choose the synchronous schedule");
        }
    }

    /** Runs all rounds, and waits for every answer as long as it takes. */
    public Outcome run(List<? extends JoinedLink> parties, Listener listener) {
        return run(parties, Patience.UNLIMITED, listener);
    }

    /** Runs all rounds. What comes out does not depend on the order in which answers arrive, as long as they arrive in time. */
    public Outcome run(List<? extends JoinedLink> parties, Patience patience, Listener listener) {
        PartyTerms.requireProtected(parties, aggregator.isPresent());
        Run run = new Run(parties, patience);
        if (settings.schedule instanceof Schedule.Asynchronous asynchronous) {
            run.asynchronous(asynchronous, listener);
        } else {
            for (int round = 0; round < settings.rounds; round++) {
                run.begin(round);
                if (settings.schedule instanceof Schedule.Sequential) {
                    run.sequential();
                } else {
                    run.synchronous();
                }
                run.end(listener);
            }
        }
        return new Outcome(run.global, run.read(), List.copyOf(run.notes), run.asking.traffic());
    }

    /** One run's changing state. */
    private final class Run {
        private final List<? extends JoinedLink> parties;
        private final int[] lastUsed;
        private final Asking asking;
        private final List<RoundNote> notes = new ArrayList<>();
        private NaturalGaussian global = start;
        private double noiseVariance;

        private int round;
        private int roundsDone;
        private int answered;
        private int raisedCavityDirections;
        private boolean roundUsed;
        private List<Message.Absence> absences = new ArrayList<>();

        Run(List<? extends JoinedLink> parties, Patience patience) {
            this.parties = List.copyOf(parties);
            this.asking = new Asking(patience);
            this.lastUsed = new int[parties.size()];
            Arrays.fill(lastUsed, Message.GlobalState.NONE_USED);
        }

        NaturalGaussian read() {
            return settings.repair.read(global, prior, noiseVariance, roundsDone);
        }

        void begin(int next) {
            round = next;
            answered = 0;
            raisedCavityDirections = 0;
            roundUsed = true;
            absences = new ArrayList<>();
        }

        void end(Listener listener) {
            RoundNote note = new RoundNote(
                    round,
                    answered,
                    List.copyOf(absences),
                    roundUsed,
                    global.improperDirections(prior),
                    raisedCavityDirections);
            notes.add(note);
            roundsDone++;
            listener.roundDone(note, read(), asking.traffic());
        }

        /** @param number of the request, larger than that of any before it to this party */
        private Message.GlobalState state(int party, int number, NaturalGaussian read) {
            return new Message.GlobalState(number, DoubleVector.of(read.naturalParameters()), lastUsed[party]);
        }

        /** A party's change, if it has answered. */
        private Optional<Message.FactorChange> change(Message answer) {
            if (answer instanceof Message.FactorChange change) {
                answered++;
                raisedCavityDirections += change.raisedDirections();
                return Optional.of(change);
            }
            if (answer instanceof Message.Absence absence) {
                absences.add(absence);
                return Optional.empty();
            }
            throw Asking.otherKind();
        }

        private NaturalGaussian gaussian(double[] naturalParameters) {
            return NaturalGaussian.of(prior.family(), prior.dimension(), naturalParameters);
        }

        private void apply(NaturalGaussian change, double weightedMeanNoise) {
            global = global.times(change, settings.damping);
            noiseVariance += square(settings.damping * weightedMeanNoise);
        }

        /** Applies one party's change. */
        private void apply(int party, Message answer) {
            change(answer).ifPresent(change -> {
                apply(gaussian(change.change().toArray()), change.weightedMeanNoise());
                lastUsed[party] = change.round();
            });
        }

        void sequential() {
            for (int party = 0; party < parties.size(); party++) {
                apply(party, asking.one(parties.get(party), state(party, round, read())));
            }
        }

        void synchronous() {
            NaturalGaussian seen = read();
            roundUsed = false;
            List<Message> answers = asking.all(parties, party -> state(party, round, seen));
            List<Integer> who = new ArrayList<>();
            List<Message.Answer> shares = new ArrayList<>();
            double variance = 0;
            for (int party = 0; party < answers.size(); party++) {
                Message answer = answers.get(party);
                Optional<? extends Message.Answer> share = reading.isPresent() ? released(answer) : change(answer);
                if (share.isPresent()) {
                    shares.add(share.get());
                    who.add(party);
                    variance += square(noise(share.get()));
                }
            }
            Optional<double[]> sum = aggregator.orElse(new PlainSum(1)).sum(shares);
            roundUsed = sum.isPresent();
            if (sum.isPresent()) {
                double noise = Math.sqrt(variance);
                LocalSteps.Change change = reading.isPresent()
                        ? reading.get().change(seen, sum.get(), noise)
                        : new LocalSteps.Change(gaussian(sum.get()), noise);
                apply(change.change(), change.weightedMeanNoise());
                who.forEach(party -> lastUsed[party] = round);
            }
        }

        /** What a party released, if it has answered. */
        private Optional<Message.Answer> released(Message answer) {
            if (answer instanceof Message.Absence absence) {
                absences.add(absence);
                return Optional.empty();
            }
            if (answer instanceof Message.SumReply reply) {
                answered++;
                return Optional.of(reply);
            }
            throw Asking.otherKind();
        }

        /** Answers are computed when a party picks up q, and arrive when its time is over. */
        void asynchronous(Schedule.Asynchronous schedule, Listener listener) {
            RandomStream times = RandomStream.ofSeed(schedule.seed());
            int count = parties.size();
            double[] due = new double[count];
            int[] asked = new int[count];
            List<Asking.Pending> underway = new ArrayList<>();
            begin(0);
            for (int party = 0; party < count; party++) {
                underway.add(asking.begin(parties.get(party), state(party, 0, read())));
                asked[party] = 1;
                due[party] = duration(schedule, party, times);
            }
            for (int delivery = 1; delivery <= settings.rounds * count; delivery++) {
                int first = 0;
                for (int party = 1; party < count; party++) {
                    first = due[party] < due[first] ? party : first;
                }
                apply(first, asking.end(List.of(underway.get(first))).get(0));
                if (delivery % count == 0) {
                    end(listener);
                    begin(round + 1);
                }
                if (asked[first] < settings.rounds) {
                    underway.set(first, asking.begin(parties.get(first), state(first, asked[first], read())));
                    asked[first]++;
                    due[first] += duration(schedule, first, times);
                } else {
                    due[first] = Double.POSITIVE_INFINITY;
                }
            }
        }

        private double duration(Schedule.Asynchronous schedule, int party, RandomStream times) {
            return times.exponential() * Math.pow(schedule.pace(), party);
        }
    }

    /** Of an answer, on each number that is added up. */
    private static double noise(Message.Answer answer) {
        return answer instanceof Message.FactorChange change
                ? change.weightedMeanNoise()
                : ((Message.SumReply) answer).noiseStandardDeviation();
    }

    private static double square(double value) {
        return value * value;
    }
}
