package dev.tacit.accounting.curve;

import dev.tacit.door.event.PrivacyProfile;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Finds the curves of a mechanism by the name in its profile.
 *
 * <p>A new mechanism implements {@link MechanismCurves} and is added by {@link #with}; accountants are given the
 * catalogue, and nothing else of them changes:
 *
 * <pre>
 *   CurveCatalogue catalogue = CurveCatalogue.standard().with("staircase", p -&gt; new StaircaseCurves(p.applyAsDouble("epsilon")));
 *   PrivacyAccountant exact = new ExactAccountant(catalogue);
 * </pre>
 *
 * A profile whose name is not there, or whose parameters are not those of its name, has {@link UnknownCurves}: every
 * accountant answers it with {@code Unsupported}.
 */
public final class CurveCatalogue {
    private static final CurveCatalogue STANDARD = new CurveCatalogue(Map.of(
            GaussianCurves.MECHANISM,
            parameter -> new GaussianCurves(parameter.applyAsDouble("noiseMultiplier")),
            DiscreteGaussianCurves.MECHANISM,
            parameter -> new DiscreteGaussianCurves(parameter.applyAsDouble("noiseMultiplier")),
            LaplaceCurves.MECHANISM,
            parameter -> new LaplaceCurves(parameter.applyAsDouble("scaleMultiplier")),
            PureCurves.MECHANISM,
            parameter -> new PureCurves(parameter.applyAsDouble("epsilon")),
            ZeroConcentratedCurves.MECHANISM,
            parameter -> new ZeroConcentratedCurves(parameter.applyAsDouble("rho")),
            ObjectivePerturbationCurves.MECHANISM,
            parameter -> new ObjectivePerturbationCurves(
                    parameter.applyAsDouble("noiseMultiplier"), parameter.applyAsDouble("curvature"))));

    private final Map<String, Reader> readers;

    private CurveCatalogue(Map<String, Reader> readers) {
        this.readers = Map.copyOf(readers);
    }

    /** Makes a mechanism's curves from its parameters by name; may throw {@link IllegalArgumentException}. */
    @FunctionalInterface
    public interface Reader {
        MechanismCurves read(ToDoubleFunction<String> parameter);
    }

    /** The mechanisms that Tacit ships. */
    public static CurveCatalogue standard() {
        return STANDARD;
    }

    /** This catalogue with one more mechanism. */
    public CurveCatalogue with(String mechanism, Reader reader) {
        if (readers.containsKey(mechanism)) {
            throw new IllegalArgumentException("this mechanism has curves already");
        }
        Map<String, Reader> extended = new HashMap<>(readers);
        extended.put(mechanism, reader);
        return new CurveCatalogue(extended);
    }

    /** The curves of a profile; {@link UnknownCurves} if there are none. */
    public MechanismCurves of(PrivacyProfile profile) {
        Reader reader = readers.get(profile.mechanism());
        if (reader == null) {
            return new UnknownCurves(profile);
        }
        try {
            MechanismCurves curves = reader.read(name -> parameter(profile, name));
            return curves.profile().equals(profile) ? curves : new UnknownCurves(profile);
        } catch (IllegalArgumentException outOfRange) {
            return new UnknownCurves(profile);
        }
    }

    private static double parameter(PrivacyProfile profile, String name) {
        Double value = profile.parameters().get(name);
        if (value == null) {
            throw new IllegalArgumentException("a parameter is missing");
        }
        return value;
    }
}
