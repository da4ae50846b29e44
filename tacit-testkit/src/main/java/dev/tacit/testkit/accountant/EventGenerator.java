package dev.tacit.testkit.accountant;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * Random accounting questions over the whole range that accountants promise to answer.
 *
 * <pre>
 *   noise multiplier 0.05 .. 1e6,  rate 1e-12 .. 1 (one in eight exactly 1),  steps 1 .. 1e9,  delta 1e-300 .. 0.5,
 *   all log-uniform;  1 to 4 phases;  one question in four under replace-one neighbours
 * </pre>
 *
 * A question depends on the seed and its number only, so that runs in parallel and single replays agree.
 *
 * @param seed the seed of all questions
 */
public record EventGenerator(long seed) {
    /**
     * One question.
     *
     * @param number its number under the generator's seed
     * @param event what was done
     * @param delta the delta to account at
     * @param neighbours the neighbouring relation
     */
    public record Question(long number, PrivacyEvent event, double delta, Neighbours neighbours) {}

    /** The question of the given number: a sequence of Poisson-sampled Gaussian phases. */
    public Question question(long number) {
        UniformRandomProvider random = RandomSource.SPLIT_MIX_64.create(seed ^ (number * 0x9E3779B97F4A7C15L));
        PrivacyEvent event = PrivacyEvent.nothing();
        int phases = 1 + random.nextInt(4);
        for (int phase = 0; phase < phases; phase++) {
            PrivacyEvent release = PrivacyEvent.gaussian(logUniform(random, 0.05, 1e6));
            if (random.nextInt(8) != 0) {
                release = release.poissonSampled(logUniform(random, 1e-12, 1));
            }
            event = event.then(release.times(Math.round(logUniform(random, 1, 1e9))));
        }
        Neighbours neighbours = random.nextInt(4) == 0 ? Neighbours.REPLACE_ONE : Neighbours.ADD_REMOVE;
        return new Question(number, event, logUniform(random, 1e-300, 0.5), neighbours);
    }

    /** A number between two positive ones, every order of magnitude being equally likely. */
    public static double logUniform(UniformRandomProvider random, double lower, double upper) {
        double value = Math.exp(Math.log(lower) + random.nextDouble() * (Math.log(upper) - Math.log(lower)));
        return Math.min(upper, Math.max(lower, value));
    }
}
