/** Sections of a report. */
package dev.tacit.report.section;
