/** The audit of a run: all its layers, its control, and what they say together. */
package dev.tacit.audit;
