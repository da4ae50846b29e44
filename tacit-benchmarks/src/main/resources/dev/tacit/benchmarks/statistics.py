# The matrix products of StatisticsPassBenchmark with numpy on a dense table of the same shape; prints seconds per pass.
# Arguments: records columns nonzeros seconds. CPU time of the process, one thread of BLAS (set by the caller).
import json
import sys
import time

import numpy as np

records, columns, nonzeros = (int(argument) for argument in sys.argv[1:4])
budget = float(sys.argv[4])
random = np.random.default_rng(1)
table = np.zeros((records, columns))
for part in range(nonzeros):
    start, end = part * columns // nonzeros, (part + 1) * columns // nonzeros
    table[np.arange(records), random.integers(start, end, records)] = random.random(records)
theta = random.random(columns) - 0.5
weights = random.random(records)
residuals = random.random(records) - 0.5


def residual_sum():
    return table @ theta, table.T @ residuals


def first_and_second_order():
    return table.T @ (weights[:, None] * table), table.T @ residuals


def best(work):
    work()
    least = float("inf")
    end = time.process_time() + budget
    while time.process_time() < end:
        start = time.process_time()
        work()
        least = min(least, time.process_time() - start)
    return least


print(json.dumps({
    "numpy": np.__version__,
    "residualSum": best(residual_sum),
    "firstAndSecondOrder": best(first_and_second_order),
}))
