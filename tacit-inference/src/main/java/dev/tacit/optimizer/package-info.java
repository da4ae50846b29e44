/** Step sizes and rules that turn noisy sums into moves. */
package dev.tacit.optimizer;
