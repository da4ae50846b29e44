package dev.tacit.fit.artefact;

import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.sampling.SamplingScheme.FixedSizeSampling;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.sampling.SamplingScheme.PoissonSampling;
import dev.tacit.fit.text.Rounded;

/** Sampling schemes as words: {@code none}, {@code poisson:RATE} or {@code fixed:BATCH/POPULATION}. */
public final class SamplingText {
    private SamplingText() {}

    static String write(SamplingScheme sampling) {
        if (sampling instanceof PoissonSampling poisson) {
            return "poisson:" + poisson.samplingRate();
        }
        if (sampling instanceof FixedSizeSampling fixed) {
            return "fixed:" + fixed.batch() + "/" + fixed.population();
        }
        return "none";
    }

    static SamplingScheme read(String text) {
        if (text.equals("none")) {
            return new FullPass();
        }
        if (text.startsWith("poisson:")) {
            return new PoissonSampling(Double.parseDouble(text.substring("poisson:".length())));
        }
        int slash = text.indexOf('/');
        if (text.startsWith("fixed:") && slash > 0) {
            return new FixedSizeSampling(
                    Long.parseLong(text.substring("fixed:".length(), slash)),
                    Long.parseLong(text.substring(slash + 1)));
        }
        throw new IllegalArgumentException("no sampling scheme is written like this");
    }

    /** For people: how many numbers a release has. */
    public static String numbers(int dimension) {
        return dimension == 1 ? "1 number" : dimension + " numbers";
    }

    /** For people: which records a release saw. */
    public static String words(SamplingScheme sampling, long publicSize) {
        if (sampling instanceof PoissonSampling poisson) {
            return "Poisson, rate " + Rounded.brief(poisson.samplingRate()) + " (about "
                    + Math.round(poisson.expectedBatchSize(publicSize)) + " of " + publicSize + ")";
        }
        if (sampling instanceof FixedSizeSampling fixed) {
            return fixed.batch() + " of " + fixed.population() + " at random";
        }
        return "all records";
    }
}
