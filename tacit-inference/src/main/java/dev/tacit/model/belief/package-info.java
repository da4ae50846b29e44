/** Sigmoid belief networks. */
package dev.tacit.model.belief;
