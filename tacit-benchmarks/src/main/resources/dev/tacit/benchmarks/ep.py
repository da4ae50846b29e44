"""Sites of records of a Gaussian mixture in numpy, one by one and for all records at once: CPU seconds a record, the least of many passes."""

import json
import sys
import time

import numpy as np

records, columns, components, seconds = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
random = np.random.default_rng(1)
x = random.standard_normal((records, columns))
mean = random.standard_normal((components, columns))
covariance = np.tile(10 * np.eye(columns), (components, 1, 1))
precision = np.linalg.inv(covariance)
variance = 0.25


def one_by_one():
    total = np.zeros((components, columns, columns))
    total_mean = np.zeros((components, columns))
    for row in x:
        sums = covariance + variance * np.eye(columns)
        inverse = np.linalg.inv(sums)
        distance = row - mean
        solved = np.einsum("kij,kj->ki", inverse, distance)
        logs = -0.5 * np.einsum("ki,ki->k", solved, distance) - 0.5 * np.linalg.slogdet(sums)[1]
        share = np.exp(logs - logs.max())
        share /= share.sum()
        moved = np.einsum("kij,kj->ki", covariance, solved)
        tilted_mean = mean + share[:, None] * moved
        tilted = (
            covariance
            + (share * (1 - share))[:, None, None] * moved[:, :, None] * moved[:, None, :]
            - share[:, None, None] * covariance @ inverse @ covariance
        )
        tilted_precision = np.linalg.inv(tilted)
        total += tilted_precision - precision
        total_mean += np.einsum("kij,kj->ki", tilted_precision, tilted_mean)
    return total, total_mean


def vectorised():
    sums = covariance + variance * np.eye(columns)
    inverse = np.linalg.inv(sums)
    distance = x[:, None, :] - mean
    solved = np.einsum("kij,nkj->nki", inverse, distance)
    logs = -0.5 * np.einsum("nki,nki->nk", solved, distance) - 0.5 * np.linalg.slogdet(sums)[1]
    share = np.exp(logs - logs.max(axis=1, keepdims=True))
    share /= share.sum(axis=1, keepdims=True)
    moved = np.einsum("kij,nkj->nki", covariance, solved)
    tilted_mean = mean + share[:, :, None] * moved
    tilted = (
        covariance
        + (share * (1 - share))[:, :, None, None] * moved[:, :, :, None] * moved[:, :, None, :]
        - share[:, :, None, None] * (covariance @ inverse @ covariance)
    )
    tilted_precision = np.linalg.inv(tilted)
    return (tilted_precision - precision).sum(axis=0), np.einsum("nkij,nkj->ki", tilted_precision, tilted_mean)


def least(task):
    best = float("inf")
    end = time.process_time() + seconds
    while time.process_time() < end:
        start = time.process_time()
        task()
        best = min(best, time.process_time() - start)
    return best / records


print(json.dumps({"numpy": np.__version__, "oneByOne": least(one_by_one), "vectorised": least(vectorised)}))
