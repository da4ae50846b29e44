/** Reports that people read. */
package dev.tacit.report;
