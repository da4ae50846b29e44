package dev.tacit.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.audit.table.SyntheticTable;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.inference.DivergedException;
import dev.tacit.inference.vi.DpVariationalInference;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.json.PosteriorJson;
import dev.tacit.run.InferenceRun;
import dev.tacit.run.method.FitMethod;
import dev.tacit.run.method.Limits;
import dev.tacit.run.method.SettingException;
import dev.tacit.testkit.method.CatalogueCase;
import dev.tacit.testkit.method.FreeLedger;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every number that a method can be given is refused before anything is charged, or the fit runs to its end. */
class SettingLimitsTest {
    private static final int TOO_LONG_TO_RUN = 100;

    static Stream<CatalogueCase> cases() {
        return CatalogueCase.all();
    }

    /** Which settings of a method were run at their limits; the posterior of {@code dpvi} takes too long for all models. */
    private static final Set<String> RUN = ConcurrentHashMap.newKeySet();

    @ParameterizedTest
    @MethodSource("cases")
    void aNumberIsRefusedOrTheFitEnds(CatalogueCase standard) throws Exception {
        boolean quick = standard.hasStandardWords()
                && (!standard.entry().method().equals(DpVariationalInference.NAME)
                        || standard.entry().model().equals(LogisticRegression.NAME));
        check(standard, name -> quick && RUN.add(standard.entry().method() + " " + name));
    }

    /** The same with every setting of every model run at its limits, which takes minutes. */
    public static void main(String[] args) throws Exception {
        for (CatalogueCase each : cases().toList()) {
            try {
                check(each, name -> true);
            } catch (AssertionError e) {
                System.err.println(e.getMessage() + " " + e.getCause());
            }
        }
    }

    private static void check(CatalogueCase standard, Predicate<String> runs) throws Exception {
        for (Map.Entry<String, Limits> setting : standard.limits().entrySet()) {
            Limits limits = setting.getValue();
            boolean whole = standard.method().settings().get(setting.getKey()) instanceof Integer;
            boolean run = runs.test(setting.getKey());
            for (String value : values(limits, whole)) {
                CatalogueCase changed = standard.with(setting.getKey(), value);
                double number = Double.parseDouble(value);
                boolean allowed = number >= limits.low() && number <= limits.high();
                FitMethod<?, ?> method;
                try {
                    method = changed.method();
                } catch (SettingException e) {
                    assertThat(e).hasMessageNotContaining("null");
                    if (!allowed) {
                        assertThat(e).as("%s", changed).hasMessageContaining(setting.getKey());
                    }
                    continue;
                }
                assertThat(allowed).as("%s is outside %s", changed, limits).isTrue();
                boolean atLimit = number == limits.low() || number == limits.high();
                if (run && atLimit && (!whole || number <= TOO_LONG_TO_RUN)) {
                    try {
                        fit(changed, method);
                    } catch (DivergedException e) {
                        // steps measured in the noise have no limit where the prior outweighs the noise
                        assertThat(standard.settings()).as("%s", changed).containsEntry("step", "noise-scaled");
                    } catch (RuntimeException e) {
                        throw new AssertionError("accepted, charged, and then failed: " + changed, e);
                    }
                }
            }
        }
    }

    private static Set<String> values(Limits limits, boolean whole) {
        Set<String> values = new LinkedHashSet<>();
        if (whole) {
            values.add(Integer.toString((int) limits.low()));
            values.add(Integer.toString((int) limits.high()));
            values.add(Long.toString((long) limits.low() - 1));
            values.add(Long.toString((long) limits.high() + 1));
        } else {
            values.add(Double.toString(limits.low()));
            values.add(Double.toString(limits.high()));
            values.add(Double.toString(limits.low() - 1e-3 * Math.abs(limits.low()) - (limits.low() == 0 ? 1e-3 : 0)));
            values.add(Double.toString(limits.high() * 1.001));
        }
        values.addAll(Set.of("0", "-1", "NaN", "1e-320", "1e20", "1e308", "1000", "Infinity"));
        return values;
    }

    private static <M, S extends Record> void fit(CatalogueCase accepted, FitMethod<M, S> method) throws Exception {
        ReleasePlan plan = method.kernel().plan(method.model(), accepted.shape().publicSize());
        PrivateDataset data =
                SyntheticTable.ordinary(accepted.shape(), 20, 1, 7).dataset(false, 1);
        PrivateSession session = data.open(
                RunRequest.of("limits", plan),
                new DiscreteGaussianMechanism(3),
                new FreeLedger(data.unit()),
                ReplayNoise.ofSeed(5));
        Posterior posterior = InferenceRun.once(method.kernel(), method.model(), session, RandomStream.ofSeed(2))
                .posterior();
        assertThat(PosteriorJson.read(PosteriorJson.write(posterior)).dimension())
                .as("%s", accepted)
                .isEqualTo(posterior.dimension());
    }
}
