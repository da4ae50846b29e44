/**
 * Reports that people read: {@link dev.tacit.report.FitReport} is one page about a fit, and
 * {@link dev.tacit.report.PrivacyStatement} one page about its promise.
 *
 * <p>Both are made of plain records and see no run, so every method can fill them. A report is a headline and a list of
 * {@link dev.tacit.report.section.Section}s; the {@code *Section} classes make the usual ones, and a method with more to show
 * adds its own from {@link dev.tacit.report.section.Figure}, {@link dev.tacit.report.section.Table} and
 * {@link dev.tacit.report.plot.StripPlot}. Nothing here may be computed from records except through the door.
 */
package dev.tacit.report;
