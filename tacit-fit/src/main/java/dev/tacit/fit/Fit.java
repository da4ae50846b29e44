package dev.tacit.fit;

import dev.tacit.data.prepare.LocalTables;
import dev.tacit.data.prepare.TableEngine;
import dev.tacit.data.schema.Schema;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.fit.formula.FormulaRequest;
import dev.tacit.fit.ledger.LedgerRequest;
import dev.tacit.fit.run.FitRequest;
import dev.tacit.fit.run.FitRun;
import dev.tacit.fit.run.FitWriting;
import dev.tacit.fit.run.WantedFit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A fit that somebody wants: records, what is declared about them, what is to be learned, and what it may cost.
 *
 * <p>It can be run into any number of folders, and every run spends its budget. Everything that can be wrong with what was asked
 * or with the files is found before anything is charged.
 */
public final class Fit {
    private static final int MOST_THREADS = 1024;

    private final FitRequest request;
    private final Optional<String> methodRemark;
    private final boolean checksIntervals;
    private final OptionalInt twins;
    private final FitListener listener;
    private final TableEngine engine;

    private Fit(Builder builder, Optional<PrivacyBudget> budget) {
        WantedFit wanted = WantedFit.of(builder.schema, builder.formula, builder.family, builder.model, builder.method);
        this.request = new FitRequest(
                builder.data,
                wanted.schema(),
                wanted.model(),
                wanted.method(),
                FormulaRequest.withPriors(builder.settings, builder.priors),
                budget,
                Path.of(""),
                new LedgerRequest(
                        builder.ledger, builder.ledgerLimit, builder.label, builder.analyst, builder.samePeople),
                builder.boundsShare,
                builder.countShare,
                builder.seed,
                builder.threads);
        this.methodRemark = wanted.remark();
        this.checksIntervals = builder.checksIntervals;
        this.twins = builder.twins;
        this.listener = builder.listener;
        this.engine = builder.engine.orElseGet(() -> new LocalTables(builder.threads));
    }

    /** A run that is in a folder already, as it was asked for then. */
    private Fit(FitRequest kept, FitListener listener) {
        this.request = kept;
        this.methodRemark = Optional.empty();
        this.checksIntervals = true;
        this.twins = OptionalInt.empty();
        this.listener = listener;
        this.engine = new LocalTables(kept.threads());
    }

    /** Of the records in a file: CSV, CSV.gz, TSV, Parquet, JSON or text. */
    public static Builder of(Path data, Schema schema) {
        return of(data.toString(), schema);
    }

    /** Of the records in a file or in a table of a database, named by its address. */
    public static Builder of(String location, Schema schema) {
        return new Builder(location, schema);
    }

    /** The name of the method, chosen or standard. */
    public String method() {
        return request.method();
    }

    /** The name of the model. */
    public String model() {
        return request.model();
    }

    /** Why the method is not the model's standard one, if it was not named. */
    public Optional<String> methodRemark() {
        return methodRemark;
    }

    /**
     * Plans, charges, fits and writes.
     *
     * @param folder to write; it must not exist yet, or be empty
     */
    public FittedModel run(Path folder) {
        FitRun run = new FitRun(request.into(folder), listener, engine);
        return run(run, run.prepare(false), folder);
    }

    /**
     * Goes on with a run that was interrupted, at no further cost; everything that was asked for is read from its folder. A run that
     * is complete is read.
     */
    public static FittedModel resume(Path folder) {
        return resume(folder, FitListener.NONE);
    }

    /** The same with somebody who sees it go by. */
    public static FittedModel resume(Path folder, FitListener listener) {
        FitFolder kept = new FitFolder(folder);
        if (kept.complete() && !kept.resumable()) {
            return new FittedModel(kept);
        }
        FitRequest request =
                FitRequest.kept(folder, Optional.empty(), Runtime.getRuntime().availableProcessors());
        return new Fit(request, listener).resumed(folder);
    }

    /**
     * Runs, or goes on with this very fit if it was interrupted in the folder, or reads it if it is complete there: what a program
     * calls that may have been stopped before. Another fit in the folder is refused.
     */
    public FittedModel runOrResume(Path folder) {
        FitFolder kept = new FitFolder(folder);
        if (!Files.exists(kept.runFile()) && !kept.complete()) {
            return run(folder);
        }
        if (kept.complete() && !kept.resumable()) {
            if (Files.exists(kept.runFile())) {
                new FitRun(request.into(folder), listener, engine).keptIdentity();
            }
            return new FittedModel(kept);
        }
        return resumed(folder);
    }

