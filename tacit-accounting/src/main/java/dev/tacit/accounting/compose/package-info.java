/** What an event does to one unit: phases, repetitions and sampling, and the certified interval. */
package dev.tacit.accounting.compose;
