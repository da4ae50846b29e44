/** Engines for tables that outgrow one machine: whether one can be used, one to try, and what it costs. */
package dev.tacit.cli.engine;
