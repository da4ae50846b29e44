package clinic

import dev.tacit.data.schema.Schema
import dev.tacit.fit.Fit
import dev.tacit.fit.FittedModel
import kotlin.io.path.Path
import kotlin.io.path.div
import kotlin.math.exp

/**
 * One release, several opinions: how much does the answer depend on what one believed before?
 *
 * A fit by a formula releases a likelihood. A prior is put on it afterwards, so every further prior is free. Here a sceptic, who thinks
 * that hardly anything has an effect, and somebody who trusts an earlier study look at the same release.
 */
fun main(args: Array<String>) {
    val folder = Path(args[0])
    val released = Fit.of(folder / "visits.csv", Schema.read(folder / "visits.schema.yaml"))
        .formula("readmitted ~ age + smoking")
        .epsilon(1.0)
        .delta(1e-6)
        .label("smoking and readmission")
        .build()
        .run(folder / "released")

    val opinions = mapOf(
        "standard prior" to released,
        "sceptic" to released.refit(listOf("b ~ normal(0, 0.1)"), folder / "sceptic"),
        "earlier study" to released.refit(listOf("smoking[current] ~ normal(1.1, 0.2)"), folder / "study"),
    )
    opinions.forEach { (whose, model) -> println("%-14s %s".format(whose, oddsRatio(model, "smoking[current]"))) }

    // The ledger was charged once.
    println("charged: epsilon %.1f".format(released.release().privacy().get().budget().epsilon()))
}

/** An effect as an odds ratio; its interval counts the privacy noise. */
private fun oddsRatio(model: FittedModel, term: String): String {
    val row = model.contrast(term, 0.95)
    return "%s: odds ratio %.2f, from %.2f to %.2f".format(term, exp(row.mean()), exp(row.lower()), exp(row.upper()))
}
