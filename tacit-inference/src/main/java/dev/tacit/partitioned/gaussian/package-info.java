/** Gaussian factors in natural parameters. */
package dev.tacit.partitioned.gaussian;
