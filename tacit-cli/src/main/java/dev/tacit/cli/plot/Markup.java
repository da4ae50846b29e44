package dev.tacit.cli.plot;

/** Text inside XML and HTML. */
public final class Markup {
    private Markup() {}

    /** The text with everything escaped that markup would misread. */
    public static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
