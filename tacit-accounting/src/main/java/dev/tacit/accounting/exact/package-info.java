/** The route: which engine answers which question. */
package dev.tacit.accounting.exact;
