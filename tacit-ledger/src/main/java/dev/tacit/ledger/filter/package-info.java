/** What adaptively chosen runs cost together, and when to refuse. */
package dev.tacit.ledger.filter;
