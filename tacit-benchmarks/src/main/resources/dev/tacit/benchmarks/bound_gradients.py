"""Clipped gradients of the evidence bound of logistic regression, summed over a batch: vectorised numpy.

Arguments: rows, columns, non-zeros of a row, draws, seconds. Prints the numpy version and the least CPU seconds of one pass for each
form, in single and in double precision. All forms share K draws among the rows, independent ones or mirrored pairs; the forms differ
in how the batch is cut: whole, or in parts that fit the cache.
"""

import json
import sys
import time

import numpy as np


def step(x, y, m, s, slope, e, bound, weight):
    """g_m = (sum_k r_k) x, g_u = weight slope x (r e), clipped row by row in L2 over both, and added up."""
    k = e.shape[0]
    z = x @ (m + s * e).T  # rows x draws
    r = (y[:, None] - 1 / (1 + np.exp(-z))) / k
    mean = r.sum(axis=1)
    h = r @ e  # rows x columns
    h *= x
    h *= weight * slope
    squares = mean * mean * (x * x).sum(axis=1) + (h * h).sum(axis=1)
    clip = np.minimum(1, bound / np.sqrt(squares))
    return np.concatenate([(clip * mean) @ x, clip @ h])


def mirrored_step(x, y, m, s, slope, e, bound, weight):
    """The same over the draws e and -e: one product for the centre, one for the offsets, one for differences of residuals."""
    k = 2 * e.shape[0]
    centre = (x @ m)[:, None]
    offset = x @ (s * e).T
    r = (y[:, None] - 1 / (1 + np.exp(-(centre + offset)))) / k
    t = (y[:, None] - 1 / (1 + np.exp(offset - centre))) / k
    mean = r.sum(axis=1) + t.sum(axis=1)
    h = (r - t) @ e
    h *= x
    h *= weight * slope
    squares = mean * mean * (x * x).sum(axis=1) + (h * h).sum(axis=1)
    clip = np.minimum(1, bound / np.sqrt(squares))
    return np.concatenate([(clip * mean) @ x, clip @ h])


def main():
    rows, columns, non_zeros, draws = (int(a) for a in sys.argv[1:5])
    seconds = float(sys.argv[5])
    random = np.random.default_rng(1)
    x = np.zeros((rows, columns))
    for i in range(rows):
        x[i, random.choice(columns, non_zeros, replace=False)] = 1
    y = (random.random(rows) < 0.3).astype(float)
    m = 0.3 * random.standard_normal(columns)
    s = np.full(columns, 0.05)
    slope = s.copy()
    answer = {"numpy": np.__version__}
    for name, kind in (("single", np.float32), ("double", np.float64)):
        for part in (rows, 2048, 256):
            pieces = [
                (x[i : i + part].astype(kind), y[i : i + part].astype(kind)) for i in range(0, rows, part)
            ]
            mk, sk, slopek = m.astype(kind), s.astype(kind), slope.astype(kind)
            for draw, form, count in (("", step, draws), (" mirrored", mirrored_step, draws // 2)):
                least = float("inf")
                end = time.process_time() + seconds
                while time.process_time() < end:
                    e = random.standard_normal((count, columns)).astype(kind)
                    before = time.process_time()
                    total = 0
                    for xs, ys in pieces:
                        total = total + form(xs, ys, mk, sk, slopek, e, kind(2), kind(20))
                    least = min(least, time.process_time() - before)
                label = "whole" if part == rows else str(part)
                answer[name + draw + " " + label] = least
    print(json.dumps(answer))


main()
