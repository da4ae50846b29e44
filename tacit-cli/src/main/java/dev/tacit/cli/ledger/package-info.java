/** Verbs that show and check ledgers. */
package dev.tacit.cli.ledger;
