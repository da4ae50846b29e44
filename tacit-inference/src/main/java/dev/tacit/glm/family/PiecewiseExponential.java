package dev.tacit.glm.family;

import dev.tacit.model.prediction.Prediction;
import dev.tacit.numerics.Matrices;
import dev.tacit.numerics.RandomStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Times to an event with right censoring: proportional hazards with a baseline that is constant between public cut points
 * (Friedman 1982), stopped where a public point says that enough was seen.
 *
 * <pre>
 *   label     t if the event was at t, −t if the record was censored at t;  t is at most the end, and censored there
 *   hazards   λ_j = e^η b_j / (b_1 ⋯ b_J)^(1/J), b_1 = 1: the intercept is the mean of the intervals' log hazards;   c_j of censoring
 *   τ         the time at which the point's own ∫λ reaches 2 or its ∫c reaches 3, the end at most
 *   ψ = 1(event by τ) − Λ,   Λ = Σ λ_j (time in interval j by τ)         a martingale at τ: mean 0, variance P(event by τ)
 *   χ         v_k − mean v for k = 2 … J,  v_k = 1(event in k) − Λ_k;      ⅓ (1(censored in j) − c_j time in j)  for j = 1 … J
 *   field = Σ (λ_j − λ_tj) R_j,   R_j expected time in interval j by τ at (η, b, c)
 * </pre>
 *
 * |ψ| ≤ max(1, Λ(τ)) ≤ 2. ‖v − mean v‖² ≤ ‖v‖² ≤ 1 + 2²; time in intervals bounds the censoring's part by ⅓² (1 + 3²); a record
 * has an event or was censored, not both: ‖χ‖² ≤ 1 + 2² + ⅓² 3² = 6. Stopping at τ loses what comes after it and shifts
 * nothing (optional stopping). Censoring is independent of the event given the columns, as in every such model; its hazards
 * are only for what a sum would be at another point, and a wrong one biases no estimate.
 */
public final class PiecewiseExponential implements GlmFamily, Serializable {
    private static final long serialVersionUID = 1;

    static final String PREFIX = "piecewise-exponential:";
    private static final double MOST_HAZARD = 2;
    private static final double MOST_CENSORING = 3;
    private static final double CENSORING_SHARE = 1.0 / 3;
    private static final int STOP = 3;
    private static final int FIRST = 4;

    private final double[] ends;
    private final int intervals;
    private final double end;

    /** Intervals for each unit of time, so that hazards of censoring have a scale. */
    private final double perTime;

    /** @param ends of the intervals, ascending from above 0; the last is where every record is censored */
    public PiecewiseExponential(double... ends) {
        double before = 0;
        for (double one : ends) {
            if (!(one > before) || Double.isInfinite(one)) {
                throw new IllegalArgumentException("cut points ascend from above 0 to the largest time");
            }
            before = one;
        }
        if (ends.length < 1 || ends.length > 20) {
            throw new IllegalArgumentException("a baseline hazard has 1 to 20 intervals");
        }
        this.ends = ends.clone();
        this.intervals = ends.length;
        this.end = before;
        this.perTime = intervals / end;
    }

    static PiecewiseExponential named(String name) {
        return new PiecewiseExponential(
                Arrays.stream(name.substring(PREFIX.length()).split(":", -1))
                        .mapToDouble(Double::parseDouble)
                        .toArray());
    }

    /** The ends of the intervals. */
    public double[] ends() {
        return ends.clone();
    }

    @Override
    public String name() {
        List<String> all = new ArrayList<>();
        for (double one : ends) {
            all.add(Double.toString(one));
        }
        return PREFIX + String.join(":", all);
    }

