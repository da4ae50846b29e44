"""Topics by scikit-learn's latent Dirichlet allocation, with its CPU time and peak memory.

Arguments: folder, documents, words, entries, topics, passes, documents in a batch. The folder has starts, columns (32
bits) and counts (64 bits) of the documents; after each pass the topics are written there, topic after topic. Prints one
JSON object. The online form with its default step (10 + t)^-0.7.
"""
import json
import sys
import time

try:
    import numpy as np
    import sklearn
    from scipy.sparse import csr_matrix
    from sklearn.decomposition import LatentDirichletAllocation
except ImportError:
    sys.exit(1)

folder = sys.argv[1]
documents, words, entries, topics, passes, size = (int(a) for a in sys.argv[2:8])
corpus = csr_matrix(
    (
        np.fromfile(folder + "/counts", "<f8", entries),
        np.fromfile(folder + "/columns", "<i4", entries),
        np.fromfile(folder + "/starts", "<i4", documents + 1),
    ),
    (documents, words),
)
model = LatentDirichletAllocation(
    topics,
    learning_method="online",
    batch_size=size,
    total_samples=documents,
    max_doc_update_iter=100,
    mean_change_tol=1e-3,
    random_state=1,
    n_jobs=1,
)
seconds = []
for i in range(passes):
    start = time.process_time()
    model.partial_fit(corpus)  # one pass
    seconds.append((seconds[-1] if seconds else 0) + time.process_time() - start)
    model.components_.astype("<f8").tofile(folder + "/topics-" + str(i + 1))
with open("/proc/self/status") as status:  # getrusage would count the process that started this one
    kilobytes = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
print(
    json.dumps(
        {
            "version": sklearn.__version__,
            "seconds": seconds,
            "megabytes": kilobytes / 1024,
        }
    )
)
