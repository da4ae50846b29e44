data {
  int<lower=1> rows;
  int<lower=1> columns;
  matrix[rows, columns] x;
  vector[rows] y;
  real<lower=0> scale;
}
parameters {
  vector[columns] beta;
  real<lower=0> sigma;
}
model {
  target += normal_id_glm_lpdf(y | x, 0, beta, sigma);
  if (scale > 0)
    sigma ~ cauchy(0, scale);
}
