/** Under which settings a cluster may see records, what it is sent, and one to try. */
package dev.tacit.spark.cluster;
