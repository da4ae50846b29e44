/** The ledger of a fit: where it lies, its key, and what it says. */
package dev.tacit.fit.ledger;
