package dev.tacit.noise;

import static dev.tacit.noise.Statistics.LEVEL;
import static dev.tacit.noise.Statistics.because;
import static dev.tacit.noise.Statistics.chiSquareTail;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.door.noise.NoiseSource;
import dev.tacit.door.noise.Provenance;
import dev.tacit.door.noise.RandomBits;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NoiseSourceTest {
    private static long[] words(NoiseSource noise, int count) {
        long[] words = new long[count];
        Arrays.setAll(words, i -> noise.nextLong());
        return words;
    }

    /** Two equal words among 64 000 random ones have a probability of 10^−10. */
    @Test
    void streamsForksAndForksOfForksDoNotOverlap() {
        for (NoiseSource noise : List.of(SecureNoise.create(), ReplayNoise.ofSeed(1))) {
            Set<Long> seen = new HashSet<>();
            List<NoiseSource> streams = List.of(
                    noise,
                    noise.fork(0),
                    noise.fork(1),
                    noise.fork(-1),
                    noise.fork(0).fork(0),
                    noise.fork(1).fork(0),
                    SecureNoise.create(),
                    ReplayNoise.ofSeed(2));
            for (NoiseSource stream : streams) {
                for (long word : words(stream, 8000)) {
                    seen.add(word);
                }
            }
            assertThat(seen).hasSize(8 * 8000);
        }
    }

    @Test
    void replaysFromItsSeedAndLabels() {
        ReplayNoise noise = ReplayNoise.ofSeed(7);
        ReplayNoise again = ReplayNoise.ofSeed(7);
        long[] child = words(noise.fork(3).fork(5), 5000);
        assertThat(words(again, 5000)).isEqualTo(words(noise, 5000));
        assertThat(words(again.fork(3).fork(5), 5000))
                .as("forks do not depend on what was drawn before")
                .isEqualTo(child);
    }

    /** Stored simulations must stay repeatable: this changes only together with the tag. */
    @Test
    void keepsItsBitsFromVersionToVersion() {
        assertThat(words(ReplayNoise.ofSeed(42), 3)).containsExactly(REPLAY_42);
        assertThat(words(ReplayNoise.ofSeed(42).fork(1), 3)).containsExactly(REPLAY_42_FORK_1);
    }

    private static final long[] REPLAY_42 = {2224356946584431315L, -7875167828480308410L, -9021776015610356084L};
    private static final long[] REPLAY_42_FORK_1 = {5721626801394152228L, -7896513422371063118L, -6471209254147689795L};

    @Test
    void secureForksOfTheSameLabelDiffer() {
        SecureNoise noise = SecureNoise.create();
        assertThat(words(noise.fork(1), 100)).doesNotContain(words(noise.fork(1), 100));
    }

    @Test
    void onlySecureNoiseIsForRelease() {
        assertThat(SecureNoise.create().forRelease()).isTrue();
        assertThat(SecureNoise.create().fork(1).forRelease()).isTrue();
        assertThat(ReplayNoise.ofSeed(1).forRelease()).isFalse();
        assertThat(ReplayNoise.ofSeed(1).fork(1).forRelease()).isFalse();
        assertThat(Provenance.RELEASABLE
                        .and(Provenance.SIMULATED_NOT_FOR_RELEASE)
                        .forRelease())
                .isFalse();
        assertThat(Provenance.SIMULATED_NOT_FOR_RELEASE
                        .and(Provenance.RELEASABLE)
                        .forRelease())
                .isFalse();
        assertThat(Provenance.RELEASABLE.and(Provenance.RELEASABLE).forRelease())
                .isTrue();
    }

    @Test
    void secureNoiseCannotBeSeeded() {
        for (Constructor<?> constructor : SecureNoise.class.getDeclaredConstructors()) {
            assertThat(Modifier.isPrivate(constructor.getModifiers())).isTrue();
        }
        for (Method method : SecureNoise.class.getDeclaredMethods()) {
            if (Modifier.isPublic(method.getModifiers()) && method.getName().equals("create")) {
                assertThat(method.getParameterCount()).isZero();
            }
        }
        Set<Class<?>> interfaces = new HashSet<>();
        for (Class<?> type = SecureNoise.class; type != null; type = type.getSuperclass()) {
            interfaces.addAll(Arrays.asList(type.getInterfaces()));
        }
        assertThat(interfaces)
                .as("nothing else, such as a stream that can be written down")
                .containsExactlyInAnyOrder(NoiseSource.class, RandomBits.class);
    }

    /** Each of the 64 bits is set half of the time, and bytes are uniform. */
    @Test
    void bitsAndBytesAreUniform() {
        long seed = Statistics.seed();
        int count = 400_000;
        for (NoiseSource noise : List.of(SecureNoise.create(), ReplayNoise.ofSeed(seed))) {
            long[] set = new long[64];
            long[] bytes = new long[256];
            for (long word : words(noise, count)) {
                for (int bit = 0; bit < 64; bit++) {
                    set[bit] += word >>> bit & 1;
                }
                for (int shift = 0; shift < 64; shift += 8) {
                    bytes[(int) (word >>> shift) & 255]++;
                }
            }
            double bitStatistic = 0;
            for (long ones : set) {
                bitStatistic += Math.pow(ones - count / 2.0, 2) / (count / 4.0);
            }
            assertThat(chiSquareTail(bitStatistic, 64))
                    .as(because("bits", seed))
                    .isGreaterThan(LEVEL);
            double byteStatistic = 0;
            for (long times : bytes) {
                byteStatistic += Math.pow(times - count / 32.0, 2) / (count / 32.0);
            }
            assertThat(chiSquareTail(byteStatistic, 255))
                    .as(because("bytes", seed))
                    .isGreaterThan(LEVEL);
        }
    }
}
