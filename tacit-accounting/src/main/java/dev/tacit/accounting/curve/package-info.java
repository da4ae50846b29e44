/** What one release of a mechanism can reveal, found by the name in its profile. */
package dev.tacit.accounting.curve;
