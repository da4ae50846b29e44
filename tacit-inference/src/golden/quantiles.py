"""Writes src/test/resources/dev/tacit/numerics/quantiles.json: distribution functions inverted with 50 digits.

    python3 src/golden/quantiles.py        (mpmath, scipy for the starting point)
"""
import json
import pathlib

from mpmath import betainc, gammainc, mp, mpf
from scipy import stats

mp.dps = 50
TARGET = pathlib.Path(__file__).parent.parent / "test/resources/dev/tacit/numerics/quantiles.json"


def solve(cdf, start):
    """Secants from a start with about ten correct digits, until the step is below 1e-30 of the value."""
    x0, x1 = mpf(start), mpf(start) * (1 + mpf(10) ** -9)
    f0, f1 = cdf(x0), cdf(x1)
    while abs(x1 - x0) > mpf(10) ** -30 * abs(x1) and f1 != f0:
        x0, x1, f0 = x1, x1 - f1 * (x1 - x0) / (f1 - f0), f1
        f1 = cdf(x1)
    return x1


rows = {"gamma": [], "beta": [], "student": []}
for shape in (0.01, 0.3, 1, 2.5, 40, 1e4):
    for p in (1e-6, 0.025, 0.5, 0.9, 0.999999):
        start = stats.gamma.ppf(p, shape)
        if start > 1e-280:
            f = lambda x: gammainc(shape, 0, x, regularized=True) - mpf(p)
            rows["gamma"].append({"shape": shape, "probability": p, "value": float(solve(f, start))})
for a, b in ((0.02, 3), (0.5, 0.5), (1, 1), (2, 30), (50, 4), (2000, 3000)):
    for p in (1e-6, 0.025, 0.5, 0.9, 0.999):
        start = stats.beta.ppf(p, a, b)
        if 1e-280 < start < 1 - 1e-9:
            f = lambda x: betainc(a, b, 0, x, regularized=True) - mpf(p)
            rows["beta"].append({"a": a, "b": b, "probability": p, "value": float(solve(f, start))})
for degrees in (0.7, 1, 2, 5, 30, 1000, 1e6):
    for p in (1e-9, 0.025, 0.499999, 0.6, 0.95, 0.999999):
        start = stats.t.ppf(p, degrees)
        f = lambda t: (
            betainc(mpf(degrees) / 2, 0.5, 0, degrees / (degrees + t * t), regularized=True) / 2 - min(mpf(p), 1 - mpf(p))
        )
        rows["student"].append({"degrees": degrees, "probability": p, "value": float(solve(f, start))})

TARGET.write_text(json.dumps(rows).replace("}, ", "},\n") + "\n")
print({k: len(v) for k, v in rows.items()})
