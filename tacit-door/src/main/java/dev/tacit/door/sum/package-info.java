/** What units contribute, the one check on it, and one part's share of a release. */
package dev.tacit.door.sum;
