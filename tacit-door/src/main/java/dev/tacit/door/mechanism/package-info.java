/** How a release is made noisy, and which event that is. */
package dev.tacit.door.mechanism;
