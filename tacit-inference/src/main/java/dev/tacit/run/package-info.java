/** Runs: planning, calibrating, stepping, checkpoints and what listeners see. */
package dev.tacit.run;
