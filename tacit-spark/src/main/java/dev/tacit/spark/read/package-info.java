/** How files of a table are found, and how rows that Spark hands over are coded. */
package dev.tacit.spark.read;
