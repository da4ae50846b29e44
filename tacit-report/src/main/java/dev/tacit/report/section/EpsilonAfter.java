package dev.tacit.report.section;

/** The epsilon that holds after so many releases: an upper bound, perhaps infinite. */
public record EpsilonAfter(double releases, double epsilon) {}
