package dev.tacit.federated.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.federated.crypto.SlowHash;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StudyFileTest {
    private final Study study = StudyFixture.study(5, 1, 1);

    @Test
    void isReadBackWithTheSameHash() {
        Study read = StudyFile.parse(StudyFile.write(study));
        assertThat(read).isEqualTo(study);
        assertThat(read.hashText()).isEqualTo(study.hashText());
        assertThat(StudyFile.write(study)).startsWith("# " + study.words());
    }

    @Test
    void theLookOfTheFileDoesNotMatter() {
        String other = StudyFile.write(study) + "\n# a remark\n";
        assertThat(StudyFile.parse(other).hashText()).isEqualTo(study.hashText());
    }

    /** Whatever is changed changes the hash, and with it the words. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "name: \"test\"->name: \"toast\"",
                "colluders: 1->colluders: 2",
                "missing: 1->missing: 0",
                "noise: \"layers\"->noise: \"shares\"",
                "seed: 7->seed: 8",
                "epsilon: 1.0->epsilon: 1.1",
                "bounds: [18, 90]->bounds: [18, 91]",
                "\"rounds\":\"2\"->\"rounds\":\"3\""
            })
    void everyFieldIsHashed(String change) {
        String[] parts = change.split("->", -1);
        String text = StudyFile.write(study);
        String changed = text.replace(parts[0], parts[1]);
        assertThat(changed).as(change + " in\n" + text).isNotEqualTo(text);
        Study other = StudyFile.parse(changed);
        assertThat(other.hashText()).isNotEqualTo(study.hashText());
        assertThat(other.words()).isNotEqualTo(study.words());
    }

    @ParameterizedTest
    @CsvSource({
        "epsilon: 1.0, epsilon: x",
        "name: \"test\", nome: \"test\"",
        "noise: \"layers\", noise: \"more\"",
        "format: \"tacit-study 1\", format: \"tacit-study 2\"",
        "party-1, party-0",
        "missing: 1, missing: 2"
    })
    void whatDoesNotFitIsRefusedInASentence(String from, String to) {
        String changed = StudyFile.write(study).replace(from, to);
        assertThatThrownBy(() -> StudyFile.parse(changed))
                .isInstanceOf(StudyException.class)
                .message()
                .doesNotContain("\n")
                .isNotBlank();
    }

    @Test
    void anchorsAndTwoDocumentsAreRefused() {
        String text = StudyFile.write(study);
        assertThatThrownBy(() -> StudyFile.parse(text + "---\na: 1\n")).isInstanceOf(StudyException.class);
        assertThatThrownBy(() ->
                        StudyFile.parse(text.replace("seed: 7", "seed: *a").replace("missing: 1", "missing: &a 1")))
                .isInstanceOf(StudyException.class);
        assertThatThrownBy(() -> StudyFile.parse(text + "seed: 7\n")).isInstanceOf(StudyException.class);
    }

    @Test
    void wordsAreEightOfElevenBits() {
        assertThat(FingerprintWords.words(new byte[11]).split(" ", -1))
                .hasSize(8)
                .containsOnly("abandon");
        byte[] ones = new byte[11];
        java.util.Arrays.fill(ones, (byte) -1);
        assertThat(FingerprintWords.words(ones).split(" ", -1)).hasSize(8).containsOnly("zoo");
        Set<String> seen = new HashSet<>();
        for (int bit = 0; bit < 88; bit++) {
            byte[] bits = new byte[11];
            bits[bit / 8] = (byte) (128 >> bit % 8);
            seen.add(FingerprintWords.words(bits));
        }
        assertThat(seen).hasSize(88);
    }

    /** Worked out by OpenSSL's scrypt: two studies with the same words must cost more than two hashes with the same bits. */
    @Test
    void wordsAreThoseOfASlowHash() {
        assertThat(SlowHash.of("words", new byte[32], 11))
                .isEqualTo(HexFormat.of().parseHex("d606fecf33e53da50e7085"));
        assertThat(FingerprintWords.of(new byte[32]))
                .isEqualTo(FingerprintWords.words(HexFormat.of().parseHex("d606fecf33e53da50e7085")));
    }

    @Test
    void partiesNeedKeysOfTheirOwn() {
        StudyMember first = study.members().get(0);
        assertThatThrownBy(() -> new Study(
                        "x",
                        study.fitted(),
                        study.budget(),
                        1,
                        0,
                        0,
                        Study.Noise.SHARES,
                        1,
                        first.identity(),
                        study.members()))
                .hasMessageContaining("makes its own keys");
        assertThatThrownBy(() -> new StudyMember("North", 1, first.identity(), first.sealing()))
                .isInstanceOf(StudyException.class);
        assertThat(StudyFixture.study(3, 1, 0, Study.Noise.SHARES, Map.of()).place("party-2"))
                .isEqualTo(2);
    }

    /** Whoever drafts a study may write anything into it: a party hears in a sentence that it cannot be used, and where. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "noise-multiplier: .*|noise-multiplier: 1.0e-9|the noise-multiplier of the study cannot be used",
                "noise-multiplier: .*|noise-multiplier: 1.0e+300|the noise-multiplier of the study cannot be used",
                "colluders: 1|colluders: 99999999999|colluders",
                "missing: 1|missing: -1|missing",
                "missing: 1|missing: 1000000000000000000000|a whole number has at most 18 digits",
                "settings: .*|settings: 5|study: settings must be names and values",
                "epsilon: 1.0|epsilon: 0|study: epsilon is 0, which pays for nothing; give a positive number",
                "colluders: 1|colluders: 0|study: colluders must be a whole number from 1 to 254",
                "missing: 1|mising: 1|study: the key missing is missing; is mising meant to be it?"
            })
    void numbersThatNobodyCanUseAreRefused(String found, String written, String sentence) {
        String text = StudyFile.write(study).replaceFirst("(?m)^" + found + "$", written);
        assertThat(text).contains(written);
        assertThatThrownBy(() -> StudyPlan.of(StudyFile.parse(text)))
                .isInstanceOf(StudyException.class)
                .hasMessageContaining(sentence);
    }

    /** A complaint names the file, the key, and which party it is about. */
    @Test
    void aComplaintNamesTheKey() {
        Map.of(
                        "\nname: \"test\"->\nname: \"two\\nlines\"",
                        "study: the name of a study is one line, without tabs and other control characters",
                        "\nseed: 7->\nseed: 7\npartis: 7",
                        "study: there is no key partis (did you mean parties?); the keys are format, settings, parties,"
                                + " name, schema, model, method, epsilon, delta, noise-multiplier, colluders, missing,"
                                + " noise, seed, coordinator",
                        "\"party-1\",\"units\":->\"party-1\",\"unit\":",
                        "study: the key parties[1].units is missing; is unit meant to be it?",
                        "  target: late->  target: lates",
                        "study: schema: the target \"lates\" is not one of the declared columns (did you mean late?)")
                .forEach((change, sentence) -> {
                    String[] parts = change.split("->", -1);
                    String text = StudyFile.write(study).replace(parts[0], parts[1]);
                    assertThatThrownBy(() -> StudyFile.parse(text))
                            .as(change)
                            .isInstanceOf(StudyException.class)
                            .hasMessage(sentence);
                });
    }

    /** Nothing can be sealed for a key of small order, and all others would find that out after they were charged. */
    @Test
    void aSealingKeyOfSmallOrderIsRefused() {
        StudyMember north = study.members().get(0);
        assertThatThrownBy(() -> new StudyMember(north.name(), north.units(), north.identity(), "00".repeat(32)))
                .isInstanceOf(StudyException.class)
                .hasMessage("the sealing key of party-0 is one for which nothing can be sealed");
    }
}
