/** What has been spent, durably, and whether more may be. */
package dev.tacit.ledger;
