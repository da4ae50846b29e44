package dev.tacit.federated.study;

import dev.tacit.data.schema.Schema;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.fit.base.Sha256;
import dev.tacit.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * What several parties fit together, and on which terms. All of it is public, and none of it changes while the study runs: its hash
 * goes into every signature and every key, so nobody can add a party, change the noise or the bounds, or allow fewer colluders
 * afterwards.
 *
 * @param name in words that may be published; it stands in ledgers
 * @param fitted what is fitted
 * @param budget of every party's records
 * @param noiseMultiplier of the sum over all parties, or of each party if noise is its own, for the phases whose relative noise is 1
 * @param colluders how many parties may work together with the coordinator
 * @param missing how many parties may be missing when a sum is opened, or a round of changes ends
 * @param noise how it is shared
 * @param seed of the public random numbers of the method
 * @param coordinator its public Ed25519 key
 * @param members in order
 */
public record Study(
        String name,
        Fitted fitted,
        PrivacyBudget budget,
        double noiseMultiplier,
        int colluders,
        int missing,
        Noise noise,
        long seed,
        String coordinator,
        List<StudyMember> members) {
    /** The version of the file and of what a study means. */
    static final String FORMAT = "tacit-study 1";

    /** The most parties that secret sharing is made for. */
    public static final int MOST_PARTIES = 255;

    /**
     * What is fitted.
     *
     * @param schema of every party's table; its size is that of all parties together
     * @param model its name
     * @param method its name
     * @param settings by name, as given
     */
    public record Fitted(Schema schema, String model, String method, Map<String, String> settings) {
        public Fitted {
            Objects.requireNonNull(schema, "schema");
            settings = Map.copyOf(settings);
        }
    }

    /** How noise is shared among parties some of which may be missing, if it is. */
    public enum Noise {
        /** In layers: what was added for parties that are not missing is taken off again. */
        LAYERS("layers"),
        /** In shares: every sum has the noise that it would need if as many as allowed were missing. */
        SHARES("shares"),
        /** Not at all: every party adds all of it, and what it sends is protected by that and nothing else. */
        OWN("own");

        private final String label;

        Noise(String label) {
            this.label = label;
        }

        /** In files. */
        public String label() {
            return label;
        }

        static Noise ofLabel(String label) {
            for (Noise each : values()) {
                if (each.label.equals(label)) {
                    return each;
                }
            }
            throw new StudyException("noise is shared in layers or shares, or is each party's own");
        }
    }

    public Study {
        Objects.requireNonNull(fitted, "fitted");
        Objects.requireNonNull(budget, "budget");
        Objects.requireNonNull(noise, "noise");
        members = List.copyOf(members);
        if (name.isBlank() || name.length() > 80) {
            throw new StudyException("a study has a name of up to 80 characters");
        }
        if (name.chars().anyMatch(Character::isISOControl)) {
            throw new StudyException("the name of a study is one line, without tabs and other control characters");
        }
        if (budget.epsilon() == 0) {
            throw new StudyException("epsilon is 0, which pays for nothing; give a positive number");
        }
        StudyMember.requireKey(coordinator);
        Set<String> names = new HashSet<>();
        Set<String> identities = new HashSet<>();
        identities.add(coordinator);
        for (StudyMember member : members) {
            if (!names.add(member.name()) || !identities.add(member.identity())) {
                throw new StudyException(
                        "two parties have the same name or the same identity; every party makes its own keys");
            }
        }
        if (members.stream().mapToLong(StudyMember::units).sum()
                != fitted.schema().size()) {
            throw new StudyException("the size of the schema is that of all parties together");
        }
        if (!(noiseMultiplier > 0) || Double.isInfinite(noiseMultiplier)) {
            throw new StudyException("noise-multiplier is a positive number");
        }
        if (noise == Noise.OWN) {
            Feasibility.requireOwn(members.size(), colluders, missing);
        } else {
            Feasibility.require(members.size(), colluders, missing);
        }
    }

    /** How many parties there are. */
    public int parties() {
        return members.size();
    }

    /** The party of a name. */
    public StudyMember member(String party) {
        return members.get(place(party));
    }

    /** The place of a party, from 0. */
    public int place(String party) {
        for (int place = 0; place < members.size(); place++) {
            if (members.get(place).name().equals(party)) {
                return place;
            }
        }
        throw new StudyException("the study has no party \"" + party + "\"");
    }

    /** The canonical bytes: one JSON text without spaces, keys in this order, settings in theirs. */
    public byte[] bytes() {
        return Json.write(toJson()).getBytes(StandardCharsets.UTF_8);
    }

    /** SHA-256 of the canonical bytes. */
    public byte[] hash() {
        return HexFormat.of().parseHex(hashText());
    }

    /** The same in hexadecimal digits. */
    public String hashText() {
        return Sha256.of(new String(bytes(), StandardCharsets.UTF_8));
    }

    /** The hash as eight words. */
    public String words() {
        return FingerprintWords.of(hash());
    }

    /** The name that a party's ledger charges the study under, once. */
    public String run() {
        return "study " + hashText();
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("format", FORMAT);
        json.put("name", name);
        json.put("model", fitted.model());
        json.put("method", fitted.method());
        json.put("settings", new TreeMap<>(fitted.settings()));
        json.put("epsilon", budget.epsilon());
        json.put("delta", budget.delta());
        json.put("noise-multiplier", noiseMultiplier);
        json.put("colluders", (long) colluders);
        json.put("missing", (long) missing);
        json.put("noise", noise.label());
        json.put("seed", seed);
        json.put("coordinator", coordinator);
        List<Object> parties = new ArrayList<>();
        for (StudyMember member : members) {
            Map<String, Object> party = new LinkedHashMap<>();
            party.put("name", member.name());
            party.put("units", member.units());
            party.put("identity", member.identity());
            party.put("sealing", member.sealing());
            parties.add(party);
        }
        json.put("parties", parties);
        json.put("schema", fitted.schema().toJson());
        return json;
    }

    static Study fromYaml(YamlFields yaml) {
        if (!yaml.text("format").equals(FORMAT)) {
            throw yaml.problem("format", "must be " + FORMAT + ", which this version reads");
        }
        Map<String, String> settings = new LinkedHashMap<>();
        yaml.map("settings").forEach((key, value) -> settings.put(key.toString(), String.valueOf(value)));
        List<StudyMember> members = new ArrayList<>();
        for (YamlFields party : yaml.entries("parties")) {
            members.add(new StudyMember(
                    party.text("name"), party.integer("units"), party.text("identity"), party.text("sealing")));
            party.end();
        }
        Study study = new Study(
                yaml.text("name"),
                new Fitted(Schema.fromJson(yaml.value("schema")), yaml.text("model"), yaml.text("method"), settings),
                new PrivacyBudget(yaml.number("epsilon"), yaml.number("delta")),
                yaml.number("noise-multiplier"),
                yaml.count("colluders", 1, MOST_PARTIES - 1),
                yaml.count("missing", 0, MOST_PARTIES - 1),
                Noise.ofLabel(yaml.text("noise")),
                yaml.integer("seed"),
                yaml.text("coordinator"),
                members);
        yaml.end();
        return study;
    }
}
