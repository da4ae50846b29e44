/** Keys, seals, masks and shares of secrets: compositions of primitives of the JDK and of Bouncy Castle, and no primitive of its own. */
package dev.tacit.federated.crypto;
