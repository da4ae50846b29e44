package dev.tacit.transform;

import dev.tacit.numerics.SpecialFunctions;

/**
 * The transforms by name.
 *
 * <pre>
 *   real             x = u
 *   positive         x = e^u                                       log|J| = u
 *   softplus         x = log(1 + e^u)                              log|J| = log sigmoid(u)
 *   lower bounded    x = a + e^u                                   log|J| = u
 *   upper bounded    x = b − e^u                                   log|J| = u
 *   unit interval    x = sigmoid(u)                                log|J| = log x + log(1 − x)
 *   interval         x = a + (b − a) sigmoid(u)                    log|J| = log(b − a) + log sigmoid(u) sigmoid(−u)
 *   ordered          x₁ = u₁, x_i = x_{i−1} + e^{u_i}              log|J| = Σ_{i≥2} u_i
 *   simplex          z_i = sigmoid(u_i − log(n − i)), x_i = z_i (1 − Σ_{j&lt;i} x_j)     uniform at u = 0
 *                    log|J| = Σ_i log z_i + log(1 − z_i) + log(1 − Σ_{j&lt;i} x_j)
 *   log-ratio        x = softmax(u₁, …, u_{n−1}, 0)                log|J| = Σ_{i≤n} log x_i
 * </pre>
 *
 * Stan Development Team, Reference Manual, chapter "Constraint transforms"; log-ratio: Aitchison 1982.
 */
public final class Transforms {
    private Transforms() {}

    /** Any number. */
    public static Transform real(int n) {
        return new ScalarTransform("real", n) {
            @Override
            double value(double u) {
                return u;
            }

            @Override
            double inverse(double x) {
                return x;
            }

            @Override
            double logSlope(double u, double x) {
                return 0;
            }

            @Override
            double slope(double u, double x) {
                return 1;
            }

            @Override
            double logSlopeGradient(double u, double x) {
                return 0;
            }
        };
    }

    /** Numbers above 0, by the exponential. */
    public static Transform positive(int n) {
        return exponential("positive", n, 0, 1);
    }

    /** Numbers above a bound. */
    public static Transform lowerBounded(int n, double lower) {
        return exponential("lower bounded", n, finite(lower), 1);
    }

    /** Numbers below a bound. */
    public static Transform upperBounded(int n, double upper) {
        return exponential("upper bounded", n, finite(upper), -1);
    }

    private static Transform exponential(String name, int n, double bound, double sign) {
        return new ScalarTransform(name, n) {
            @Override
            double value(double u) {
                return bound + sign * Math.exp(u);
            }

            @Override
            double inverse(double x) {
                return Math.log(sign * (x - bound));
            }

            @Override
            double logSlope(double u, double x) {
                return u;
            }

            @Override
            double slope(double u, double x) {
                return bound == 0 ? x : sign * Math.exp(u);
            }

            @Override
            double logSlopeGradient(double u, double x) {
                return 1;
            }
        };
    }

    /** Numbers above 0, by log(1 + e^u), which is almost linear for large u. */
    public static Transform softplus(int n) {
        return new ScalarTransform("softplus", n) {
            @Override
            double value(double u) {
                return SpecialFunctions.softplus(u);
            }

            @Override
            double inverse(double x) {
                return x + Math.log(-Math.expm1(-x));
            }

            @Override
            double logSlope(double u, double x) {
                return SpecialFunctions.logSigmoid(u);
            }

            @Override
            double slope(double u, double x) {
                return SpecialFunctions.sigmoid(u);
            }

            @Override
            double logSlopeGradient(double u, double x) {
                return SpecialFunctions.sigmoid(-u);
            }
        };
    }

    /** Numbers between 0 and 1. */
    public static Transform unitInterval(int n) {
        return logistic("unit interval", n, 0, 1);
    }

    /** Numbers between two bounds. */
    public static Transform interval(int n, double lower, double upper) {
        if (!(finite(lower) < finite(upper))) {
            throw new IllegalArgumentException("the lower bound must be below the upper bound");
        }
        return logistic("interval", n, lower, upper - lower);
    }

    private static Transform logistic(String name, int n, double lower, double width) {
        return new ScalarTransform(name, n) {
            @Override
            double value(double u) {
                return lower + width * SpecialFunctions.sigmoid(u);
            }

            @Override
            double inverse(double x) {
                return SpecialFunctions.logit((x - lower) / width);
            }

            @Override
            double logSlope(double u, double x) {
                // log sigmoid(u) + log sigmoid(−u) with one softplus
                return Math.log(width) - Math.abs(u) - 2 * SpecialFunctions.softplus(-Math.abs(u));
            }

            @Override
            double slope(double u, double x) {
                return width * SpecialFunctions.sigmoid(u) * SpecialFunctions.sigmoid(-u);
            }

            @Override
            double logSlopeGradient(double u, double x) {
                return SpecialFunctions.sigmoid(-u) - SpecialFunctions.sigmoid(u);
            }
        };
    }

    /** Numbers in increasing order. */
    public static Transform ordered(int n) {
        return new OrderedTransform(n);
    }

    /** n positive numbers with sum 1, by breaking a stick n − 1 times. */
    public static Transform simplex(int n) {
        return new StickBreakingTransform(n);
    }

    /** n positive numbers with sum 1, by their ratios to the last one. */
    public static Transform logRatio(int n) {
        return new LogRatioTransform(n);
    }

    /**
     * The transform of a name, for those that have no bounds of their own.
     *
     * @param n how many constrained numbers it has
     */
    public static Transform named(String name, int n) {
        return switch (name) {
            case "real" -> real(n);
            case "positive" -> positive(n);
            case "softplus" -> softplus(n);
            case "unit interval" -> unitInterval(n);
            case "ordered" -> ordered(n);
            case "simplex" -> simplex(n);
            case "log-ratio" -> logRatio(n);
            default -> throw new IllegalArgumentException("there is no transform " + name + " that a name describes");
        };
    }

    private static double finite(double bound) {
        if (!Double.isFinite(bound)) {
            throw new IllegalArgumentException("a bound of a parameter must be finite");
        }
        return bound;
    }

    static int atLeastTwo(int n, String what) {
        if (n < 2) {
            throw new IllegalArgumentException(what + " needs at least two numbers");
        }
        return n;
    }
}
