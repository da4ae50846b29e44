package dev.tacit.data.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.data.catalogue.entry.DataFolder;
import dev.tacit.data.catalogue.entry.DatasetEntry;
import dev.tacit.data.catalogue.entry.DatasetException;
import dev.tacit.data.catalogue.entry.DatasetException.Kind;
import dev.tacit.data.catalogue.entry.DatasetFacts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CatalogueTest {
    @Test
    void namesAreThoseOfThePapers() {
        assertThat(Catalogue.list())
                .extracting(DatasetEntry::name)
                .containsExactly(
                        "adult",
                        "naval",
                        "kin8nm",
                        "power",
                        "wine",
                        "protein",
                        "year-prediction-msd",
                        "mnist",
                        "kos",
                        "ap",
                        "wikipedia",
                        "diabetes130",
                        "physionet2012");
    }

    @Test
    void everyEntrySaysWhatItIsAndWhereItComesFrom() {
        for (DatasetEntry entry : Catalogue.list()) {
            DatasetFacts facts = entry.facts();
            assertThat(facts.title()).as(entry.name()).isNotBlank();
            assertThat(facts.licence()).as(entry.name()).isNotBlank();
            assertThat(facts.source()).as(entry.name()).contains("http");
            assertThat(facts.rows()).as(entry.name()).isPositive();
            assertThat(facts.columns()).as(entry.name()).isPositive();
            assertThat(facts.quirks()).as(entry.name()).isNotEmpty();
            assertThat(entry.files())
                    .as(entry.name())
                    .isNotEmpty()
                    .allSatisfy(file ->
                            file.digest().ifPresent(digest -> assertThat(digest).matches("[0-9a-f]{64}")));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Adult,adult",
        "power-plant,power",
        "naval-propulsion-plant,naval",
        "YearPredictionMSD,year-prediction-msd",
        "lda_kos,kos"
    })
    void otherNamesAreUnderstood(String other, String name) throws DatasetException {
        assertThat(Catalogue.find(other).name()).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource({"adlut,adult", "kin8,kin8nm", "diabetes-103,diabetes130", "mnst,mnist", "physionet,physionet2012"})
    void misspeltNameIsCorrected(String typed, String meant) {
        assertThatThrownBy(() -> Catalogue.find(typed))
                .isInstanceOfSatisfying(
                        DatasetException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNKNOWN_NAME))
                .hasMessage("no data set is called \"" + typed + "\"; did you mean " + meant + "?");
    }

    @Test
    void strangeNameIsAnsweredWithTheList() {
        assertThatThrownBy(() -> Catalogue.find("imagenet"))
                .hasMessageStartingWith("no data set is called \"imagenet\"; there are adult, naval, ")
                .hasMessageEndingWith("physionet2012.");
    }

    @Test
    void absentFileIsNamedWithItsPlacesAndItsSource(@TempDir Path folder) {
        assertThatThrownBy(() -> Catalogue.find("year-prediction-msd").prepare(folder, folder.resolve("out")))
                .isInstanceOfSatisfying(
                        DatasetException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NO_INPUT))
                .hasMessageContaining("YearPredictionMSD.txt")
                .hasMessageContaining(folder.resolve("year-prediction-msd").toString())
                .hasMessageContaining("archive.ics.uci.edu/dataset/203");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void dataFolderIsNamedOrInTheEnvironment(@TempDir Path folder) throws Exception {
        Path other = Files.createDirectory(folder.resolve("other"));
        Map<String, String> environment = Map.of("TACIT_DATA", folder.toString());
        assertThat(DataFolder.choose(null, environment)).isEqualTo(folder);
        assertThat(DataFolder.choose(other, environment)).isEqualTo(other);
        assertThatThrownBy(() -> DataFolder.choose(null, Map.of())).hasMessageContaining("--data-dir DIR");
        assertThatThrownBy(() -> DataFolder.choose(folder.resolve("absent"), Map.of()))
                .hasMessageContaining("does not exist");
    }
}
