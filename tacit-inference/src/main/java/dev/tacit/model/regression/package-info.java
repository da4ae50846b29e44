/** Regressions. */
package dev.tacit.model.regression;
