/**
 * Bayesian fits under differential privacy, for programs.
 *
 * <pre>{@code
 * Fit fit = Fit.of(Path.of("loans.csv"), Schema.read(Path.of("loans.schema.yaml")))
 *         .formula("late ~ age + purpose")
 *         .epsilon(1)
 *         .delta(1e-6)
 *         .build();
 * FittedModel model = fit.run(Path.of("fit"));
 * model.summary(0.9).forEach(System.out::println);
 * model.predict(Path.of("new.csv"), 0.9).forEach(row -> System.out.println(row.value("probability")));
 * FittedModel again = FittedModel.read(Path.of("fit"));
 * }</pre>
 *
 * <p>Start with {@link dev.tacit.fit.Fit} and {@link dev.tacit.fit.FittedModel}; the packages below are what they are made of.
 * Nothing is printed, and every failure is a {@link dev.tacit.fit.base.FitException}, a sentence with a kind. The command line
 * writes and reads the same folders.
 */
package dev.tacit.fit;
