data {
  int<lower=1> count;
  int<lower=1> width;
  matrix[count, width] x;
  vector[count] y;
  real<lower=0> cauchy_scale;
}
parameters {
  vector[width] beta;
  real<lower=0> sigma;
}
model {
  target += normal_id_glm_lpdf(y | x, 0, beta, sigma);
  if (cauchy_scale > 0)
    sigma ~ cauchy(0, cauchy_scale);
}
