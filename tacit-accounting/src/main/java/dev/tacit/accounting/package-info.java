/** What an accountant answers: a bound on epsilon or delta, or why there is none. */
package dev.tacit.accounting;
