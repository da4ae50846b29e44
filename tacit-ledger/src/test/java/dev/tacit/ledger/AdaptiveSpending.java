package dev.tacit.ledger;

import java.util.HashMap;
import java.util.Map;
import org.apache.commons.numbers.gamma.Erfc;

/**
 * The worst that adaptive spending can do to an odometer, for Gaussian runs of two noise levels.
 *
 * <p>Under P the privacy loss of a run of squared signal-to-noise ratio s is normal with mean s/2 and variance s. On a
 * grid of losses, backwards from the last run: stopping is worth (1 − e^{ε − L})₊, going on the mean over the next loss,
 * and the adversary takes the best.
 */
public final class AdaptiveSpending {
    private static final double STEP = 0.04;
    private static final double LOWEST = -12;
    private static final int POINTS = 1100;

    /** What is read after runs whose squared signal-to-noise ratios add up to this. */
    public interface Reading {
        double epsilon(double squares, int runs);
    }

    private final int runs;
    private final double little;
    private final double much;
    private final Reading reading;
    private final Map<Integer, double[]> values = new HashMap<>();

    private AdaptiveSpending(int runs, double little, double much, Reading reading) {
        this.runs = runs;
        this.little = little;
        this.much = much;
        this.reading = reading;
    }

    /** The largest mean of (1 − e^{ε − L})₊ over all ways to spend, up to this many runs. */
    public static double worst(int runs, double little, double much, Reading reading) {
        AdaptiveSpending spending = new AdaptiveSpending(runs, little, much, reading);
        return spending.value(0, 0)[(int) Math.round(-LOWEST / STEP)];
    }

    private double[] value(int first, int second) {
        double[] known = values.get(first * 1000 + second);
        if (known != null) {
            return known;
        }
        double[] best = new double[POINTS];
        if (first + second > 0) {
            double epsilon = reading.epsilon(first * little * little + second * much * much, first + second);
            for (int i = 0; i < POINTS; i++) {
                best[i] = Math.max(0, -Math.expm1(epsilon - LOWEST - i * STEP));
            }
        }
        if (first + second < runs) {
            raise(best, value(first + 1, second), little);
            raise(best, value(first, second + 1), much);
        }
        values.put(first * 1000 + second, best);
        return best;
    }

    /** Takes the mean after one more run where it is more; the weights of the grid add up to 1. */
    private static void raise(double[] best, double[] next, double signal) {
        int reach = (int) Math.ceil(7 * signal / STEP);
        int shift = (int) Math.round(signal * signal / 2 / STEP);
        double offset = signal * signal / 2 - shift * STEP;
        double[] weights = new double[2 * reach + 1];
        double whole = 0;
        for (int k = -reach; k <= reach; k++) {
            double z = (k * STEP - offset) / signal;
            weights[k + reach] = Math.exp(-z * z / 2);
            whole += weights[k + reach];
        }
        for (int i = 0; i < best.length; i++) {
            double mean = 0;
            for (int k = -reach; k <= reach; k++) {
                int at = Math.max(0, Math.min(best.length - 1, i + shift + k));
                mean += weights[k + reach] * next[at];
            }
            best[i] = Math.max(best[i], mean / whole);
        }
    }

    /** The exact epsilon of Gaussian releases of this total signal-to-noise ratio. */
    public static double gaussianEpsilon(double signal, double delta) {
        double low = 0;
        double high = 100;
        while (high - low > 1e-9) {
            double middle = (low + high) / 2;
            double found =
                    normal(signal / 2 - middle / signal) - Math.exp(middle) * normal(-signal / 2 - middle / signal);
            if (found > delta) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    private static double normal(double x) {
        return 0.5 * Erfc.value(-x / Math.sqrt(2));
    }
}
