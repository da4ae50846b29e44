package clinic;

import dev.tacit.data.schema.Schema;
import dev.tacit.fit.Fit;
import dev.tacit.fit.FittedModel;
import java.nio.file.Path;

/**
 * From a table to a result in a few lines: open, fit, print, predict, and read again what was written.
 *
 * <p>What predicts a readmission? The records are private. What leaves this program is covered by epsilon 1: the summary, the
 * predictions and every file in the folder {@code fit} except its folder {@code sealed}.
 */
public final class FirstFit {
    /** @param args the folder in which {@code visits.csv} lies */
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);

        // The schema says what is public about the table: columns, bounds, categories, the number of records, who is protected.
        Schema schema = Schema.read(folder.resolve("visits.schema.yaml"));

        // Nothing is charged before run(): a misspelt column or an impossible budget is refused for free. run() then writes the
        // whole price into visits.ledger beside the table, draws noise, and writes the folder.
        FittedModel model = Fit.of(folder.resolve("visits.csv"), schema)
                .formula("readmitted ~ age + smoking")
                .epsilon(1)
                .delta(1e-6) // well below one over the number of records
                .build()
                .run(folder.resolve("fit"));

        // One line for each term, on the scale of the logit. The intervals count the privacy noise. Everything from here on is
        // computed from what was released, so it can be asked as often as you like.
        model.summary(0.95).forEach(System.out::println);
        System.out.println("ten years: " + model.contrast("10 * age", 0.95));

        // Records that are predicted are those of whoever hands them in; here, for brevity, the table itself.
        System.out.println("first visit: " + model.predict(folder.resolve("visits.csv"), 0.9).get(0));

        // The folder is all that another program needs, and `tacit summary fit` reads it as well.
        FittedModel again = FittedModel.read(folder.resolve("fit"));
        System.out.println("read again: " + again.contrast("10 * age", 0.95));
        System.out.println(again.statement().lines().findFirst().orElseThrow());
    }

    private FirstFit() {}
}
