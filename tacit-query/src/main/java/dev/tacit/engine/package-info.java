/** Sums over records on the threads of this machine. */
package dev.tacit.engine;
