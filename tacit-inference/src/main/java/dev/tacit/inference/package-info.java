/** Inference algorithms that see records through the door only. */
package dev.tacit.inference;
