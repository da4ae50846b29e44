package dev.tacit.federated.study;

import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.federated.crypto.Identity;
import dev.tacit.federated.crypto.SealedBox;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Small studies for tests. */
public final class StudyFixture {
    /** A table of two numbers and a binary target. */
    public static final String SCHEMA = """
            unit: record
            neighbours: add-remove
            size: 600
            target: late
            columns:
              age: {type: number, bounds: [18, 90]}
              income: {type: number, bounds: [0, 100]}
              late: {type: binary, positive: ["yes"], negative: ["no"]}
            """;

    private StudyFixture() {}

    /** Keys by a number, so that tests know them. */
    public static Identity identity(int number) {
        return Identity.of(key(number));
    }

    /** A sealing key by a number. */
    public static SealedBox box(int number) {
        return SealedBox.of(key(100 + number));
    }

    private static byte[] key(int number) {
        byte[] key = new byte[32];
        key[0] = (byte) number;
        key[31] = 64;
        return key;
    }

    public static Schema schema(long size) {
        return SchemaYaml.read(SCHEMA.replace("size: 600", "size: " + size));
    }

    /** A study of so many parties with 200 units each. */
    public static Study study(int parties, int colluders, int missing) {
        return study(parties, colluders, missing, Study.Noise.LAYERS, Map.of("rounds", "2"));
    }

    /** A study with a way of sharing noise and settings of its own. */
    public static Study study(
            int parties, int colluders, int missing, Study.Noise noise, Map<String, String> settings) {
        return study(parties, colluders, missing, 200, noise, settings);
    }

    /** A study of parties of so many units each. */
    public static Study study(
            int parties, int colluders, int missing, long units, Study.Noise noise, Map<String, String> settings) {
        Study.Fitted fitted = new Study.Fitted(schema(units * parties), "logistic-regression", "dp-pvi", settings);
        return study(fitted, parties, colluders, missing, units, noise);
    }

    /** A study of the formula {@code late ~ age + income} by a method, and by parties of whom one may collude. */
    public static Study study(String method, Map<String, String> settings, int parties) {
        Schema schema = SchemaYaml.read(SCHEMA.replace("size: 600", "size: " + 200L * parties)
                + (method.equals("private-likelihood") ? "encoding: {formula: \"late ~ age + income\"}\n" : ""));
        Study.Fitted fitted = new Study.Fitted(schema, "logistic-regression", method, settings);
        return study(fitted, parties, 1, 0, 200, Study.Noise.LAYERS);
    }

    private static Study study(
            Study.Fitted fitted, int parties, int colluders, int missing, long units, Study.Noise noise) {
        List<StudyMember> members = new ArrayList<>();
        for (int place = 0; place < parties; place++) {
            members.add(new StudyMember(
                    "party-" + place,
                    units,
                    HexFormat.of().formatHex(identity(place + 1).publicKey()),
                    HexFormat.of().formatHex(box(place + 1).publicKey())));
        }
        PrivacyBudget budget = new PrivacyBudget(1, 1e-5);
        return new Study(
                "test",
                fitted,
                budget,
                StudyPlan.noiseMultiplier(fitted, parties, budget),
                colluders,
                missing,
                noise,
                7,
                HexFormat.of().formatHex(identity(99).publicKey()),
                members);
    }
}
