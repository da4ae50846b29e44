/**
 * Records on an Apache Spark cluster: read, encoded and summed where they are, to the same bits as on one machine.
 *
 * <p>Noise, ledger and everything that is released stay in the driver. Executors hold encoded records, what every part of them is
 * asked ({@link dev.tacit.door.sum.SumRequest}), and nothing else; they return one vector of integers a part.
 */
package dev.tacit.spark;
