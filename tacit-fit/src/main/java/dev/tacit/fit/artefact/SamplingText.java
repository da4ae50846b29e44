package dev.tacit.fit.artefact;

import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.sampling.SamplingScheme.FixedSizeSampling;
import dev.tacit.door.sampling.SamplingScheme.PoissonSampling;
import dev.tacit.fit.text.Rounded;
import dev.tacit.text.SamplingForm;

/** Sampling schemes as words: {@code none}, {@code poisson:RATE} or {@code fixed:BATCH/POPULATION}. */
public final class SamplingText {
    private SamplingText() {}

    static String write(SamplingScheme sampling) {
        return SamplingForm.of(sampling).text();
    }

    static SamplingScheme read(String text) {
        return SamplingForm.read(text).scheme();
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
