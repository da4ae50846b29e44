/** How answers of several parties are added, in the clear or behind masks. */
package dev.tacit.partitioned.aggregate;
