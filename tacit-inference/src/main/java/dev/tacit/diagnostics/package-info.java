/** How good predictions are on rows that may be looked at: scores, calibration, coverage. */
package dev.tacit.diagnostics;