    /** An interval as it is printed. */
    private String interval(int j) {
        return "[" + number(j == 0 ? 0 : ends[j - 1]) + " to " + number(ends[j]) + "]";
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    /** Hazards of later intervals over the first one's, then hazards of censoring for the mean length of an interval. */
    @Override
    public List<String> extraNames() {
        List<String> names = new ArrayList<>();
        for (int j = 1; j < intervals; j++) {
            names.add("hazard" + interval(j));
        }
        for (int j = 0; j < intervals; j++) {
            names.add("censoring" + interval(j));
        }
        return names;
    }

    @Override
    public int referenceSize() {
        return FIRST + 2 * intervals;
    }

    @Override
    public double extraLow(int parameter) {
        return 0.01;
    }

    @Override
    public double extraHigh(int parameter) {
        return 100;
    }

    @Override
    public double chiBound() {
        return Math.sqrt(1 + MOST_HAZARD * MOST_HAZARD + Math.pow(CENSORING_SHARE * MOST_CENSORING, 2));
    }

    /** Slopes are known well already; the baseline is what is asked for beside them. */
    @Override
    public double extraShare() {
        return 0.7;
    }

    /** e^η over the geometric mean of b. */
    private double level(double eta, double[] extra) {
        double product = 1;
        for (int j = 1; j < intervals; j++) {
            product *= extra[j - 1];
        }
        return Math.exp(Math.max(-40, Math.min(40, eta))) * Math.pow(product, -1.0 / intervals);
    }

    private static double relative(double[] extra, int j) {
        return j == 0 ? 1 : extra[j - 1];
    }

    private double censoring(double[] extra, int j) {
        return extra[intervals - 1 + j] * perTime;
    }

    @Override
    public void reference(double eta, double[] extra, double[] reference, int at) {
        double level = level(eta, extra);
        double hazard = 0;
        double censored = 0;
        double start = 0;
        double stop = end;
        for (int j = 0; j < intervals; j++) {
            double lambda = level * relative(extra, j);
            double c = censoring(extra, j);
            reference[at + FIRST + j] = lambda;
            reference[at + FIRST + intervals + j] = c;
            double length = ends[j] - start;
            if (stop == end) {
                double seen = Math.min((MOST_HAZARD - hazard) / lambda, (MOST_CENSORING - censored) / c);
                if (seen < length) {
                    stop = start + Math.max(seen, 0);
                    hazard += lambda * (stop - start);
                } else {
                    hazard += lambda * length;
                    censored += c * length;
                }
            }
            start = ends[j];
        }
        reference[at + STOP] = stop;
        reference[at + BOUND] = Math.max(1, hazard);
        double events = integral(eta, extra, reference, at, Integral.EVENTS);
        reference[at + SLOPE] = Math.max(events, 1e-9);
        reference[at + VARIANCE] = Math.max(events, 1e-9);
    }

    /** Time that a record with a label was seen in an interval, by τ. */
    private double time(double y, double[] reference, int at, int j) {
        double seen = Math.min(Math.abs(y), reference[at + STOP]);
        double start = j == 0 ? 0 : ends[j - 1];
        return Math.max(0, Math.min(seen, ends[j]) - start);
    }

    /** Where a label ends before τ: the place of its interval, or −1 if it goes on to τ or to the end. */
    private int exit(double y, double[] reference, int at) {
        double t = Math.abs(y);
        if (!(t <= reference[at + STOP] && t < end)) {
            return -1;
        }
        int j = 0;
        while (t > ends[j]) {
            j++;
        }
        return j;
    }

    @Override
    public double psi(double y, double[] reference, int at) {
        double hazard = Double.isNaN(y) ? Double.NaN : 0;
        for (int j = 0; j < intervals; j++) {
            hazard += reference[at + FIRST + j] * time(y, reference, at, j);
        }
        return (y > 0 && exit(y, reference, at) >= 0 ? 1 : 0) - hazard;
    }

    @Override
    public void chi(double y, double[] reference, int at, double[] chi) {
        int exit = exit(y, reference, at);
        double mean = 0;
        for (int j = 0; j < intervals; j++) {
            double time = time(y, reference, at, j);
            double v = (y > 0 && exit == j ? 1 : 0) - reference[at + FIRST + j] * time;
            mean += v / intervals;
            if (j > 0) {
                chi[j - 1] = v;
            }
            chi[intervals - 1 + j] =
                    CENSORING_SHARE * ((y < 0 && exit == j ? 1 : 0) - reference[at + FIRST + intervals + j] * time);
        }
        for (int j = 1; j < intervals; j++) {
            chi[j - 1] -= mean;
        }
    }

    /** What is integrated over time until τ. */
    private enum Integral {
        EVENTS,
        FIELD,
        SLOPE,
        SQUARE
    }

    /** Of λ, λ − λ_t, d/dη of that, or of ψ², over the expected time at risk. */
    private double integral(double eta, double[] extra, double[] reference, int at, Integral what) {
        double level = level(eta, extra);
        double stop = reference[at + STOP];
        double start = 0;
        double alive = 1;
        double passed = 0;
        double own = 0;
        double sum = 0;
        for (int j = 0; j < intervals && start < stop; j++) {
            double lambda = level * relative(extra, j);
            double there = reference[at + FIRST + j];
            double exit = lambda + censoring(extra, j);
            double length = Math.min(ends[j], stop) - start;
            double out = exit * length;
            double left = Math.exp(-out);
            double time = alive * -Math.expm1(-out) / exit;
            // ∫ s e^(−exit s) ds over the interval
            double moment = out < 1e-4 ? length * length * (0.5 - out / 3) : (1 - left * (1 + out)) / (exit * exit);
            switch (what) {
                case EVENTS -> sum += lambda * time;
                case FIELD -> sum += (lambda - there) * time;
                case SLOPE -> sum += lambda * time - (lambda - there) * (passed * time + alive * lambda * moment);
                case SQUARE -> sum += lambda * time + 2 * (there - lambda) * (own * time + there * alive * moment);
            }
            passed += lambda * length;
            own += there * length;
            alive *= left;
            start = ends[j];
        }
        return sum;
    }

    @Override
    public double field(double eta, double[] extra, double[] reference, int at) {
        return integral(eta, extra, reference, at, Integral.FIELD);
    }

    @Override
    public double slope(double eta, double[] extra, double[] reference, int at) {
        return Math.max(integral(eta, extra, reference, at, Integral.SLOPE), 0);
    }

    @Override
    public double variance(double eta, double[] extra, double[] reference, int at) {
        double field = field(eta, extra, reference, at);
        return Math.max(integral(eta, extra, reference, at, Integral.SQUARE) - field * field, 1e-9);
    }

    @Override
    public void chiField(double eta, double[] extra, double[] reference, int at, double[] chi) {
        double level = level(eta, extra);
        double stop = reference[at + STOP];
        double start = 0;
        double alive = 1;
        double mean = 0;
        for (int j = 0; j < intervals; j++) {
            double lambda = level * relative(extra, j);
            double c = censoring(extra, j);
            double length = Math.max(0, Math.min(ends[j], stop) - start);
            double time = alive * -Math.expm1(-(lambda + c) * length) / (lambda + c);
            double v = (lambda - reference[at + FIRST + j]) * time;
            mean += v / intervals;
            if (j > 0) {
                chi[j - 1] = v;
            }
            chi[intervals - 1 + j] = CENSORING_SHARE * (c - reference[at + FIRST + intervals + j]) * time;
            alive *= Math.exp(-(lambda + c) * length);
            start = ends[j];
        }
        for (int j = 1; j < intervals; j++) {
            chi[j - 1] -= mean;
        }
    }

    @Override
    public double simulate(double eta, double[] extra, RandomStream random) {
        double level = level(eta, extra);
        double start = 0;
        for (int j = 0; j < intervals; j++) {
            double lambda = level * relative(extra, j);
            double exit = lambda + censoring(extra, j);
            double waited = -Math.log(random.openUniform()) / exit;
            if (start + waited < ends[j]) {
                double t = Math.max(start + waited, Double.MIN_NORMAL);
                return random.uniform() * exit < lambda ? t : -t;
            }
            start = ends[j];
        }
        return -end;
    }

    /** Times are: the start's hazard is one event in a mean time. */
    @Override
    public boolean standardisesTarget() {
        return true;
    }

    @Override
    public double standardisedTarget(double y) {
        return Math.abs(y);
    }

    @Override
    public double startTarget(double y, double centre, double spread) {
        return y > 0 && y < end ? 1 : 0;
    }

    @Override
    public double startBound() {
        return 1;
    }

    @Override
    public double startVariance() {
        return 0.25;
    }

    @Override
    public double startMean(double eta, double centre, double spread) {
        return -Math.expm1(-startHazard(eta, centre));
    }

    private double startHazard(double eta, double centre) {
        return Math.exp(Math.max(-40, Math.min(40, eta))) * Math.max(centre, 1e-3 * end);
    }

    @Override
    public double startSlope(double eta, double centre, double spread) {
        double hazard = startHazard(eta, centre);
        return Math.max(hazard * Math.exp(-hazard), 1e-6);
    }

    @Override
    public double startIntercept(double centre) {
        return -Math.log(Math.max(centre, 1e-3 * end));
    }

    /** A flat baseline; censoring is what the mean time asks for beside the start's hazard. */
    @Override
    public double[] startExtra(double centre, double spread, double[] eta, double[] weights) {
        double mean = Matrices.clamp(centre / end, 1e-3, 0.999);
        double low = 1e-4;
        double high = 1e4;
        for (int step = 0; step < 60; step++) {
            double exit = Math.sqrt(low * high);
            if (-Math.expm1(-exit) / exit > mean) {
                low = exit;
            } else {
                high = exit;
            }
        }
        double hazard = 0;
        for (int r = 0; r < eta.length; r++) {
            hazard += weights[r] * Math.exp(Math.max(-40, Math.min(40, eta[r]))) * end;
        }
        double[] extra = new double[2 * intervals - 1];
        Arrays.fill(extra, 0, intervals - 1, 1);
        Arrays.fill(
                extra,
                intervals - 1,
                extra.length,
                Matrices.clamp(Math.max(low - hazard, 0.1 * low) / intervals, 2 * extraLow(0), extraHigh(0)));
        return extra;
    }

    @Override
    public boolean smooths() {
        return false;
    }

    /** Survival at the ends of the intervals, averaged over the predictor. */
    /** A flat baseline, and four of ten censored before the largest time. */
    @Override
    public double[] usualExtra() {
        double[] usual = new double[2 * intervals - 1];
        java.util.Arrays.fill(usual, 0, intervals - 1, 1);
        java.util.Arrays.fill(usual, intervals - 1, usual.length, 0.5 / intervals);
        return usual;
    }

    @Override
    public Prediction predict(double mean, double variance, double[] extra) {
        double level = level(mean + variance / 2, extra);
        double[] hazards = new double[intervals];
        for (int j = 0; j < intervals; j++) {
            hazards[j] = level * relative(extra, j);
        }
        return new Prediction.Survival(ends.clone(), hazards);
    }
}