    private FittedModel resumed(Path folder) {
        FitRun run = new FitRun(request.into(folder), listener, engine);
        return run(run, run.prepare(true), folder);
    }

    private FittedModel run(FitRun run, FitRun.Prepared prepared, Path folder) {
        listener.planned(prepared);
        FitFolder written = new FitFolder(folder);
        FitOutcome outcome = run.run(prepared);
        if (checksIntervals) {
            FitWriting.check(written, outcome, twins, listener);
        }
        return new FittedModel(written);
    }

    /** Says what is wanted, by name. */
    public static final class Builder {
        private final String data;
        private final Schema schema;
        private Optional<String> formula = Optional.empty();
        private Optional<String> family = Optional.empty();
        private Optional<String> model = Optional.empty();
        private Optional<String> method = Optional.empty();
        private final List<String> priors = new ArrayList<>();
        private final Map<String, String> settings = new LinkedHashMap<>();
        private OptionalDouble epsilon = OptionalDouble.empty();
        private OptionalDouble delta = OptionalDouble.empty();
        private boolean notPrivate;
        private Optional<Path> ledger = Optional.empty();
        private OptionalDouble ledgerLimit = OptionalDouble.empty();
        private Optional<String> label = Optional.empty();
        private String analyst = LedgerRequest.user();
        private boolean samePeople;
        private double boundsShare;
        private OptionalDouble countShare = OptionalDouble.empty();
        private OptionalLong seed = OptionalLong.empty();
        private int threads = Runtime.getRuntime().availableProcessors();
        private boolean checksIntervals = true;
        private OptionalInt twins = OptionalInt.empty();
        private FitListener listener = FitListener.NONE;
        private Optional<TableEngine> engine = Optional.empty();

        private Builder(String data, Schema schema) {
            this.data = data;
            this.schema = schema;
        }

        /** What to fit, in R's syntax: {@code died ~ age + sex*icu + (1 | hospital)}. */
        public Builder formula(String text) {
            this.formula = Optional.of(text);
            return this;
        }

        /** Of the response of a formula: {@code bernoulli}, {@code gaussian}, {@code poisson}; what suits its column if left out. */
        public Builder family(String name) {
            this.family = Optional.of(name);
            return this;
        }

        /** What to fit with all declared columns, in place of a formula: {@code logistic-regression}, {@code lda}. */
        public Builder model(String name) {
            this.model = Optional.of(name);
            return this;
        }

        /** How to fit it; the model's standard method if left out. */
        public Builder method(String name) {
            this.method = Optional.of(name);
            return this;
        }

        /** A prior of one term, {@code age ~ normal(0, 0.1)}, or of all, {@code b ~ normal(0, 1)}; once for each. */
        public Builder prior(String term) {
            priors.add(term);
            return this;
        }

        /** A setting of the method. */
        public Builder setting(String name, double value) {
            return setting(name, Double.toString(value));
        }

        /** A setting of the method that is a whole number. */
        public Builder setting(String name, int value) {
            return setting(name, Integer.toString(value));
        }

        /** A setting of the method that is a word. */
        public Builder setting(String name, String value) {
            if (settings.put(name, value) != null) {
                throw FitException.usage("the setting " + name + " is given twice; give it once.");
            }
            return this;
        }

        /** The epsilon that the run may spend. */
        public Builder epsilon(double most) {
            this.epsilon = OptionalDouble.of(most);
            return this;
        }

        /** The delta at which it must hold, well below one over the number of records. */
        public Builder delta(double most) {
            this.delta = OptionalDouble.of(most);
            return this;
        }

        /** Both numbers of what the run may spend. */
        public Builder budget(PrivacyBudget most) {
            return epsilon(most.epsilon()).delta(most.delta());
        }

        /** Adds no noise at all; the result is stamped not private. In place of a budget. */
        public Builder notPrivate() {
            this.notPrivate = true;
            return this;
        }

        /** The ledger of these people, which adds up all runs; the one beside the data if left out. */
        public Builder ledger(Path file) {
            this.ledger = Optional.of(file);
            return this;
        }

