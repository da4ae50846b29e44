/** Several parties played by one process on views of one table. */
package dev.tacit.partitioned.dealt;
