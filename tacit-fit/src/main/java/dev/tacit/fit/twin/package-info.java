/** Whether intervals hold the truth on simulated twins of a fit. */
package dev.tacit.fit.twin;
