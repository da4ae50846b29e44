package dev.tacit.data.formula.design;

import dev.tacit.data.formula.Interval;

/** Several functions of one number that together bend a line; their constants are public. */
interface Basis {
    /** How many functions. */
    int width();

    /** Where one of them lies. */
    Interval range(int function);

    /** Writes their values at a point of the declared range. */
    void write(double x, double[] values, int first);

    /**
     * Legendre polynomials P₁ ... P_k of the number scaled to [−1, 1] by its bounds: orthogonal over the declared range,
     * where R's {@code poly} is orthogonal over the data.
     *
     * <pre>
     *   (j + 1) P_{j+1}(u) = (2 j + 1) u P_j(u) − j P_{j−1}(u),   |P_j| ≤ 1
     * </pre>
     */
    record Legendre(Interval bounds, int width) implements Basis {
        @Override
        public Interval range(int function) {
            return new Interval(-1, 1);
        }

        @Override
        public void write(double x, double[] values, int first) {
            double u = (2 * x - bounds.lower() - bounds.upper()) / (bounds.upper() - bounds.lower());
            double before = 1;
            double current = u;
            for (int j = 1; j <= width; j++) {
                values[first + j - 1] = Math.max(-1, Math.min(1, current));
                double next = ((2 * j + 1) * u * current - j * before) / (j + 1);
                before = current;
                current = next;
            }
        }
    }

    /** The powers x, x², ..., in natural units: {@code poly(x, k, raw = TRUE)}. */
    record Powers(Interval bounds, int width) implements Basis {
        @Override
        public Interval range(int function) {
            return bounds.power(function + 1);
        }

        @Override
        public void write(double x, double[] values, int first) {
            double power = 1;
            for (int j = 0; j < width; j++) {
                power *= x;
                values[first + j] = range(j).clamp(power);
            }
        }
    }
}
