# Samples regression.stan on table.txt (y, then x) and prints one JSON object.
suppressMessages({library(rstan); library(posterior)})
rstan_options(auto_write = TRUE)
table <- as.matrix(read.table("table.txt"))
scale <- as.numeric(commandArgs(TRUE)[1])
data <- list(count = nrow(table), width = ncol(table) - 1, y = table[, 1], x = table[, -1], cauchy_scale = scale)
boost <- system.file("include", package = "BH")
if (boost == "") boost <- "/usr/include"
model <- stan_model("regression.stan", boost_lib = boost)
# the first call also loads the model
invisible(sampling(model, data = data, chains = 1, iter = 20, seed = 1, refresh = 0))
before <- proc.time()
fit <- sampling(model, data = data, chains = 4, iter = 2000, warmup = 1000, seed = 1, cores = 1, refresh = 0)
used <- proc.time() - before
draws <- extract(fit, permuted = FALSE)
names <- setdiff(dimnames(draws)$parameters, "lp__")
ess <- min(sapply(names, function(name) posterior::ess_bulk(draws[, , name])))
sampler <- get_sampler_params(fit, inc_warmup = FALSE)
leapfrogs <- mean(sapply(sampler, function(chain) mean(chain[, "n_leapfrog__"])))
cat(sprintf('\n{"version": "%s", "effectiveDraws": %.6f, "seconds": %.6f, "leapfrogs": %.6f}\n',
  packageVersion("rstan"), ess, used["user.self"] + used["sys.self"], leapfrogs))
