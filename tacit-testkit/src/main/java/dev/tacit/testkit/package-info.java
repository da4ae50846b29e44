/**
 * For tests of Tacit and of what builds on it: privacy tests on neighbouring data sets with sabotaged twins,
 * conformance suites that run over catalogues, readers of golden tables, and generators of random accounting
 * questions.
 */
package dev.tacit.testkit;
