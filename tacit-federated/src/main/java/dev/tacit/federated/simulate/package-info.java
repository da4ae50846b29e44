/** A study played on one machine: processes of their own, a real network, delays and kills. */
package dev.tacit.federated.simulate;
