/** The seam to the runtime of several parties: what can be asked of it, and how it is found without being loaded before. */
package dev.tacit.fit.federation;
