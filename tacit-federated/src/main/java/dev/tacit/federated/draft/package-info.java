/** What is done before a study runs: keys, the study itself, and what people are told of it. */
package dev.tacit.federated.draft;
