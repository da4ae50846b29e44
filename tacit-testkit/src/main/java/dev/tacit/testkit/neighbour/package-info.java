/** Privacy tests on neighbouring data. */
package dev.tacit.testkit.neighbour;
