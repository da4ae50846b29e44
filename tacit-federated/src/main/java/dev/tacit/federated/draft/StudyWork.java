package dev.tacit.federated.draft;

import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaException;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.federated.keys.Authority;
import dev.tacit.federated.keys.CertificateRequest;
import dev.tacit.federated.policy.PolicyFile;
import dev.tacit.federated.policy.PolicyVerdict;
import dev.tacit.federated.study.Feasibility;
import dev.tacit.federated.study.Study;
import dev.tacit.federated.study.StudyException;
import dev.tacit.federated.study.StudyFile;
import dev.tacit.federated.study.StudyMember;
import dev.tacit.federated.study.StudyPlan;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.federation.FederationAnswer;
import dev.tacit.fit.federation.FederationRequest;
import dev.tacit.fit.formula.FormulaRequest;
import dev.tacit.fit.run.WantedFit;
import dev.tacit.noise.SecureNoise;
import dev.tacit.run.method.MethodCatalogue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Drafts, checks and shows studies. */
public final class StudyWork {
    private static final String MODEL = "logistic-regression";
    private static final String PARTITIONED = "dp-pvi";
    private static final String PARTY = "--party wants NAME:UNITS:REQUEST, for example north:3000:north/request.pem.";

    private StudyWork() {}

    public static Schema schema(Path file) {
        try {
            return Schema.read(file);
        } catch (NoSuchFileException e) {
            throw new FitException(FitException.Kind.MISSING_INPUT, "there is no schema " + file + ".", e);
        } catch (SchemaException e) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION, FitException.sentence(String.valueOf(e.getMessage())), e);
        } catch (IOException e) {
            throw new FitException(
                    FitException.Kind.MISSING_INPUT, "the schema " + file + " cannot be read; check its rights.", e);
        }
    }

    /** What is fitted: a formula by its own method, a model by the one for parties if it has one. */
    public static Study.Fitted fitted(Schema declared, FederationRequest.FittedWish wish) {
        if (wish.formula().isPresent()
                || (wish.model().isEmpty() && declared.encoding().formula().isPresent())) {
            WantedFit wanted = WantedFit.of(declared, wish.formula(), wish.family(), Optional.empty(), wish.method());
            return new Study.Fitted(wanted.schema(), wanted.model(), wanted.method(), wish.settings());
        }
        String model = wish.model().orElse(MODEL);
        boolean partitioned = wish.method().isEmpty()
                && MethodCatalogue.entries().stream()
                        .anyMatch(entry ->
                                entry.model().equals(model) && entry.method().equals(PARTITIONED));
        WantedFit wanted = WantedFit.ofModel(declared, model, partitioned ? Optional.of(PARTITIONED) : wish.method());
        Map<String, String> settings = wanted.method().equals(FormulaRequest.METHOD)
                ? FormulaRequest.withPriors(wish.settings(), List.of())
                : wish.settings();
        return new Study.Fitted(wanted.schema(), wanted.model(), wanted.method(), settings);
    }

    /** A study of parties whose units are declared; its schema is for all of them together. */
    public static Study study(
            String name,
            Study.Fitted fitted,
            PrivacyBudget budget,
            FederationRequest.Sharing sharing,
            String coordinator,
            List<StudyMember> members) {
        Schema all = sized(
                fitted.schema(), members.stream().mapToLong(StudyMember::units).sum());
        Study.Fitted whole = new Study.Fitted(all, fitted.model(), fitted.method(), fitted.settings());
        boolean own = StudyPlan.isOwnNoise(whole);
        Feasibility.requireParties(members.size(), own);
        int colluders = sharing.colluders().orElse(own ? members.size() - 1 : 1);
        int missing = sharing.missing().orElseGet(() -> Feasibility.usualMissing(members.size(), own ? 0 : colluders));
        return new Study(
                name,
                whole,
                budget,
                StudyPlan.noiseMultiplier(whole, members.size(), budget),
                colluders,
                missing,
                own ? Study.Noise.OWN : Study.Noise.LAYERS,
                SecureNoise.create().nextLong() >>> 12,
                coordinator,
                members);
    }

    /** The same table with another public number of units. */
    public static Schema sized(Schema schema, long size) {
        return new Schema(
                schema.unit(),
                schema.neighbours(),
                size,
                schema.target(),
                schema.format(),
                schema.encoding(),
                schema.columns(),
                schema.corpus());
    }

    public static FederationAnswer draft(FederationRequest.StudyDraft request) {
        if (Files.exists(request.out())) {
            throw new StudyException(request.out() + " exists already; name another file with --out");
        }
        if (request.parties().isEmpty()) {
            throw new FitException(FitException.Kind.USAGE, "name every party of the study. " + PARTY);
        }
        List<StudyMember> members = new ArrayList<>();
        for (String given : request.parties()) {
            members.add(member(given));
        }
        Study study = study(
                request.name(),
                fitted(schema(request.schema()), request.fitted()),
                new PrivacyBudget(request.epsilon(), request.delta()),
                request.sharing(),
                HexFormat.of()
                        .formatHex(new Authority(request.authority())
                                .coordinator()
                                .identity()
                                .publicKey()),
                members);
        FederationAnswer shown = show(study, Optional.empty());
        write(study, request.out());
        List<String> lines = new ArrayList<>(shown.lines());
        lines.add("");
        lines.add("wrote " + request.out() + "; send it to every party, which compares the eight words by telephone");
        return new FederationAnswer(lines, shown.json());
    }

    public static void write(Study study, Path file) {
        try {
            if (Files.exists(file)) {
                throw new StudyException(file + " exists already; name another file with --out");
            }
            Files.writeString(file, StudyFile.write(study));
        } catch (IOException e) {
            throw new StudyException("cannot write " + file, e);
        }
    }

    private static StudyMember member(String given) {
        String[] parts = given.split(":", 3);
        if (parts.length != 3 || !parts[1].matches("[0-9]{1,15}")) {
            throw new FitException(FitException.Kind.USAGE, PARTY);
        }
        CertificateRequest request = CertificateRequest.read(Path.of(parts[2]));
        if (!request.name().equals(parts[0])) {
            throw new StudyException(parts[2] + " is the request of " + request.name() + ", not of " + parts[0]);
        }
        return member(request, Long.parseLong(parts[1]));
    }

    public static StudyMember member(CertificateRequest request, long units) {
        return new StudyMember(
                request.name(),
                units,
                HexFormat.of().formatHex(request.identity()),
                HexFormat.of().formatHex(request.sealing()));
    }

    public static FederationAnswer check(FederationRequest.StudyCheck request) {
        Study study = StudyFile.read(request.study());
        Optional<PolicyVerdict> verdict =
                request.policy().map(file -> PolicyFile.read(file).verdict(StudyPlan.of(study)));
        FederationAnswer answer = show(study, verdict);
        if (verdict.isPresent() && !verdict.get().allowed()) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION, verdict.get().sentence());
        }
        return answer;
    }

    /** What a study is and costs, before anybody is asked. */
    public static FederationAnswer show(Study study, Optional<PolicyVerdict> verdict) {
        return new StudyText(StudyPlan.of(study), verdict).answer();
    }
}
