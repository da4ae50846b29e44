/** Numbers and sentences as people read them. */
package dev.tacit.report.text;
