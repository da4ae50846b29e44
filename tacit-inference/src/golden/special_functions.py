"""Writes src/test/resources/dev/tacit/numerics/special-functions.json: values with 60 digits, rounded to doubles.

    python3 src/golden/special_functions.py        (mpmath)
"""
import json
import pathlib
import random

from mpmath import mp, mpf, erfc, erfinv, exp, log, log1p, loggamma, psi, sqrt, tanh

mp.dps = 60
random.seed(20261115)

TARGET = pathlib.Path(__file__).parent.parent / "test/resources/dev/tacit/numerics/special-functions.json"


def spread(low, high, count):
    """Points whose logarithms are spread evenly."""
    return [low * (high / low) ** random.random() for _ in range(count)]


def signed(points):
    return [p if random.random() < 0.5 else -p for p in points]


def normal_quantile(p):
    p = mpf(p)
    small = min(p, 1 - p)
    x = -mp.findroot(lambda z: log(erfc(z) / 2) - log(small), sqrt(abs(log(small)))) * sqrt(2) if small < 0.4 else -sqrt(2) * erfinv(1 - 2 * small)
    return x if p <= mpf(0.5) else -x


logits = signed(spread(1e-9, 50, 120)) + signed(spread(50, 740, 30)) + [0.0, 1.0, -1.0, 36.7, -36.7, 709.5, -709.5, -744.0]
gammas = spread(1e-8, 1, 60) + spread(0.5, 12, 120) + spread(10, 1e7, 60) + [1.0, 2.0, 1.5, 1.4616321449683623, 10.0, 9.999999999, 1e12]
normals = signed(spread(1e-9, 8, 120)) + [-x for x in spread(8, 37.5, 40)] + [0.0]
probabilities = spread(1e-300, 1e-3, 40) + [random.random() for _ in range(60)] + [1 - p for p in spread(1e-12, 1e-2, 20)] + [0.5]

TABLES = {
    "sigmoid": (logits, lambda x: 1 / (1 + exp(-x))),
    "softplus": (logits, lambda x: log1p(exp(x))),
    "polyaGammaMean": ([x for x in logits if abs(x) < 700], lambda c: tanh(c / 2) / (2 * c) if c else mpf(0.25)),
    "log1p": (spread(1e-18, 1e12, 100) + [-x for x in spread(1e-18, 0.999999, 60)] + [0.0], log1p),
    "digamma": (gammas, lambda x: psi(0, x)),
    "trigamma": (gammas, lambda x: psi(1, x)),
    "logGamma": (gammas, loggamma),
    "normalCdf": (normals, lambda x: erfc(-x / sqrt(mpf(2))) / 2),
    "logNormalCdf": (normals + [-x for x in spread(40, 1e6, 20)], lambda x: log(erfc(-x / sqrt(mpf(2))) / 2)),
    "normalQuantile": (probabilities, normal_quantile),
}

tables = {}
for name, (points, function) in TABLES.items():
    tables[name] = {"x": points, "value": [float(function(mpf(x))) for x in points]}

TARGET.write_text(json.dumps(tables, indent=0, separators=(",", ":")).replace("\n", "") + "\n")