        /** The epsilon of all runs together, for a ledger that this run creates; no limit if left out. */
        public Builder ledgerLimit(double epsilon) {
            this.ledgerLimit = OptionalDouble.of(epsilon);
            return this;
        }

        /** What the run is for, in the ledger; may be published. */
        public Builder label(String text) {
            this.label = Optional.of(LedgerRequest.publicText(text, "the label"));
            return this;
        }

        /** Who asks, in the ledger; the user if left out. */
        public Builder analyst(String name) {
            this.analyst = LedgerRequest.publicText(name, "the analyst");
            return this;
        }

        /** The ledger is that of these people, although the records differ from those of its last run. */
        public Builder samePeople() {
            this.samePeople = true;
            return this;
        }

        /** Buys the bounds that the schema marks as PRIVATE with this share of the budget. */
        public Builder spendOnBounds(double share) {
            if (!(share > 0 && share < 1)) {
                throw FitException.usage("the share for bounds must be a number between 0 and 1, for example 0.05.");
            }
            this.boundsShare = share;
            return this;
        }

        /** Buys the number of usable units with this share of the budget; 0.01 if left out, 0 for none. */
        public Builder spendOnCount(double share) {
            if (!(share >= 0 && share < 1)) {
                throw FitException.usage(
                        "the share for the count must be a number from 0 to below 1, for example 0.01.");
            }
            this.countShare = OptionalDouble.of(share);
            return this;
        }

        /** Uses noise that the seed repeats; the result is stamped not for release. */
        public Builder simulated(long withSeed) {
            this.seed = OptionalLong.of(withSeed);
            return this;
        }

        /** How many threads read and sum; the result does not depend on it. All processors if left out. */
        public Builder threads(int count) {
            if (count < 1 || count > MOST_THREADS) {
                throw FitException.usage("the number of threads is from 1 to " + MOST_THREADS + ".");
            }
            this.threads = count;
            return this;
        }

        /** How many simulated twins check the intervals; about 20 if left out. */
        public Builder twins(int count) {
            if (count < 1) {
                throw FitException.usage("the number of twins is 1 or more.");
            }
            this.twins = OptionalInt.of(count);
            return this;
        }

        /** Leaves out the check of the intervals, which {@link FittedModel#diagnose()} makes up for. */
        public Builder withoutTwins() {
            this.checksIntervals = false;
            return this;
        }

        /** Who sees the run go by. */
        public Builder listener(FitListener watching) {
            this.listener = watching;
            return this;
        }

        /** Where the records are read and added up; this machine if left out. The result does not depend on it. */
        public Builder engine(TableEngine where) {
            this.engine = Optional.of(where);
            return this;
        }

        /** Checks everything that can be checked without looking at a file. */
        public Fit build() {
            boolean spends = epsilon.isPresent() || delta.isPresent();
            if (notPrivate && (spends || boundsShare > 0 || countShare.isPresent() || usesLedger())) {
                throw FitException.usage(
                        "a fit that is not private spends no budget; leave out epsilon, delta, shares of"
                                + " the budget and all that is said about the ledger.");
            }
            return new Fit(this, notPrivate ? Optional.empty() : Optional.of(budget()));
        }

        private PrivacyBudget budget() {
            if (epsilon.isEmpty() || delta.isEmpty()) {
                throw FitException.usage((epsilon.isEmpty() ? "epsilon" : "delta")
                        + " is missing; a budget is both, for example epsilon(1).delta(1e-6).");
            }
            double most = epsilon.getAsDouble();
            if (!(most > 0)) {
                throw FitException.usage("an epsilon of 0 or less pays for nothing; give a positive number.");
            }
            if (delta.getAsDouble() >= most) {
                throw FitException.usage(
                        "a delta that is not smaller than epsilon promises nothing; were the two" + " exchanged?");
            }
            if (ledgerLimit.isPresent() && !(ledgerLimit.getAsDouble() >= most)) {
                throw FitException.usage(
                        "the limit of a ledger is for all runs together, so it is not less than epsilon.");
            }
            try {
                return new PrivacyBudget(most, delta.getAsDouble());
            } catch (IllegalArgumentException e) {
                throw new FitException(FitException.Kind.USAGE, FitException.sentence(e.getMessage()), e);
            }
        }

        private boolean usesLedger() {
            return ledger.isPresent() || ledgerLimit.isPresent() || label.isPresent() || samePeople;
        }
    }
}
