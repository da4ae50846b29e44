/** Invented records in one real run, each there by the toss of a coin, and how many of the tosses can be guessed. */
package dev.tacit.audit.canary;
