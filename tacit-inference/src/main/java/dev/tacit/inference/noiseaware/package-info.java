/** Posteriors that count the noise of a whole trace of releases. */
package dev.tacit.inference.noiseaware;
