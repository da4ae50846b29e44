/** Tables that DuckDB reads: Parquet and Postgres. */
package dev.tacit.data.source.database;
