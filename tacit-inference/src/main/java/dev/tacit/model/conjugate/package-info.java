/** Conjugate pairs. */
package dev.tacit.model.conjugate;
