package dev.tacit.fit.run;

import dev.tacit.data.prepare.LocalTables;
import dev.tacit.data.prepare.RecordSketch;
import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.folder.KeptRecords;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;

/**
 * Whether records that a fit is to be scored on are those that it came from. Scores are exact functions of their
 * records, and no budget pays for them: on the records of the fit they would say, beside a guarantee, what it does not
 * cover.
 */
public enum TrainingRecords {
    /** Most records are others. */
    OTHERS("compared with the records of the fit: at most half of them are among these"),
    /** Records of the fit repeat each other, so that being among them means little. */
    REPEATED("compared with the table of the fit as a whole only, because its records repeat each other"),
    /** Whoever asked wants it so. */
    ALLOWED("not compared with the records of the fit, as asked"),
    /** Only the holder of the fit's {@code sealed/} can tell. */
    UNKNOWN("could not be compared with the records of the fit, whose sealed/ is not here or does not suit this table");

    /** What is said of every score. */
    public static final String NOT_COVERED =
            "Scores are exact functions of these records: the guarantee of the fit does not cover them.";

    private static final double MOST = 0.5;

    private final String words;

    TrainingRecords(String words) {
        this.words = words;
    }

    /** What was found, in words. */
    public String words() {
        return words;
    }

    /**
     * Refuses a table of which more than half is among the records of the fit.
     *
     * @param allowed whether whoever asks has said that it is so
     */
    public static TrainingRecords require(FitFolder fit, StoredPosterior fitted, String file, boolean allowed) {
        if (allowed) {
            return ALLOWED;
        }
        if (!Files.isReadable(fit.records())) {
            return UNKNOWN;
        }
        RecordSketch.Share among;
        boolean same;
        boolean telling;
        try {
            KeptRecords kept = KeptRecords.fromJson(
                    Files.readString(fit.records(), StandardCharsets.UTF_8),
                    fit.records().toString());
            RecordSketch asked = Preparations.sketch(file, fitted.schema(), new LocalTables(1), kept.key());
            among = asked.containedIn(kept.sketch());
            same = asked.sameRecords(kept.sketch());
            telling = distinct(kept.sketch()) >= MOST * fitted.schema().size();
        } catch (IOException | IllegalArgumentException | FitException e) {
            return UNKNOWN; // whatever is wrong with the table is said when it is read
        }
        if (same || (telling && among.share() > MOST)) {
            throw new FitException(
                    FitException.Kind.BAD_DATA,
                    "most records of " + file + " are among those that the fit came from, and scores on them are not"
                            + " covered by its guarantee; score on other records, or add --on-training-data.");
        }
        return !telling ? REPEATED : among.compared() == 0 ? UNKNOWN : OTHERS;
    }

    /** About how many different records there are: the n-th smallest of uniform hashes lies near n of that many. */
    private static double distinct(RecordSketch sketch) {
        int count = sketch.hashes().size();
        if (count < RecordSketch.LARGEST) {
            return count;
        }
        double largest = (sketch.hashes().get(count - 1).high() >>> 1) * 0x1p-63;
        return (count - 1) / largest;
    }
}
