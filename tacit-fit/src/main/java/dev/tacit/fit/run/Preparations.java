package dev.tacit.fit.run;

import dev.tacit.data.prepare.Preparation;
import dev.tacit.data.prepare.PreparationOptions;
import dev.tacit.data.prepare.PrivateBounds;
import dev.tacit.data.prepare.RecordSketch;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaException;
import dev.tacit.data.source.DataException;
import dev.tacit.data.source.DataLocation;
import dev.tacit.data.source.NoInputException;
import dev.tacit.data.source.ReadingOptions;
import dev.tacit.data.source.SketchKey;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.fit.base.FitException;
import java.util.Optional;
import java.util.function.Supplier;

/** Opens private records, or says in one sentence what is wrong with their form. */
public final class Preparations {
    private Preparations() {}

    /** The records as a fit sees them. */
    public static PrivateDataset open(String data, Schema schema, int threads) {
        return saying(() -> Preparation.open(data, schema, options(threads)));
    }

    /** The records as a fit sees them, with invented ones beside them, and what they are under a key. */
    static Preparation.Sketched openSketched(
            String data, Schema schema, int threads, SketchKey key, Optional<RecordSource> beside) {
        return saying(() -> Preparation.openSketched(DataLocation.of(data), schema, options(threads), key, beside));
    }

    /** What records are under a key. */
    static RecordSketch sketch(String data, Schema schema, int threads, SketchKey key) {
        return saying(() -> RecordSketch.of(
                DataLocation.of(data), schema, key, options(threads).reading()));
    }

    /** The records as the purchase of bounds sees them. */
    static PrivateDataset openForBounds(String data, Schema schema, int threads) {
        return saying(() -> PrivateBounds.open(DataLocation.of(data), schema, options(threads)));
    }

    private static PreparationOptions options(int threads) {
        PreparationOptions standard = PreparationOptions.standard();
        return new PreparationOptions(
                standard.memoryBytes(),
                standard.spillFolder(),
                new ReadingOptions(threads, standard.reading().databaseBytes()));
    }

    private static <T> T saying(Supplier<T> opening) {
        try {
            return opening.get();
        } catch (NoInputException e) {
            throw new FitException(FitException.Kind.MISSING_INPUT, FitException.sentence(e.getMessage()), e);
        } catch (DataException e) {
            throw new FitException(FitException.Kind.BAD_DATA, FitException.sentence(e.getMessage()), e);
        } catch (SchemaException e) {
            throw new FitException(FitException.Kind.CONFIGURATION, FitException.sentence(e.getMessage()), e);
        }
    }
}
