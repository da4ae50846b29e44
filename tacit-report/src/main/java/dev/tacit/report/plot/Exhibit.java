package dev.tacit.report.plot;

/** A figure or a table: a piece of a page that stands on its own. */
public interface Exhibit {
    /** Well-formed markup; {@code id} is unique in the page, and everything inside that needs a name starts with it. */
    String html(String id);
}
