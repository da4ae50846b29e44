/** Spark MLlib as a peer in benchmarks, in a JVM of its own. */
package dev.tacit.benchmarks.spark;
