/** Answers in closed form. */
package dev.tacit.accounting.exact.closed;
