package dev.tacit.fit.run;

import dev.tacit.data.prepare.EngineException;
import dev.tacit.data.prepare.LocalTables;
import dev.tacit.data.prepare.Preparation;
import dev.tacit.data.prepare.RecordSketch;
import dev.tacit.data.prepare.TableEngine;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaException;
import dev.tacit.data.source.DataException;
import dev.tacit.data.source.NoInputException;
import dev.tacit.data.source.SketchKey;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.fit.base.FitException;
import java.util.Optional;
import java.util.function.Supplier;

/** Opens private records, or says in one sentence what is wrong with their form. */
public final class Preparations {
    private Preparations() {}

    /** The records as a fit on this machine sees them. */
    public static PrivateDataset open(String data, Schema schema, int threads) {
        return open(data, schema, new LocalTables(threads));
    }

    /** The records as a fit sees them. */
    static PrivateDataset open(String data, Schema schema, TableEngine engine) {
        return saying(() -> engine.open(data, schema));
    }

    /** The records as a fit sees them, with invented ones beside them, and what they are under a key. */
    static Preparation.Sketched openSketched(
            String data, Schema schema, TableEngine engine, SketchKey key, Optional<RecordSource> beside) {
        return saying(() -> engine.openSketched(data, schema, key, beside));
    }

    /** What records are under a key. */
    static RecordSketch sketch(String data, Schema schema, TableEngine engine, SketchKey key) {
        return saying(() -> engine.sketch(data, schema, key));
    }

    /** The records as the purchase of bounds sees them. */
    static PrivateDataset openForBounds(String data, Schema schema, TableEngine engine) {
        return saying(() -> engine.openForBounds(data, schema));
    }

    /** What an engine refuses, or why it cannot be reached. */
    static FitException said(EngineException e) {
        FitException.Kind kind = e.kind() == EngineException.Kind.UNREACHABLE
                ? FitException.Kind.UNREACHABLE
                : FitException.Kind.CONFIGURATION;
        return new FitException(kind, FitException.sentence(e.getMessage()), e);
    }

    private static <T> T saying(Supplier<T> opening) {
        try {
            return opening.get();
        } catch (NoInputException e) {
            throw new FitException(FitException.Kind.MISSING_INPUT, FitException.sentence(e.getMessage()), e);
        } catch (DataException e) {
            throw new FitException(FitException.Kind.BAD_DATA, FitException.sentence(e.getMessage()), e);
        } catch (EngineException e) {
            throw said(e);
        } catch (SchemaException e) {
            throw new FitException(FitException.Kind.CONFIGURATION, FitException.sentence(e.getMessage()), e);
        }
    }
}
