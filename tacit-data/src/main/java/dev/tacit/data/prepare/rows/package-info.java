/** Encoded rows in memory and on disk, and persons in the order of their marks. */
package dev.tacit.data.prepare.rows;
