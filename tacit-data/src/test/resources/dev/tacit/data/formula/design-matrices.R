# Makes design-matrices.json: the design matrices of R for the formulas below, with the constants that Tacit takes from
# declared bounds in place of those that R would take from the data.    Rscript design-matrices.R > design-matrices.json
set.seed(20)
n <- 14
bounds <- list(age = c(15, 90), bun = c(1, 200), days = c(0.5, 60), visits = c(0, 20), temp = c(-5, 5))
data <- data.frame(
  y = rbinom(n, 1, 0.5),
  age = sample(15:90, n), bun = round(runif(n, 1, 200), 2), days = round(runif(n, 0.5, 60), 1),
  visits = sample(0:20, n, TRUE), temp = round(runif(n, -5, 5), 2),
  sex = c("male", "female", sample(c("female", "male"), n - 2, TRUE)),
  icu = c("coronary", "surgery", "medical", "trauma", sample(c("coronary", "surgery", "medical", "trauma"), n - 4, TRUE)),
  ward = c("A", "B", "C", sample(c("A", "B", "C"), n - 3, TRUE)),
  smoker = c("no", "yes", sample(c("no", "yes"), n - 2, TRUE)))
cells <- data
data$sex <- factor(data$sex, levels = c("female", "male"))
data$icu <- relevel(factor(data$icu, levels = c("surgery", "coronary", "medical", "trauma")), ref = "coronary")
data$ward <- factor(data$ward, levels = c("A", "B", "C"))
data$smoker <- factor(data$smoker, levels = c("no", "yes"))

range_of <- function(expression) {
  name <- all.vars(expression)
  sort(eval(expression, setNames(list(bounds[[name]]), name)))
}
even <- function(range, count) range[1] + (range[2] - range[1]) * seq_len(count) / (count + 1)
ns <- function(x, df = 1, knots = NULL) {
  range <- range_of(substitute(x))
  if (is.null(knots)) knots <- even(range, df - 1)
  out <- splines::ns(x, knots = knots, Boundary.knots = range)
  matrix(out, nrow(out), dimnames = list(NULL, seq_len(ncol(out))))
}
bs <- function(x, df = 3, knots = NULL, degree = 3) {
  range <- range_of(substitute(x))
  if (is.null(knots)) knots <- even(range, df - degree)
  out <- splines::bs(x, knots = knots, degree = degree, Boundary.knots = range)
  matrix(out, nrow(out), dimnames = list(NULL, seq_len(ncol(out))))
}
poly <- function(x, degree = 1, raw = FALSE) {
  range <- range_of(substitute(x))
  u <- if (raw) x else (2 * x - sum(range)) / (range[2] - range[1])
  legendre <- list(function(u) u, function(u) (3 * u^2 - 1) / 2, function(u) (5 * u^3 - 3 * u) / 2,
                   function(u) (35 * u^4 - 30 * u^2 + 3) / 8)
  out <- sapply(seq_len(degree), function(k) if (raw) u^k else legendre[[k]](u))
  dimnames(out) <- list(NULL, seq_len(degree))
  out
}
bins <- function(x, cuts) {
  label <- c(paste("below", cuts[1]), paste(head(cuts, -1), "to", tail(cuts, -1))[length(cuts) > 1], paste("from", tail(cuts, 1)))
  factor(label[findInterval(x, cuts) + 1], levels = label)
}

formulas <- c(
  "y ~ 1", "y ~ age", "y ~ 0 + age", "y ~ age - 1", "y ~ sex", "y ~ 0 + sex", "y ~ sex - 1 + icu", "y ~ icu + 0 + sex",
  "y ~ age + bun + sex + icu", "y ~ age:bun", "y ~ age*bun", "y ~ sex:icu", "y ~ sex*icu", "y ~ sex + sex:icu",
  "y ~ icu + sex:icu", "y ~ age:sex", "y ~ age + age:sex", "y ~ sex + age:sex", "y ~ age*sex", "y ~ sex*age",
  "y ~ icu:sex + age", "y ~ icu:sex:ward", "y ~ sex*icu*ward", "y ~ (sex + icu + ward)^2", "y ~ (sex + icu + age)^3",
  "y ~ sex/icu", "y ~ sex/age", "y ~ (sex + ward)/age", "y ~ sex*icu - sex:icu", "y ~ sex*icu - sex", "y ~ sex*icu - icu - 1",
  "y ~ sex*age - age", "y ~ 0 + sex:age", "y ~ 0 + sex:icu", "y ~ 0 + age + sex + icu:ward", "y ~ age + sex:icu:age",
  "y ~ ward + age:bun:sex", "y ~ log(bun)", "y ~ log1p(visits) + sqrt(visits) + exp(temp/10)", "y ~ I(age^2) + age",
  "y ~ I((age - 65)/10)*sex", "y ~ I(bun/days)", "y ~ I(temp^3) + I(-temp) + abs(temp)", "y ~ I(age*bun)", "y ~ log(bun + 1) + log2(days) + log10(days)",
  "y ~ poly(age, 3)", "y ~ poly(temp, 2)*sex", "y ~ poly(age, 2, raw = TRUE)", "y ~ poly(log(bun), 2) + sex",
  "y ~ ns(age, 3)", "y ~ ns(age, df = 4)*sex", "y ~ ns(bun, knots = c(20, 60))", "y ~ ns(log(bun), 2)", "y ~ ns(age, 1)",
  "y ~ bs(age, df = 5)", "y ~ bs(age, knots = c(40, 60))", "y ~ bs(days, 4, degree = 2):sex", "y ~ bs(temp)",
  "y ~ bins(age, c(40, 65)) + sex", "y ~ bins(visits, c(1, 2, 10))*sex", "y ~ smoker*bins(age, c(50))",
  "y ~ age + offset(log(days))", "y ~ offset(days) + sex + offset(temp)", "y ~ age + sex + age", "y ~ sex:age + age:sex",
  "y ~ age + (sex + icu):ward", "y ~ age*sex*smoker - age:sex:smoker", "y ~ -1 + icu*age", "y ~ 1 + 0 + sex", "y ~ 0 + sex + 1",
  "y ~ ward:icu + icu:ward + sex", "y ~ age^2", "y ~ (age + bun)^2 + I(age^2)")

text <- function(x) paste0("\"", gsub("\"", "\\\\\"", x), "\"")
numbers <- function(x) paste0("[", paste(sprintf("%.17g", x), collapse = ","), "]")
entry <- function(formula) {
  parsed <- as.formula(formula)
  frame <- model.frame(parsed, data)
  matrix <- model.matrix(parsed, frame)
  offset <- model.offset(frame)
  paste0("{\"formula\":", text(formula), ",\"columns\":[", paste(text(colnames(matrix)), collapse = ","), "],\"offset\":",
         if (is.null(offset)) "[]" else numbers(offset), ",\"rows\":[",
         paste(apply(matrix, 1, numbers), collapse = ","), "]}")
}
rows <- apply(format(cells, trim = TRUE), 1, function(row) paste0("[", paste(text(trimws(row)), collapse = ","), "]"))
cat("{\"made\":", text(paste("by design-matrices.R with", R.version.string)), ",\"names\":[", paste(text(names(cells)), collapse = ","),
    "],\"cells\":[", paste(rows, collapse = ","), "],\n\"matrices\":[\n", paste(sapply(formulas, entry), collapse = ",\n"), "\n]}\n", sep = "")
