/** How a batch is drawn, and which event that is. */
package dev.tacit.door.sampling;
