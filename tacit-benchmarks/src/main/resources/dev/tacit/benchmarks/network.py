"""One update of stochastic EP for a network of rectified units in numpy: columns, hidden units, seconds."""

import json
import math
import sys
import time

import numpy as np

columns, hidden, seconds = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
rng = np.random.default_rng(1)
erfc = np.vectorize(math.erfc)


def update(state, x, y, records):
    (eta0, lam0), (eta1, lam1), (a, b) = state
    share = 1 / records
    lc0, lc1 = lam0 - share * (lam0 - 5 / 6), lam1 - share * (lam1 - 5 / 6)
    v0, v1 = 1 / lc0, 1 / lc1
    m0, m1 = eta0 * (1 - share) * v0, eta1 * (1 - share) * v1
    n0, n1 = x.size, hidden + 1
    m, v = m0 @ x / math.sqrt(n0), v0 @ (x * x) / n0
    s = np.sqrt(v)
    alpha = m / s
    on, density = 0.5 * erfc(-alpha / math.sqrt(2)), np.exp(-0.5 * alpha * alpha) / math.sqrt(2 * math.pi)
    z = on * m + s * density
    u = on * (m * m + v) + m * s * density - z * z
    zb, ub = np.append(z, 1), np.append(u, 0)
    q = ub + zb * zb
    f, fv = m1 @ zb / math.sqrt(n1), (v1 @ q + (m1 * m1) @ ub) / n1
    total = fv + b / (a - 1)
    gm = (y - f) / total
    gv = 0.5 * (gm * gm - 1 / total)
    dm1, dv1 = gm * zb / math.sqrt(n1) + 2 * gv * m1 * ub / n1, gv * q / n1
    dz = gm * m1[:-1] / math.sqrt(n1) + 2 * gv * v1[:-1] * z / n1
    du = gv * (v1[:-1] + m1[:-1] ** 2) / n1
    da = dz * on + du * 2 * z * (1 - on)
    dv = dz * density / (2 * s) + du * (on - z * density / s)
    dm0, dv0 = np.outer(da, x) / math.sqrt(n0), np.outer(dv, x * x) / n0
    w0, w1 = v0 - v0 * v0 * (dm0 * dm0 - 2 * dv0), v1 - v1 * v1 * (dm1 * dm1 - 2 * dv1)
    return ((m0 + v0 * dm0) / w0, 1 / w0), ((m1 + v1 * dm1) / w1, 1 / w1), (a, b)


state = (
    (rng.normal(size=(hidden, columns + 1)), np.full((hidden, columns + 1), 5 / 6)),
    (rng.normal(size=hidden + 1), np.full(hidden + 1, 5 / 6)),
    (6.0, 6.0),
)
rows = np.hstack([rng.normal(size=(256, columns)), np.ones((256, 1))])
targets = rng.normal(size=256)
least, start = float("inf"), time.process_time()
while time.process_time() - start < seconds:
    before = time.process_time()
    for row, target in zip(rows, targets):
        state = update(state, row, target, 1439)
    least = min(least, (time.process_time() - before) / len(rows))
print(json.dumps({"numpy": np.__version__, "seconds": least}))
