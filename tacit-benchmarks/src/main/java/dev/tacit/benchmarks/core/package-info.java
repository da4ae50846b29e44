/** Accounting, ledger and noise beside their peers. */
package dev.tacit.benchmarks.core;
