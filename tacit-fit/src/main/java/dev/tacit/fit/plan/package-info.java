/** What a budget would buy, simulated before any record is read. */
package dev.tacit.fit.plan;
