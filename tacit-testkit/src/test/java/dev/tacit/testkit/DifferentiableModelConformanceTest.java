package dev.tacit.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.inference.vi.DpVariationalInference;
import dev.tacit.model.DensityModel;
import dev.tacit.model.DifferentiableModel;
import dev.tacit.model.MarginModel;
import dev.tacit.model.conjugate.BetaBernoulliDensity;
import dev.tacit.model.conjugate.DirichletCategoricalDensity;
import dev.tacit.model.conjugate.GammaExponentialDensity;
import dev.tacit.model.network.NeuralNetworkDensity;
import dev.tacit.model.regression.LinearRegressionDensity;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.model.regression.PoissonRegression;
import dev.tacit.model.regression.SoftmaxRegression;
import dev.tacit.run.method.DataShape;
import dev.tacit.run.method.MethodCatalogue;
import dev.tacit.run.method.SettingException;
import dev.tacit.run.method.SettingValues;
import dev.tacit.testkit.method.DifferentiableModelConformance;
import dev.tacit.transform.ParameterSpace;
import dev.tacit.transform.Transforms;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every model passes the suite, and each way to break one fails it. */
class DifferentiableModelConformanceTest {
    private static final List<String> COLUMNS = List.of("a", "b", "c");
    private static final List<String> CLASSES = List.of("red", "green", "blue");

    private static final List<DataShape> SHAPES = List.of(
            new DataShape(COLUMNS, 2, new DataShape.Target.Binary(), 100),
            new DataShape(COLUMNS, 2, new DataShape.Target.Numeric(0, 5), 100),
            new DataShape(COLUMNS, 2, new DataShape.Target.Category(CLASSES), 100),
            new DataShape(List.of("job=a", "job=b", "job=c"), 1, new DataShape.Target.None(), 100));

    static Map<String, DifferentiableModel> models() {
        Map<String, DifferentiableModel> models = new LinkedHashMap<>();
        models.put("logistic", new LogisticRegression(COLUMNS, 2, 0.5));
        models.put("poisson", new PoissonRegression(COLUMNS, 2, 0.5, 10));
        models.put("linear", new LinearRegressionDensity(COLUMNS, 2, 0.25, 20, 0.5, -1, 3));
        models.put("softmax", new SoftmaxRegression(COLUMNS, CLASSES, 2, 0.5));
        models.put("beta", new BetaBernoulliDensity(10, 12, 3));
        models.put("gamma", new GammaExponentialDensity(8, 2, 5, false, 3));
        models.put("gamma, softplus", new GammaExponentialDensity(8, 2, 5, true, 3));
        models.put("dirichlet", new DirichletCategoricalDensity(CLASSES, 5));
        models.put(
                "network, number",
                network(new NeuralNetworkDensity.Head.Numeric(-1, 3), NeuralNetworkDensity.Activation.TANH));
        models.put(
                "network, binary",
                network(new NeuralNetworkDensity.Head.Binary(), NeuralNetworkDensity.Activation.TANH));
        models.put(
                "network, classes",
                network(new NeuralNetworkDensity.Head.Classes(CLASSES), NeuralNetworkDensity.Activation.RELU));
        models.put("own", ownModel(1));
        models.putAll(catalogue());
        return models;
    }

    /** Every model that the catalogue fits by gradients, on the shapes that it accepts: a new one is found by itself. */
    private static Map<String, DifferentiableModel> catalogue() {
        Map<String, DifferentiableModel> models = new LinkedHashMap<>();
        for (MethodCatalogue.Entry entry : MethodCatalogue.entries()) {
            if (entry.method().equals(DpVariationalInference.NAME)) {
                Map<String, DifferentiableModel> fitted = new LinkedHashMap<>();
                SHAPES.forEach(shape ->
                        model(entry, shape).ifPresent(model -> fitted.put(entry + ", " + shape.target(), model)));
                assertThat(fitted).as("shapes that %s accepts", entry).isNotEmpty();
                models.putAll(fitted);
            }
        }
        return models;
    }

    /** Empty if these are records for other models. */
    private static Optional<DifferentiableModel> model(MethodCatalogue.Entry entry, DataShape shape) {
        try {
            Object model =
                    entry.factory().build(shape, SettingValues.none(), true).model();
            return Optional.of((DifferentiableModel) model);
        } catch (SettingException e) {
            return Optional.empty();
        }
    }

