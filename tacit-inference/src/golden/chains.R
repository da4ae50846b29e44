# Reference values for ChainDiagnosticsTest, by the R package posterior.
#
#   Rscript src/golden/chains.R > src/test/resources/dev/tacit/diagnostics/chains.json
#
# Chains are short and rounded to four digits, so that they can be stored.
suppressPackageStartupMessages(library(posterior))
set.seed(1)
ar <- function(n, phi, shift = 0) round(as.numeric(stats::filter(rnorm(n), phi, "recursive")) + shift, 4)
cases <- list(
  independent = sapply(1:4, function(i) round(rnorm(100), 4)),
  slow = sapply(1:4, function(i) ar(150, 0.9)),
  alternating = sapply(1:4, function(i) ar(100, -0.7)),
  apart = sapply(1:4, function(i) ar(101, 0.5, i / 2)),
  scales = sapply(1:4, function(i) round(i * rnorm(100), 4)),
  heavy = sapply(1:2, function(i) round(rcauchy(80), 4)),
  ties = sapply(1:3, function(i) round(3 * rnorm(60))),
  one = matrix(ar(200, 0.6), ncol = 1)
)
lines <- sapply(names(cases), function(name) {
  x <- cases[[name]]
  chains <- paste0("[", apply(x, 2, paste, collapse = ","), "]", collapse = ",")
  number <- function(v) format(v, digits = 17)
  sprintf('"%s": {"rHat": %s, "bulk": %s, "tail": %s, "error": %s, "chains": [%s]}', name,
    number(rhat(x)), number(ess_bulk(x)), number(ess_tail(x)), number(mcse_mean(x)), chains)
})
cat("{", paste(lines, collapse = ",\n"), "}\n", sep = "")
