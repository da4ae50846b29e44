package dev.tacit.cli;

import dev.tacit.data.prepare.Preparation;
import dev.tacit.data.prepare.PreparationOptions;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaException;
import dev.tacit.data.source.DataException;
import dev.tacit.data.source.NoInputException;
import dev.tacit.data.source.ReadingOptions;
import dev.tacit.privacy.data.PrivateDataset;

/** Opens private records, or says in one sentence what is wrong with their form. */
final class Preparations {
    private Preparations() {}

    static PrivateDataset open(String data, Schema schema, int threads) {
        PreparationOptions standard = PreparationOptions.standard();
        ReadingOptions reading = new ReadingOptions(threads, standard.reading().databaseBytes());
        try {
            return Preparation.open(
                    data, schema, new PreparationOptions(standard.memoryBytes(), standard.spillFolder(), reading));
        } catch (NoInputException e) {
            throw new CommandFailure(ExitCode.NO_INPUT, FitCommand.sentence(e.getMessage()), e);
        } catch (DataException e) {
            throw new CommandFailure(ExitCode.BAD_DATA, FitCommand.sentence(e.getMessage()), e);
        } catch (SchemaException e) {
            throw new CommandFailure(ExitCode.CONFIG, FitCommand.sentence(e.getMessage()), e);
        }
    }
}
