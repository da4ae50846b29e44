/** Verbs about schemas and data sets by name. */
package dev.tacit.cli.dataset;
