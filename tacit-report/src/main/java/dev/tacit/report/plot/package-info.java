/** Charts as SVG and HTML without a script: drawn once, readable on paper, on a phone and in the dark. */
package dev.tacit.report.plot;
