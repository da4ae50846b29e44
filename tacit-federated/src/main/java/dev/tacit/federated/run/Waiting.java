package dev.tacit.federated.run;

import java.time.Duration;

/**
 * How long a coordinator waits for all parties, and what it does then; neither is a matter of privacy.
 *
 * @param time after which a sum goes on without those who may be missing
 * @param givesUp whether a sum that too few answer by then is given up for ever, instead of waited for
 */
record Waiting(Duration time, boolean givesUp) {}
