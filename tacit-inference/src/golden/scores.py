"""Writes src/test/resources/dev/tacit/diagnostics/scores.json: scores by definition, in numpy, scipy and mpmath.

    python3 src/golden/scores.py
"""
import json
import pathlib

import numpy as np
from mpmath import mp, mpf, exp, pi, quad, sqrt
from scipy import stats
from scipy.integrate import quad as scipy_quad

mp.dps = 30
TARGET = pathlib.Path(__file__).parent.parent / "test/resources/dev/tacit/diagnostics/scores.json"
rng = np.random.default_rng(20261115)


def classification(p, y):
    bins = 15
    which = np.minimum((p * bins).astype(int), bins - 1)
    ece = sum((which == b).sum() / len(p) * abs(p[which == b].mean() - y[which == b].mean()) for b in range(bins) if (which == b).any())
    mce = max(abs(p[which == b].mean() - y[which == b].mean()) for b in range(bins) if (which == b).any())
    pos, neg = p[y == 1], p[y == 0]
    auc = stats.mannwhitneyu(pos, neg).statistic / (len(pos) * len(neg))
    brute = np.mean((pos[:, None] > neg[None, :]) + 0.5 * (pos[:, None] == neg[None, :]))
    assert abs(auc - brute) < 1e-12
    return {
        "probabilities": p.tolist(), "labels": y.tolist(),
        "accuracy": float(np.mean((p >= 0.5) == (y == 1))), "auc": float(auc),
        "logLikelihood": float(np.mean(stats.bernoulli.logpmf(y, p))), "brier": float(np.mean((p - y) ** 2)),
        "ece": float(ece), "mce": float(mce),
    }


logits = 2 * rng.standard_normal(400)
p = 1 / (1 + np.exp(-logits))
cases = [
    classification(p, (rng.random(400) < p).astype(int)),
    classification(np.round(p, 1).clip(0.05, 0.95), (rng.random(400) < p).astype(int)),
    classification(np.array([0.5, 0.5, 0.2, 0.9]), np.array([1, 0, 0, 1])),
]

m = 3 * rng.standard_normal(300)
s = np.exp(0.5 * rng.standard_normal(300))
y = m + 1.2 * s * rng.standard_normal(300)
z = (y - m) / s
half = stats.norm.ppf(0.95)


def crps(mean, sd, target):
    below = scipy_quad(lambda x: stats.norm.cdf(x, mean, sd) ** 2, mean - 40 * sd, target, points=[mean] if mean < target else None, limit=400)[0]
    above = scipy_quad(lambda x: stats.norm.sf(x, mean, sd) ** 2, target, mean + 40 * sd, points=[mean] if mean > target else None, limit=400)[0]
    return below + above


regression = {
    "means": m.tolist(), "deviations": s.tolist(), "targets": y.tolist(), "level": 0.9,
    "rmse": float(np.sqrt(np.mean((y - m) ** 2))), "logLikelihood": float(np.mean(stats.norm.logpdf(y, m, s))),
    "crps": float(np.mean([crps(*row) for row in zip(m, s, y)])),
    "coverage": float(np.mean(np.abs(z) <= half)), "width": float(np.mean(2 * half * s)),
}


def logistic_normal(mean, variance):
    mean, sd = mpf(mean), sqrt(mpf(variance))
    step = -mean / sd
    points = [mpf(x) for x in (-45, -20, -10, -5, -2, 0, 2, 5, 10, 20, 45)]
    points += [x for x in (step - 30 / sd, step - 10 / sd, step - 1 / sd, step, step + 1 / sd, step + 10 / sd, step + 30 / sd) if -45 < x < 45]
    return quad(lambda x: exp(-x * x / 2) / (1 + exp(-(mean + sd * x))), sorted(set(points))) / sqrt(2 * pi)


predictive = [
    {"mean": mean, "variance": variance, "probability": float(logistic_normal(mean, variance))}
    for mean in (0.0, 0.1, 1.0, -3.0, 8.0, -20.0)
    for variance in (1e-4, 0.1, 0.99, 1.0, 4.0, 25.0, 36.0, 36.1, 100.0, 1e4, 1e6)
]

TARGET.write_text(json.dumps({"classification": cases, "regression": regression, "predictive": predictive}) + "\n")
