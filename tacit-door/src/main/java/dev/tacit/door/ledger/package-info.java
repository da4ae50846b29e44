/** What a ledger must do before a release. */
package dev.tacit.door.ledger;
