/** How answers of several parties are added. */
package dev.tacit.partitioned.aggregate;
