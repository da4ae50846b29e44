/**
 * Tables as coded rows, from text files, Parquet, JSON and Postgres; a cell that cannot be understood is missing, and no
 * record can raise an exception.
 */
package dev.tacit.data.source;
