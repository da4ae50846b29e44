package dev.tacit.partitioned.coordinator;

import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.aggregate.Aggregator;
import dev.tacit.partitioned.aggregate.PlainSum;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.gaussian.Repair;
import dev.tacit.partitioned.message.DoubleVector;
import dev.tacit.partitioned.message.Message;
import dev.tacit.partitioned.message.PartyLink;
import dev.tacit.partitioned.message.PartyTerms;
import dev.tacit.partitioned.message.Traffic;
import dev.tacit.partitioned.party.LocalUpdate;
import java.util.ArrayList;
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
    private final Optional<LocalUpdate.SumReading> reading;

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
            Optional<LocalUpdate.SumReading> reading) {
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

    /** Runs all rounds. */
    public Outcome run(List<? extends PartyLink> parties, Listener listener) {
        PartyTerms.requireProtected(parties, aggregator.isPresent());
        Run run = new Run(parties);
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
        return new Outcome(run.global, run.read(), List.copyOf(run.notes), run.traffic);
    }

    /** One run's changing state. */
    private final class Run {
        private final List<? extends PartyLink> parties;
        private final boolean[] used;
        private final List<RoundNote> notes = new ArrayList<>();
        private NaturalGaussian global = start;
        private double noiseVariance;
        private Traffic traffic = Traffic.NONE;

        private int round;
        private int roundsDone;
        private int answered;
        private int raisedCavityDirections;
        private boolean roundUsed;
        private List<Message.Absence> absences = new ArrayList<>();

        Run(List<? extends PartyLink> parties) {
            this.parties = List.copyOf(parties);
            this.used = new boolean[parties.size()];
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
            listener.roundDone(note, read(), traffic);
        }

        private Message.GlobalState state(int party, int number, NaturalGaussian read) {
            return new Message.GlobalState(number, DoubleVector.of(read.naturalParameters()), used[party]);
        }

        /**
         * The party's change, if it answers.
         *
         * @param number of the request, larger than that of any before it to this party
         */
        private Optional<Message.FactorChange> ask(int party, int number, NaturalGaussian read) {
            Message.GlobalState state = state(party, number, read);
            traffic = traffic.plusDown(state);
            Message answer = parties.get(party).answer(state);
            traffic = traffic.plusUp(answer);
            if (answer instanceof Message.FactorChange change) {
                answered++;
                raisedCavityDirections += change.raisedDirections();
                return Optional.of(change);
            }
            if (answer instanceof Message.Absence absence) {
                absences.add(absence);
                return Optional.empty();
            }
            throw new IllegalStateException("a party answered with another kind of message than it was asked for");
        }

        private void apply(double[] change, double weightedMeanNoise) {
            global = global.times(NaturalGaussian.of(prior.family(), prior.dimension(), change), settings.damping);
            noiseVariance += square(settings.damping * weightedMeanNoise);
        }

        void sequential() {
            for (int party = 0; party < parties.size(); party++) {
                Optional<Message.FactorChange> answer = ask(party, round, read());
                if (answer.isPresent()) {
                    apply(answer.get().change().toArray(), answer.get().weightedMeanNoise());
                    used[party] = true;
                }
            }
        }

        /** Whether all parties are there; if not, nobody is asked to release anything. */
        private boolean everybodyIsThere() {
            Attendance attendance = Attendance.of(parties, round, traffic);
            traffic = attendance.traffic();
            absences.addAll(attendance.absences());
            return attendance.isComplete();
        }

        /** Parties send what they released; the sum is read as the sum of their changes. */
        private void addReleases(LocalUpdate.SumReading sums) {
            NaturalGaussian seen = read();
            roundUsed = false;
            if (aggregator.orElseThrow().needsEveryParty() && !everybodyIsThere()) {
                return;
            }
            List<Message.Answer> shares = new ArrayList<>();
            boolean[] asked = new boolean[parties.size()];
            double variance = 0;
            for (int party = 0; party < parties.size(); party++) {
                Message.GlobalState state = state(party, round, seen);
                traffic = traffic.plusDown(state);
                Message answer = parties.get(party).answer(state);
                traffic = traffic.plusUp(answer);
                if (answer instanceof Message.Absence absence) {
                    absences.add(absence);
                } else if (answer instanceof Message.SumReply reply) {
                    shares.add(reply);
                    variance += square(reply.noiseStandardDeviation());
                    asked[party] = true;
                } else if (answer instanceof Message.MaskedShare share) {
                    shares.add(share);
                    variance += square(share.noiseStandardDeviation());
                    asked[party] = true;
                } else {
                    throw new IllegalStateException(
                            "a party answered with another kind of message than it was asked for");
                }
            }
            answered = shares.size();
            Optional<double[]> sum = aggregator.orElseThrow().sum(shares);
            roundUsed = sum.isPresent();
            if (sum.isPresent()) {
                LocalUpdate.Change change = sums.change(seen, sum.get(), Math.sqrt(variance));
                apply(change.change().naturalParameters(), change.weightedMeanNoise());
            }
            for (int party = 0; party < asked.length; party++) {
                used[party] = asked[party] ? roundUsed : used[party];
            }
        }

        void synchronous() {
            if (reading.isPresent()) {
                addReleases(reading.get());
                return;
            }
            NaturalGaussian seen = read();
            List<Message.Answer> changes = new ArrayList<>();
            List<Integer> who = new ArrayList<>();
            double variance = 0;
            for (int party = 0; party < parties.size(); party++) {
                Optional<Message.FactorChange> answer = ask(party, round, seen);
                if (answer.isPresent()) {
                    changes.add(answer.get());
                    variance += square(answer.get().weightedMeanNoise());
                    who.add(party);
                }
            }
            Optional<double[]> sum = aggregator.orElse(new PlainSum(1)).sum(changes);
            roundUsed = sum.isPresent();
            if (sum.isPresent()) {
                apply(sum.get(), Math.sqrt(variance));
            }
            who.forEach(party -> used[party] = roundUsed);
        }

        /** Answers are computed when a party picks up q, and arrive when its time is over. */
        void asynchronous(Schedule.Asynchronous schedule, Listener listener) {
            RandomStream times = RandomStream.ofSeed(schedule.seed());
            int count = parties.size();
            double[] due = new double[count];
            int[] asked = new int[count];
            List<Optional<Message.FactorChange>> underway = new ArrayList<>();
            begin(0);
            for (int party = 0; party < count; party++) {
                underway.add(ask(party, 0, read()));
                asked[party] = 1;
                due[party] = duration(schedule, party, times);
            }
            for (int delivery = 1; delivery <= settings.rounds * count; delivery++) {
                int first = 0;
                for (int party = 1; party < count; party++) {
                    first = due[party] < due[first] ? party : first;
                }
                Optional<Message.FactorChange> answer = underway.get(first);
                answer.ifPresent(change -> apply(change.change().toArray(), change.weightedMeanNoise()));
                used[first] |= answer.isPresent();
                if (delivery % count == 0) {
                    end(listener);
                    begin(round + 1);
                }
                if (asked[first] < settings.rounds) {
                    underway.set(first, ask(first, asked[first], read()));
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

    private static double square(double value) {
        return value * value;
    }
}
