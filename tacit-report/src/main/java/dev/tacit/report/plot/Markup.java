package dev.tacit.report.plot;

/** Text inside XML and HTML. */
public final class Markup {
    private static final char REPLACEMENT = '\uFFFD';

    private Markup() {}

    /**
     * The text with everything escaped that markup would misread, inside elements and inside quoted attributes, and
     * with {@link #printable(String) nothing that is not printable}.
     */
    public static String escape(String text) {
        return printable(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    /**
     * The text with every character replaced that XML forbids or that would rearrange its neighbours: control
     * characters, half surrogate pairs, and marks that turn the direction of writing.
     */
    public static String printable(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        text.codePoints().map(point -> forbidden(point) ? REPLACEMENT : point).forEach(clean::appendCodePoint);
        return clean.toString();
    }

    /** The text, or its beginning and an ellipsis if it is longer than so many characters. */
    public static String shortened(String text, int most) {
        boolean fits =
                text.length() <= most || (text.length() <= 2L * most && text.codePointCount(0, text.length()) <= most);
        return fits ? text : text.substring(0, text.offsetByCodePoints(0, most - 1)) + "\u2026";
    }

    private static boolean forbidden(int point) {
        if (point == '\n' || point == '\t') {
            return false;
        }
        return Character.isISOControl(point)
                || (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE)
                || (point & 0xFFFE) == 0xFFFE
                || (point >= 0x202A && point <= 0x202E)
                || (point >= 0x2066 && point <= 0x2069)
                || point == 0x200E
                || point == 0x200F;
    }
}
