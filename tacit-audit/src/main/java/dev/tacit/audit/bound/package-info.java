/** What counts say about probabilities, and probabilities about a claim. */
package dev.tacit.audit.bound;
