/** Verbs about one fit. */
package dev.tacit.cli.verb;
