package dev.tacit.accounting.exact.contour;

import org.apache.commons.numbers.gamma.Erfc;
import org.apache.commons.numbers.gamma.Erfcx;

/**
 * The weight w(x) = ½ erfc((x − end)/width) that leaves out the outcomes beyond an end, less the like weight of those below a start.
 *
 * @param start -∞ if nothing is left out below
 * @param end +∞ if nothing is left out beyond
 */
record SmoothCut(double start, double end, double width) {
    /** Width of the cut at the start. */
    static final double START_WIDTH = 1.0 / 16;

    /** log w. */
    double logKept(double x) {
        if (end == Double.POSITIVE_INFINITY) {
            return 0;
        }
        double distance = (x - end) / width;
        double logUpper = distance < -6 ? 0 : logHalfErfc(distance);
        if (start == Double.NEGATIVE_INFINITY) {
            return logUpper;
        }
        double fromStart = (start - x) / START_WIDTH;
        if (fromStart > 0) {
            double logRest = distance < 0 ? logHalfErfc(-distance) : Double.NEGATIVE_INFINITY;
            double logMissing = logHalfErfc(fromStart);
            return logMissing + Math.log1p(-Math.exp(Math.min(-1e-12, logRest - logMissing)));
        }
        return logUpper + Math.log1p(-Math.exp(Math.min(-1e-12, logHalfErfc(-fromStart) - logUpper)));
    }

    /** Log of what the cut at the end alone takes away from 1. */
    double logBeyond(double x) {
        return end == Double.POSITIVE_INFINITY ? Double.NEGATIVE_INFINITY : logHalfErfc((end - x) / width);
    }

    private static double logHalfErfc(double x) {
        return x < 5 ? Math.log(0.5 * Erfc.value(x)) : Math.log(0.5 * Erfcx.value(x)) - x * x;
    }
}
