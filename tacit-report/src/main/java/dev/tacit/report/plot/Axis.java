package dev.tacit.report.plot;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;

/**
 * One axis of a chart: its range, its scale and its ticks.
 *
 * @param title what is measured
 * @param low the value at the start, above 0 if logarithmic
 * @param high the value at the end; on a logarithmic axis it may be the smaller one
 * @param logarithmic true if every decade takes the same room
 */
public record Axis(String title, double low, double high, boolean logarithmic) {
    private static final int MOST_TICKS = 7;

    /** A value to mark, and how it is written. */
    public record Tick(double value, String label) {}

    /** An axis from 0 to a little above the largest value. */
    public static Axis fromZero(String title, double largest) {
        double spacing = spacing(largest > 0 ? largest : 1);
        return new Axis(title, 0, Math.ceil(Math.nextDown(largest > 0 ? largest : 1) / spacing) * spacing, false);
    }

    /** An axis that shows both values with a little room beside them; equal values get a unit of room. */
    public static Axis around(String title, double least, double most) {
        double room = most > least ? 0.04 * (most - least) : 0.5 * Math.max(1, Math.abs(least));
        return new Axis(title, least - room, most + room, false);
    }

    /** Where a value lies: 0 at the start, 1 at the end. */
    public double position(double value) {
        return logarithmic
                ? (Math.log10(value) - Math.log10(low)) / (Math.log10(high) - Math.log10(low))
                : (value - low) / (high - low);
    }

    /** Round values inside the range. */
    public List<Tick> ticks() {
        return logarithmic ? decades() : roundNumbers();
    }

    private List<Tick> decades() {
        int first = (int) Math.ceil(Math.log10(Math.min(low, high)) - 1e-9);
        int last = (int) Math.floor(Math.log10(Math.max(low, high)) + 1e-9);
        if (last - first < 2) {
            return withinDecades(first - 1, last);
        }
        int every = 1 + (last - first) / (MOST_TICKS + 3);
        List<Tick> ticks = new ArrayList<>();
        for (int exponent = first; exponent <= last; exponent += every) {
            ticks.add(new Tick(Math.pow(10, exponent), exponent == 0 ? "1" : "1e" + exponent));
        }
        return ticks;
    }

    /** 1, 2 and 5 times the powers of ten, for an axis of few decades. */
    private List<Tick> withinDecades(int first, int last) {
        List<Tick> ticks = new ArrayList<>();
        for (int exponent = first; exponent <= last; exponent++) {
            for (int factor : new int[] {1, 2, 5}) {
                double value = factor * Math.pow(10, exponent);
                if (value >= Math.min(low, high) * (1 - 1e-9) && value <= Math.max(low, high) * (1 + 1e-9)) {
                    ticks.add(new Tick(value, label(value)));
                }
            }
        }
        return ticks;
    }

    private List<Tick> roundNumbers() {
        double spacing = spacing(high - low);
        List<Tick> ticks = new ArrayList<>();
        for (long i = (long) Math.ceil(low / spacing - 1e-9); i * spacing <= high + 1e-9 * spacing; i++) {
            ticks.add(new Tick(i * spacing, label(i * spacing)));
        }
        return ticks;
    }

    /** 1, 2 or 5 times a power of ten, so that at most a handful of ticks fit. */
    private static double spacing(double range) {
        double power = Math.pow(10, Math.floor(Math.log10(range)) - 1);
        for (double factor : new double[] {1, 2, 5, 10, 20}) {
            if (range / (factor * power) <= MOST_TICKS) {
                return factor * power;
            }
        }
        return 50 * power;
    }

    private static String label(double value) {
        BigDecimal rounded = new BigDecimal(value).round(new MathContext(6)).stripTrailingZeros();
        if (rounded.signum() == 0) {
            return "0";
        }
        int exponent = rounded.precision() - rounded.scale() - 1;
        if (exponent >= 6 || exponent < -4) {
            return rounded.scaleByPowerOfTen(-exponent).toPlainString() + "e" + exponent;
        }
        return exponent >= 4 ? grouped(rounded.toPlainString()) : rounded.toPlainString();
    }

    private static String grouped(String digits) {
        int point = digits.indexOf('.');
        String whole = point < 0 ? digits : digits.substring(0, point);
        return whole.substring(0, whole.length() - 3) + "\u2009" + whole.substring(whole.length() - 3);
    }
}
