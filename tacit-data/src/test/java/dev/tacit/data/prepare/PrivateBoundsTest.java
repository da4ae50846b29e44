package dev.tacit.data.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.data.schema.Bounds;
import dev.tacit.data.schema.ColumnSchema.NumberColumn;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaException;
import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.data.source.DataLocation;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.RunRequest;
import dev.tacit.noise.ReplayNoise;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateBoundsTest {
    private static final long SEED = 11;
    private static final Schema SCHEMA = SchemaYaml.read("""
            unit: record
            size: 3000
            columns:
              income:  {type: number, bounds: PRIVATE}
              known:   {type: number, bounds: [0, 1]}
              balance: {type: number, bounds: PRIVATE}
              rate:    {type: number, bounds: PRIVATE, transform: sqrt, missing: category}
            """);

    @TempDir
    Path folder;

    private static String record(Random random) {
        return 1000 + 60000 * random.nextDouble() + ",0.5," + (600 * random.nextDouble() - 200) + ","
                + 0.01 * random.nextDouble() + "\n";
    }

    /** The release without noise, by which bounds and sensitivity can be checked exactly. */
    private double[] exact(String csv) throws IOException {
        Path file = Tables.write(folder, "t.csv", "income,known,balance,rate\n" + csv);
        try (PrivateDataset data = PrivateBounds.open(DataLocation.of(file), SCHEMA, Tables.options(folder, 1 << 24))) {
            return data.openNotPrivate(RunRequest.of("test", PrivateBounds.plan(SCHEMA)), ReplayNoise.ofSeed(1))
                    .release(PrivateBounds.query(SCHEMA), 1)
                    .value();
        }
    }

    private static NoisySum withNoise(double[] exact, double noiseStandardDeviation, Random random) {
        double[] noisy = exact.clone();
        for (int i = 0; i < noisy.length; i++) {
            noisy[i] += noiseStandardDeviation * random.nextGaussian();
        }
        return NoisySum.simulated(noisy, noiseStandardDeviation, 3000);
    }

    private static Bounds bounds(Schema schema, String column) {
        return ((NumberColumn) schema.column(column)).bounds().orElseThrow();
    }

    /** Noise of 4 on counts of hundreds: false alarms are below 1e-6 for all bins and draws together. */
    @Test
    void boundsAreThePowersOfTwoAroundTheValues() throws IOException {
        Random random = new Random(SEED);
        StringBuilder csv = new StringBuilder();
        for (int i = 0; i < 3000; i++) {
            csv.append(record(random));
        }
        csv.append("1e300,0.5,-1e300,1e-300\n");
        Schema bought = PrivateBounds.withBounds(SCHEMA, withNoise(exact(csv.toString()), 4, random));
        assertThat(bounds(bought, "income").upper()).as("seed %d", SEED).isEqualTo(65536);
        assertThat(bounds(bought, "income").lower()).isBetween(512.0, 4096.0);
        assertThat(bounds(bought, "balance")).isEqualTo(new Bounds(-256, 512));
        assertThat(bounds(bought, "known")).isEqualTo(new Bounds(0, 1));
        assertThat(bounds(bought, "rate").upper()).isEqualTo(Math.scalb(1.0, -6));
        assertThat(bounds(bought, "rate").lower()).isBetween(0.0, Math.scalb(1.0, -9));
        assertThat(bought.columnsWithPrivateBounds()).isEmpty();
        FeatureEncoder.of(bought);
    }

    /** A hundred draws of pure noise pass the threshold with probability below 1e-4; this seed does not. */
    @Test
    void pureNoiseHasNoBounds() {
        Random random = new Random(SEED);
        int dimension = PrivateBounds.plan(SCHEMA).phases().get(0).dimension();
        for (int draw = 0; draw < 100; draw++) {
            NoisySum noise = withNoise(new double[dimension], 3, random);
            assertThatThrownBy(() -> PrivateBounds.withBounds(SCHEMA, noise))
                    .isInstanceOf(SchemaException.class)
                    .hasMessageContaining("too few values above the noise");
        }
    }

    /** Whatever a record holds, it moves the sums by at most the one bound of the clip, up to the rounding of the grid. */
    @Test
    void oneRecordMovesTheHistogramsByAtMostOneBound() throws IOException {
        StringBuilder csv = new StringBuilder();
        Random random = new Random(SEED);
        for (int i = 0; i < 50; i++) {
            csv.append(record(random));
        }
        double[] without = exact(csv.toString());
        for (String odd :
                new String[] {"1,1,1,1", "-inf,0,1e308,0", ",,,", "x,y,z,1", "5", "NaN,NaN,0,1e-320", "\"1\n\n\""}) {
            double[] with = exact(csv + odd + "\n");
            double squares = 0;
            for (int i = 0; i < with.length; i++) {
                squares += (with[i] - without[i]) * (with[i] - without[i]);
            }
            assertThat(Math.sqrt(squares)).as(odd).isLessThanOrEqualTo(1 + Math.scalb(1.0, -22));
        }
    }

    @Test
    void everyValueLiesInItsBin() {
        Random random = new Random(SEED);
        for (int i = 0; i < 10_000; i++) {
            double value = Math.scalb(random.nextDouble() - 0.5, random.nextInt(90) - 30);
            int bin = PrivateBounds.bin(value);
            assertThat(value).isBetween(PrivateBounds.lowerEnd(bin), PrivateBounds.upperEnd(bin));
        }
        assertThat(PrivateBounds.lowerEnd(PrivateBounds.bin(8))).isEqualTo(8);
        assertThat(PrivateBounds.upperEnd(PrivateBounds.bin(-8))).isEqualTo(-8);
        assertThat(PrivateBounds.upperEnd(PrivateBounds.bin(0))).isCloseTo(0, within(1e-9));
    }
}
