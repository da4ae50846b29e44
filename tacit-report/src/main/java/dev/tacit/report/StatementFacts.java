package dev.tacit.report;

import dev.tacit.door.noise.Provenance;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.unit.PrivacyUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a privacy statement is made of; all of it is public.
 *
 * @param provenance whether the result may be published
 * @param unit who is protected, and from which neighbours
 * @param publicSize the declared number of units
 * @param epsilon the upper bound that holds for this run; infinity if there is none
 * @param delta at which it holds
 * @param accountant who computed it, for example "exact"
 * @param engines which two of its engines answered, as one sentence; empty if that is not known
 * @param deltaAtEpsilonZero an upper bound on the run's delta at epsilon 0, which sharpens the bound on attacks; empty if
 *     the accountant has none
 * @param sampling how batches were drawn, one for each kind of release
 * @param epsilonWithoutSampling an upper bound that holds even for somebody who knows every batch; empty if not computed
 * @param noise which noise, in a few words
 * @param released what left the records, one line each
 * @param ledger the whole spending on these records; empty if the run kept no ledger
 * @param notCovered further things that the promise does not cover, one sentence each
 * @param parties how records were dealt out to parties, in sentences; empty if they were not
 * @param epsilonBeyondMasks an upper bound that holds even for somebody who has the parties' messages and breaks their
 *     cryptography; empty if the promise does not rest on any
 * @param origin when and by what the run was made; empty if that is not known
 * @param usableUnits the released number of usable units; empty if they were not counted
 */
public record StatementFacts(
        Provenance provenance,
        PrivacyUnit unit,
        long publicSize,
        double epsilon,
        double delta,
        String accountant,
        String engines,
        OptionalDouble deltaAtEpsilonZero,
        List<SamplingScheme> sampling,
        OptionalDouble epsilonWithoutSampling,
        String noise,
        List<String> released,
        Optional<LedgerTotal> ledger,
        List<String> notCovered,
        String parties,
        OptionalDouble epsilonBeyondMasks,
        Optional<Origin> origin,
        Optional<UsableUnits> usableUnits) {

    /**
     * What a ledger says about all runs that were charged to it: upper bounds.
     *
     * @param entries how many there are
     * @param entry which of them this run is, counted from 1
     * @param epsilon that holds for all together; infinite if there is none
     * @param delta at which it holds
     * @param limit the epsilon that may be spent in all; empty if nothing is refused
     * @param head the hash of the ledger's last line
     */
    public record LedgerTotal(
            long entries, long entry, double epsilon, double delta, OptionalDouble limit, String head) {}

    /**
     * When and by what a run was made.
     *
     * @param time when it ended, in UTC
     * @param version of the program
     * @param releaseHash the SHA-256 of the record of all releases
     */
    public record Origin(String time, String version, String releaseHash) {}

    /** Of records that are in one place. */
    public StatementFacts(
            Provenance provenance,
            PrivacyUnit unit,
            long publicSize,
            double epsilon,
            double delta,
            String accountant,
            OptionalDouble deltaAtEpsilonZero,
            List<SamplingScheme> sampling,
            OptionalDouble epsilonWithoutSampling,
            String noise,
            List<String> released,
            Optional<LedgerTotal> ledger,
            List<String> notCovered) {
        this(
                provenance,
                unit,
                publicSize,
                epsilon,
                delta,
                accountant,
                "",
                deltaAtEpsilonZero,
                sampling,
                epsilonWithoutSampling,
                noise,
                released,
                ledger,
                notCovered,
                "",
                OptionalDouble.empty(),
                Optional.empty(),
                Optional.empty());
    }

    public StatementFacts {
        Objects.requireNonNull(parties, "parties");
        Objects.requireNonNull(epsilonBeyondMasks, "epsilonBeyondMasks");
        Objects.requireNonNull(origin, "origin");
        Objects.requireNonNull(usableUnits, "usableUnits");
        Objects.requireNonNull(provenance, "provenance");
        Objects.requireNonNull(unit, "unit");
        Objects.requireNonNull(accountant, "accountant");
        Objects.requireNonNull(engines, "engines");
        Objects.requireNonNull(deltaAtEpsilonZero, "deltaAtEpsilonZero");
        Objects.requireNonNull(epsilonWithoutSampling, "epsilonWithoutSampling");
        Objects.requireNonNull(noise, "noise");
        Objects.requireNonNull(ledger, "ledger");
        sampling = List.copyOf(sampling);
        released = List.copyOf(released);
        notCovered = List.copyOf(notCovered);
        if (!(epsilon >= 0)) {
            throw new IllegalArgumentException("epsilon is 0 or more, or infinite");
        }
        if (!(delta >= 0 && delta <= 1)) {
            throw new IllegalArgumentException("delta is a probability");
        }
    }

    /** True if a finite epsilon holds and nothing was computed without noise. */
    public boolean promises() {
        return provenance != Provenance.NOT_PRIVATE && Double.isFinite(epsilon);
    }

    /** How often an attacker with even prior odds is right, at most; 1 if nothing is promised. */
    public double attackSuccess() {
        return promises() ? MembershipGuess.success(epsilon, delta, deltaAtEpsilonZero) : 1;
    }
}
