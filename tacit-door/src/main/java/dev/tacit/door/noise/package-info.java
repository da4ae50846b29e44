/** What the door asks of random bits and noise. */
package dev.tacit.door.noise;
