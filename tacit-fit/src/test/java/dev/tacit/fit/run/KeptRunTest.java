package dev.tacit.fit.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeptRunTest {
    /** A run that is resumed elsewhere finds files where it was started, and addresses where they always are. */
    @ParameterizedTest
    @CsvSource({
        "people.csv, /study/people.csv",
        "../people.csv, /people.csv",
        "/data/people.csv, /data/people.csv",
        "hdfs:///people, hdfs:///people",
        "table:clinic.people, table:clinic.people",
        "postgres://host/database?table=people, postgres://host/database?table=people"
    })
    void pathsAreThoseOfTheFolderWhereTheRunWasStarted(String data, String found) {
        assertThat(KeptRun.at(Path.of("/study"), data)).isEqualTo(found);
    }
}