    private static NeuralNetworkDensity network(
            NeuralNetworkDensity.Head head, NeuralNetworkDensity.Activation activation) {
        return new NeuralNetworkDensity(COLUMNS, 4, head, activation, 0.5, 1);
    }

    static Set<String> names() {
        return models().keySet();
    }

    /** y ~ Laplace(a + b x₁, scale), smooth away from the kink, by the way in which people bring a model. */
    private static DensityModel ownModel(double slip) {
        ParameterSpace space = ParameterSpace.of("line", Transforms.real(2)).and("scale", Transforms.positive(1));
        return DensityModel.of(
                space,
                new double[] {0, 0, 1},
                (parameters, gradient) -> {
                    gradient[0] -= parameters[0];
                    gradient[1] -= parameters[1];
                    gradient[2] -= 1;
                    return -0.5 * (parameters[0] * parameters[0] + parameters[1] * parameters[1]) - parameters[2];
                },
                (row, label, parameters, gradient) -> {
                    double residual = label - parameters[0] - parameters[1] * row[0];
                    double sign = Math.signum(residual) / parameters[2];
                    gradient[0] += sign;
                    gradient[1] += slip * sign * row[0];
                    gradient[2] += Math.abs(residual) / (parameters[2] * parameters[2]) - 1 / parameters[2];
                    return -Math.abs(residual) / parameters[2] - Math.log(parameters[2]);
                });
    }

    private static double[][] rows() {
        double[][] rows = new double[24][3];
        for (int row = 0; row < rows.length; row++) {
            rows[row][row % 3] = 1;
            rows[row][(row + 1) % 3] = row % 2 == 0 ? 0 : 0.9 * Math.sin(row);
        }
        return rows;
    }

    /** Targets that every model can read: 0, 1, 2. */
    private static double[] labels() {
        double[] labels = new double[24];
        for (int row = 0; row < labels.length; row++) {
            labels[row] = row * 7 % 3;
        }
        return labels;
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyModelConforms(String name) {
        DifferentiableModelConformance.require(models().get(name), rows(), labels());
    }

    private static void requireCaught(DifferentiableModel broken, String message) {
        assertThatThrownBy(() -> DifferentiableModelConformance.require(broken, rows(), labels()))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(message);
    }

    /** Poisson regression with one thing wrong. */
    private abstract static class Broken implements MarginModel {
        final PoissonRegression right = new PoissonRegression(COLUMNS, 2, 0.5, 10);

        @Override
        public List<String> parameterNames() {
            return right.parameterNames();
        }

        @Override
        public double residual(double label, double margin) {
            return right.residual(label, margin);
        }

        @Override
        public double logLikelihood(double label, double margin) {
            return right.logLikelihood(label, margin);
        }

        @Override
        public double logPrior(double[] parameters, double[] gradient) {
            return right.logPrior(parameters, gradient);
        }

        @Override
        public double[] start() {
            return right.start();
        }
    }

    @Test
    void aWrongGradientOfALikelihoodIsCaught() {
        requireCaught(ownModel(1.01), "record");
        requireCaught(
                new Broken() {
                    @Override
                    public double residual(double label, double margin) {
                        return 1.001 * super.residual(label, margin);
                    }
                },
                "record");
    }

    @Test
    void aWrongGradientOfAPriorIsCaught() {
        requireCaught(
                new Broken() {
                    @Override
                    public double logPrior(double[] parameters, double[] gradient) {
                        double value = super.logPrior(parameters, gradient);
                        gradient[1] = -gradient[1];
                        return value;
                    }
                },
                "prior");
    }

    @Test
    void aKernelThatDisagreesWithItsLikelihoodIsCaught() {
        PoissonRegression other = new PoissonRegression(COLUMNS, 2, 0.5, 1);
        requireCaught(
                new Broken() {
                    @Override
                    public Likelihood likelihood() {
                        return other.likelihood();
                    }
                },
                "mean-field gradients");
    }

    @Test
    void aRecordThatRemembersTheOneBeforeIsCaught() {
        requireCaught(
                new Broken() {
                    private double before;

                    @Override
                    public double residual(double label, double margin) {
                        double residual = super.residual(label, margin) + 1e-5 * before;
                        before = label;
                        return residual;
                    }
                },
                "");
    }

    @Test
    void aStartThatIsSharedIsCaught() {
        double[] shared = new double[3];
        requireCaught(
                new Broken() {
                    @Override
                    public double[] start() {
                        return shared;
                    }
                },
                "does not change the next");
    }
}
