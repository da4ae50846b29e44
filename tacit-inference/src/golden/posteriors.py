"""Writes src/test/resources/dev/tacit/posterior/posteriors.json: densities and divergences by scipy and quadrature.

    python3 src/golden/posteriors.py
"""
import json
import pathlib

import numpy as np
from scipy import stats
from scipy.integrate import quad

TARGET = pathlib.Path(__file__).parent.parent / "test/resources/dev/tacit/posterior/posteriors.json"
rng = np.random.default_rng(7)


def spd(n):
    a = rng.standard_normal((n, n))
    a = a @ a.T / n + 0.3 * np.eye(n)
    return (a + a.T) / 2


m, c, x = rng.standard_normal(4), spd(4), rng.standard_normal(4)
m2, c2 = rng.standard_normal(4), spd(4)
a, b, w, lam = 3.5, 1.25, rng.standard_normal(3), spd(3)
point, tau = rng.standard_normal(3), 2.2
conc, conc2 = np.array([0.4, 2.0, 7.5]), np.array([1.0, 1.0, 3.0])
simplex = np.array([0.2, 0.3, 0.5])
q, p = stats.gamma(2.5, scale=1 / 0.7), stats.gamma(1.2, scale=1 / 2.0)
inverse = np.linalg.inv(c2)

# the marginal of a normal-gamma weight, by integrating the precision out
covariance = np.linalg.inv(lam)
marginal = lambda v: quad(lambda t: stats.norm.pdf(v, w[1], np.sqrt(covariance[1, 1] / t)) * stats.gamma.pdf(t, a, scale=1 / b), 0, np.inf, epsabs=1e-14)[0]
tail = quad(marginal, -np.inf, w[1] - 1.3, epsabs=1e-12)[0]

# E_q log x for a Dirichlet by its Beta marginals
logs = [quad(lambda v: stats.beta.pdf(v, ci, conc.sum() - ci) * np.log(v), 0, 1, epsabs=1e-13, limit=400)[0] for ci in conc]
dirichlet_kl = stats.dirichlet.logpdf(simplex, conc) - stats.dirichlet.logpdf(simplex, conc2) - np.dot(conc - conc2, np.log(simplex)) + np.dot(conc - conc2, logs)

TARGET.write_text(json.dumps({
    "gaussian": {"mean": m.tolist(), "covariance": c.tolist(), "point": x.tolist(),
                 "logDensity": stats.multivariate_normal.logpdf(x, m, c),
                 "otherMean": m2.tolist(), "otherCovariance": c2.tolist(),
                 "divergence": 0.5 * (np.trace(inverse @ c) + (m2 - m) @ inverse @ (m2 - m) - 4 + np.linalg.slogdet(c2)[1] - np.linalg.slogdet(c)[1])},
    "diagonal": {"divergence": float(sum(quad(lambda v: stats.norm.pdf(v, mm, s) * (stats.norm.logpdf(v, mm, s) - stats.norm.logpdf(v, nn, t)), mm - 12 * s, mm + 12 * s, epsabs=1e-13)[0]
                                         for mm, s, nn, t in ((0.5, 0.7, -0.2, 1.1), (2.0, 0.3, 1.0, 0.2))))},
    "gamma": {"logDensity": float(q.logpdf(0.9)), "divergence": float(quad(lambda v: q.pdf(v) * (q.logpdf(v) - p.logpdf(v)), 0, 80, epsabs=1e-13, limit=400)[0]),
              "meanLogarithm": float(quad(lambda v: q.pdf(v) * np.log(v), 0, 80, epsabs=1e-13, limit=400)[0])},
    "beta": {"logDensity": float(stats.beta.logpdf(0.3, 0.6, 4.2))},
    "dirichlet": {"concentration": conc.tolist(), "other": conc2.tolist(), "point": simplex.tolist(), "logDensity": float(stats.dirichlet.logpdf(simplex, conc)),
                  "meanLogarithm": logs, "divergence": float(dirichlet_kl)},
    "normalGamma": {"shape": a, "rate": b, "mean": w.tolist(), "precision": lam.tolist(), "weights": point.tolist(), "tau": tau,
                    "logDensity": float(stats.gamma.logpdf(tau, a, scale=1 / b) + stats.multivariate_normal.logpdf(point, w, np.linalg.inv(tau * lam))),
                    "coordinate": 1, "quantile": float(w[1] - 1.3), "probability": float(tail)},
}, indent=1) + "\n")
