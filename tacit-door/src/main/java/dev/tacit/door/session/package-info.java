/**
 * The door: the only way from private records to numbers.
 *
 * <p>A {@link dev.tacit.door.session.PrivateDataset} is opened for a {@link dev.tacit.door.session.ReleasePlan}, which is
 * charged whole; each {@link dev.tacit.door.session.PrivateSession#release release} then draws a batch, clips and sums
 * what its units contribute, adds noise, seals the result and tells the ledger. docs/privacy-model.md, section 6, says why that keeps the
 * accountant's promise and what it does not cover.
 */
package dev.tacit.door.session;
