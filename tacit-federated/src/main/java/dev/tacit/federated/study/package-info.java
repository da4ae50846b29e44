/** What several parties agree on before anything is charged: the study, its hash as words, whether it is feasible, and what it promises. */
package dev.tacit.federated.study;
