/** Which two laws are hardest to tell apart. */
package dev.tacit.accounting.pair;
