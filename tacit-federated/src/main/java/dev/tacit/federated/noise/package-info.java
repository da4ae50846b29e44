/** How the noise of a sum is cut into shares and layers, one party's part of it, and how much is left in an opened sum. */
package dev.tacit.federated.noise;
