package dev.tacit.report.plot;

import java.util.Locale;

/** Writes SVG elements one after the other. Lengths are numbers in the units of the picture, or percentages. */
final class Svg {
    private final StringBuilder elements = new StringBuilder();

    Svg segment(String style, double x1, double y1, double x2, double y2) {
        return segment(style, number(x1), y1, number(x2), y2);
    }

    Svg segment(String style, String x1, double y1, String x2, double y2) {
        return open("line", style)
                .attribute("x1", x1)
                .attribute("y1", number(y1))
                .attribute("x2", x2)
                .attribute("y2", number(y2))
                .close();
    }

    Svg rectangle(String style, String x, double y, String width, double height) {
        return open("rect", style)
                .attribute("x", x)
                .attribute("y", number(y))
                .attribute("width", width)
                .attribute("height", number(height))
                .close();
    }

    Svg rectangle(String style, double x, double y, double width, double height) {
        return rectangle(style, number(x), y, number(width), height);
    }

    Svg circle(String style, double x, double y, double radius) {
        return circle(style, number(x), y, radius);
    }

    Svg circle(String style, String x, double y, double radius) {
        return open("circle", style)
                .attribute("cx", x)
                .attribute("cy", number(y))
                .attribute("r", number(radius))
                .close();
    }

    Svg path(String style, CharSequence steps) {
        return open("path", style).attribute("d", steps.toString()).close();
    }

    Svg text(String style, double x, double y, String anchor, String text) {
        return text(style, number(x), y, anchor, text);
    }

    Svg text(String style, String x, double y, String anchor, String text) {
        open("text", style).attribute("x", x).attribute("y", number(y)).attribute("text-anchor", anchor);
        elements.append('>').append(Markup.escape(text)).append("</text>\n");
        return this;
    }

    /** What a pointer resting on the elements in between shows. */
    Svg group(String hint) {
        elements.append("<g><title>").append(Markup.escape(hint)).append("</title>\n");
        return this;
    }

    Svg endGroup() {
        return raw("</g>\n");
    }

    Svg raw(String markup) {
        elements.append(markup);
        return this;
    }

    private Svg open(String element, String style) {
        elements.append('<').append(element);
        return style.isEmpty() ? this : attribute("class", style);
    }

    private Svg attribute(String name, String value) {
        elements.append(' ').append(name).append("=\"").append(value).append('"');
        return this;
    }

    private Svg close() {
        return raw("/>\n");
    }

    static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    /** A share of the width, from 0 to 1. */
    static String percent(double share) {
        return String.format(Locale.ROOT, "%.2f%%", 100 * share);
    }

    @Override
    public String toString() {
        return elements.toString();
    }
}
